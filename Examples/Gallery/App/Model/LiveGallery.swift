import EaselCore
import Foundation
import VignetteUI

/// The app with what it loads from, for a window: the embedded server unless the options name another.
@MainActor
public final class LiveGallery {
  /// The window, in points: that of the drawn storyboard, so that the two can be compared.
  public static let size = Storyboard.size

  private let server: EmbeddedServer?
  private let session = GallerySession()
  private let model: GalleryModel

  /// - Throws: the system's error where the embedded server gets no port.
  public init(_ options: GalleryOptions) throws {
    let server = options.api == nil ? try EmbeddedServer() : nil
    server?.openPhotos()
    self.server = server
    let base = options.api ?? server?.apiURL ?? URL(fileURLWithPath: "/")
    model = GalleryModel(api: GalleryAPI(baseURL: base, loader: session.loader), count: options.rows)
  }

  public var view: some View { GalleryView(model: model).imagePipeline(session.pipeline) }

  /// What the run came to, a line for a person.
  public var counters: String { session.pipeline.counters.line }

  public func stop() { server?.stop() }
}
