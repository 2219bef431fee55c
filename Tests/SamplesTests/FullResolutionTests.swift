import EaselCore
import ExampleSupport
import Foundation
import FullResolutionSample
import Pixels
import Testing
import VignetteTesting
import VignetteUITesting

@MainActor
@Suite("Full resolution from the context menu")
struct FullResolutionTests {
  private let entry = FullResolutionView.menuEntry

  private func harness(_ stage: Stage) -> ViewHarness {
    ViewHarness(size: FullResolutionView.size, pipeline: stage.pipeline) { FullResolutionView(url: stage.url) }
  }

  /// Where the photo is, well within its edges.
  private func photo(_ harness: ViewHarness) -> CGRect? {
    harness.host.element(labeled: "Photo").map { $0.frame.insetBy(dx: 20, dy: 20) }
  }

  @Test("the picture is small first; the menu's entry sharpens it, while the small one stays, and goes away")
  func sharpens() async throws {
    let stage = Stage()
    // Squares so fine that a small picture of them is an even colour.
    try stage.serve(.checkers(1024, 1024, every: 16))
    let harness = harness(stage)
    try await harness.until { harness.labels(.image) == ["Photo"] }
    harness.advance(by: 1)
    let frame = try #require(photo(harness))
    let middle = CGPoint(x: frame.midX, y: frame.midY)
    #expect(!harness.snapshot().colours(in: frame).contains([0, 200, 0]))
    #expect(stage.pipeline.memory.byteCount == 64 * 64 * 4)

    #expect(harness.host.contextMenu(at: middle).map(\.label) == [entry, FullResolutionView.browserEntry])
    stage.loader.gate.close()
    #expect(harness.host.activateMenuItem(entry, at: middle))
    harness.host.update()
    await stage.loader.gate.arrived(2)
    #expect(harness.labels(.image) == ["Photo"], "the small one stays")
    #expect(harness.host.contextMenu(at: middle).map(\.label) == [FullResolutionView.browserEntry])
    stage.loader.gate.open()
    try await harness.until { stage.pipeline.memory.byteCount > 1024 * 1024 * 4 }
    try await harness.until { harness.snapshot().colours(in: frame).contains([0, 200, 0]) }
    #expect(harness.snapshot().colours(in: frame).contains([255, 255, 255]))
    #expect(photo(harness) == frame, "more pixels take no more room")
  }

  @Test("the menu hands the picture's address to the system")
  func opensInBrowser() async throws {
    let stage = Stage()
    try stage.serve(.checkers(64, 64, every: 16))
    let harness = harness(stage)
    try await harness.until { harness.labels(.image) == ["Photo"] }
    let frame = try #require(photo(harness))
    var opened: [URL] = []
    harness.host.openSystemURL = { url in
      opened.append(url)
      return true
    }
    let middle = CGPoint(x: frame.midX, y: frame.midY)
    harness.host.update()
    #expect(harness.host.activateMenuItem(FullResolutionView.browserEntry, at: middle))
    #expect(opened == [stage.url])
  }

  @Test("a failure says what happened")
  func fails() async throws {
    let stage = Stage()
    let harness = harness(stage)
    try await harness.until { harness.labels(.text).contains { $0.contains("404") } }
  }

  @Test("the sample draws a 12 megapixel photo small, then whole")
  func moments() async throws {
    try await withTemporaryFolder { folder in
      let photos = try SamplePhotos()
      defer { photos.stop() }
      try await FullResolutionView.moments(photos, .light, folder)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(files == ["full-resolution-full-light.png", "full-resolution-small-light.png"])
    }
  }
}
