import EaselCore
import ExampleSupport
import Foundation
import HTTPCaching
import Vignette

extension FullResolutionView {
  public static let size = CGSize(width: 360, height: 340)

  /// Why the moments could not be drawn.
  public struct NoMenu: Error {}

  /// Draws the small picture, then what its context menu brings.
  @MainActor
  public static func moments(_ photos: SamplePhotos, _ colorScheme: ColorScheme, _ folder: URL) async throws {
    // Nothing of an embedded server's, whose port others have later, belongs into the cache of the user.
    let loader = HTTPLoader(transport: PlatformTransport.shared)
    let pipeline = ImagePipeline(configuration: .init(loader: .http(loader)))
    let stage = SampleStage(size: size, colorScheme: colorScheme, pipeline: pipeline, folder: folder) {
      FullResolutionView(url: photos.twelveMegapixels)
    }
    let harness = stage.harness
    try await harness.until { harness.labels(.image) == ["Photo"] }
    harness.advance(by: 1)
    try stage.draw("full-resolution-small")
    guard harness.host.activateMenuItem(menuEntry, at: CGPoint(x: size.width / 2, y: 140)) else { throw NoMenu() }
    let small = pipeline.memory.byteCount
    try await harness.until { pipeline.memory.byteCount > small && pipeline.activeWork == 0 }
    harness.advance(by: 1)
    try stage.draw("full-resolution-full")
    harness.host.unmount()
  }
}
