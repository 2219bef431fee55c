import EaselCore
import Foundation
import ImageCodecs
import Pixels
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Full resolution on request", .timeLimit(.minutes(5)))
struct ResolutionTests {
  private let small = DecodeTarget.box(PixelSize(width: 128, height: 64), .fill)

  @Test("a small picture first; it stays while the full one loads")
  func fullOnRequest() async throws {
    let stage = Stage()
    stage.serve(500, 250)
    let model = Wish()
    let harness = stage.harness { WishView(model: model) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.targets.targets == [small])
    #expect(harness.snapshot()[50, 50].blue == TargetLog.level(width: 128))

    stage.loader.gate.close()
    model.wantsFull = true
    harness.host.update()
    await stage.loader.gate.arrived(2)
    #expect(harness.snapshot()[50, 50].blue == TargetLog.level(width: 128))
    stage.loader.gate.open()
    try await harness.until { harness.snapshot()[50, 50].blue == TargetLog.level(width: 500) }
    #expect(stage.targets.targets == [small, .full])
  }

  @Test("taking the request back changes nothing of what is shown")
  func takenBack() async throws {
    let stage = Stage()
    stage.serve(500, 250)
    let model = Wish()
    model.wantsFull = true
    let harness = stage.harness { WishView(model: model) }
    try await harness.until { harness.snapshot()[50, 50].blue == TargetLog.level(width: 500) }
    model.wantsFull = false
    harness.host.update()
    #expect(harness.snapshot()[50, 50].blue == TargetLog.level(width: 500))
    #expect(stage.targets.targets == [.full], "asked for from the start, the small one is left out")
  }

  @Test("a full picture that fails leaves the small one")
  func fullFails() async throws {
    let stage = Stage()
    stage.serve(500, 250)
    let model = Wish()
    let harness = stage.harness { WishView(model: model) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    stage.loader.reply(to: Stage.url, .status(500))
    model.wantsFull = true
    harness.host.update()
    // Nothing changes on the screen, so there is no frame to wait for.
    await eventually { [pipeline = stage.pipeline] in pipeline.counters.failures == 1 }
    harness.host.update()
    #expect(harness.labels(.image) == ["picture"])
  }

  @Test("the next picture begins small again")
  func nextPicture() async throws {
    let stage = Stage()
    let next = "https://example.com/next.jpg"
    stage.serve(500, 250)
    stage.serve(500, 250, "next", at: next)
    let model = Wish()
    model.wantsFull = true
    let harness = stage.harness { WishView(model: model) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    model.wantsFull = false
    model.url = next
    harness.host.update()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.targets.targets == [.full, small])
  }

  @Test(
    "the small size is given in points; without one it comes from layout",
    arguments: [nil, CGSize(width: 20, height: 70)])
  func compressedSize(size: CGSize?) async throws {
    let stage = Stage()
    stage.serve(4000, 4000)
    let harness = stage.harness(width: 200, height: 100, scale: 2) {
      CachedAsyncImage(url: URL(string: Stage.url), compressedSize: size, loadFullResolution: false) {
        FillingPhase(phase: $0)
      }
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
    let expected = size == nil ? PixelSize(width: 448, height: 256) : PixelSize(width: 64, height: 192)
    #expect(stage.targets.targets == [.box(expected, .fill)])
  }
}

private final class Wish: ObservableObject {
  @Published var wantsFull = false
  @Published var url = Stage.url
}

private struct WishView: View {
  @ObservedObject var model: Wish

  var body: some View {
    CachedAsyncImage(
      url: URL(string: model.url), compressedSize: CGSize(width: 100, height: 50), loadFullResolution: model.wantsFull
    ) { FillingPhase(phase: $0) }
  }
}
