import EaselCore
import ExampleSupport
import Foundation
import Vignette
import VignetteUITesting

extension CachedListView {
  public static let size = CGSize(width: 380, height: 640)

  /// Whether every row on the screen shows its picture.
  @MainActor
  public static func isLoaded(_ harness: ViewHarness) -> Bool {
    let rows = Set(harness.labels(.text).filter { $0.hasPrefix("Picture ") })
    return !rows.isEmpty && rows.isSubset(of: harness.labels(.image))
  }

  /// Draws the list loaded, and after its caches were cleared and its pictures came anew.
  @MainActor
  public static func moments(_ photos: SamplePhotos, _ colorScheme: ColorScheme, _ folder: URL) async throws {
    let store = ImageStore()
    let stage = SampleStage(size: size, colorScheme: colorScheme, pipeline: store.pipeline, folder: folder) {
      CachedListView(urls: photos.many(30), store: store)
    }
    let harness = stage.harness
    try await harness.until { isLoaded(harness) }
    harness.advance(by: 1)
    try stage.draw("cached-list-loaded")
    harness.host.activate("Clear")
    harness.host.update()
    try stage.draw("cached-list-cleared")
    harness.host.unmount()
  }
}
