import EaselCore
import Foundation
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("From one phase to the next")
struct TransitionTests {
  private let url = URL(string: Stage.url)

  /// Red fades into blue over white: at half time every channel is between its ends.
  private func expectHalfBlended(_ harness: ViewHarness) async throws {
    try await harness.until { harness.labels(.image) == ["picture"] }
    let first = harness.snapshot()[100, 50]
    #expect(first.red == 255 && first.blue == 0)
    harness.advance(by: 0.5)
    let middle = harness.snapshot()[100, 50]
    #expect((120...200).contains(middle.red))
    #expect((85...140).contains(middle.blue))
    #expect((60...68).contains(middle.green), "half of half of the white behind both")
    harness.advance(by: 0.6)
    let last = harness.snapshot()[100, 50]
    #expect(last.red == 0 && last.green == 0 && last.blue == TargetLog.level(width: 256))
    #expect(!harness.host.isAnimating)
  }

  @Test("half-way through a transaction's animation the pixels are half of each")
  func transaction() async throws {
    let stage = Stage()
    stage.serve(400, 200)
    try await expectHalfBlended(
      stage.harness {
        CachedAsyncImage(url: url, transaction: Transaction(animation: .linear(duration: 1))) {
          FillingPhase(phase: $0)
        }
      })
  }

  @Test("the animation form is the transaction form with that animation")
  func animation() async throws {
    let stage = Stage()
    stage.serve(400, 200)
    try await expectHalfBlended(
      stage.harness { CachedAsyncImage(url: url, animation: .linear(duration: 1)) { FillingPhase(phase: $0) } })
  }

  @Test("keepPrevious shows the old picture until the new one is there")
  func keepPrevious() async throws {
    let stage = Stage()
    let next = "https://example.com/next.jpg"
    stage.serve(40, 40)
    stage.serve(20, 20, "next", at: next)
    let model = Target()
    let harness = stage.harness { TargetView(model: model).asyncImageTransition(.keepPrevious) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    stage.loader.gate.close()
    model.url = next
    harness.host.update()
    await stage.loader.gate.arrived(2)
    #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 40, height: 40))
    stage.loader.gate.open()
    try await harness.until {
      harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 20, height: 20)
    }
  }

  @Test("keepPrevious keeps nothing for a failure or a nil URL")
  func keepsNoFailure() async throws {
    let stage = Stage()
    stage.serve(40, 40)
    let model = Target()
    let harness = stage.harness { TargetView(model: model).asyncImageTransition(.keepPrevious) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    model.url = "https://example.com/missing.jpg"
    try await harness.until { harness.labels(.text) == ["http.404"] }
    model.url = Stage.url
    try await harness.until { harness.labels(.image) == ["picture"] }
    model.url = nil
    harness.host.update()
    #expect(harness.labels(.text) == ["empty"])
  }
}

private final class Target: ObservableObject {
  @Published var url: String? = Stage.url
}

private struct TargetView: View {
  @ObservedObject var model: Target

  var body: some View {
    CachedAsyncImage(url: model.url.flatMap { URL(string: $0) }) { PhaseText(phase: $0) }
  }
}
