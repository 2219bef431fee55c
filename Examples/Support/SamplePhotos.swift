import Foundation
import GalleryApp

/// The gallery's photos over HTTP from a loopback port, for the small samples to show.
public struct SamplePhotos: Sendable {
  private let server: EmbeddedServer

  /// - Throws: the system's error where no port can be had.
  public init() throws {
    server = try EmbeddedServer()
    server.openPhotos()
  }

  /// A cat: 451 × 300 pixels.
  public var cat: URL { photo("nature/2/chelsea.png") }
  /// 4000 × 3000 pixels.
  public var twelveMegapixels: URL { photo("nature/7/dandelion-12mp.jpg") }
  /// The server answers 404.
  public var missing: URL { photo("nature/5/lost.jpg") }

  /// `count` pictures, each at an address of its own.
  public func many(_ count: Int) -> [URL] {
    (0..<max(0, count)).map { photo("studio/\($0)/picture") }
  }

  private func photo(_ path: String) -> URL {
    server.apiURL.deletingLastPathComponent().appendingPathComponent("photos/" + path)
  }

  public func stop() { server.stop() }
}
