import EaselCore
import ExampleSupport
import Foundation
import HTTPCaching
import Vignette

extension CompatView {
  public static let size = CGSize(width: 340, height: 640)

  /// Draws the pictures half-way through their fade, and loaded.
  @MainActor
  public static func moments(_ photos: SamplePhotos, _ colorScheme: ColorScheme, _ folder: URL) async throws {
    // Nothing of an embedded server's, whose port others have later, belongs into the cache of the user.
    let loader = HTTPLoader(transport: PlatformTransport.shared)
    let pipeline = ImagePipeline(configuration: .init(loader: .http(loader)))
    let stage = SampleStage(size: size, colorScheme: colorScheme, pipeline: pipeline, folder: folder) {
      CompatView(picture: photos.cat, missing: photos.missing)
    }
    try await stage.harness.until { stage.harness.labels(.image).count == 4 }
    stage.harness.advance(by: 1)
    try stage.draw("compat-fading")
    stage.harness.advance(by: 3)
    try stage.draw("compat-loaded")
    stage.harness.host.unmount()
  }
}
