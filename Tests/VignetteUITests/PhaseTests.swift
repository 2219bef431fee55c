import EaselCore
import Foundation
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Phases of the view family")
struct PhaseTests {
  @Test("a nil URL stays empty and loads nothing")
  func nilURL() {
    let stage = Stage()
    let harness = stage.harness {
      CachedAsyncImage(url: nil) { PhaseText(phase: $0) }
    }
    #expect(harness.labels(.text) == ["empty"])
    #expect(stage.loader.counts.started == 0)
  }

  @Test("the phase is empty while the picture loads, then success")
  func loads() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    stage.loader.gate.close()
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { PhaseText(phase: $0) }
    }
    #expect(harness.labels(.text) == ["empty"])
    stage.loader.gate.open()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.labels(.text) == [])
  }

  @Test(
    "a failure carries its code",
    arguments: [
      (ScriptedLoader.Reply.status(404), "http.404"),
      (.text("<html>"), "image.notAnImage"),
      (.failure(URLError(.badServerResponse)), "source.failed"),
    ])
  func fails(reply: ScriptedLoader.Reply, code: String) async throws {
    let stage = Stage()
    stage.loader.reply(to: Stage.url, reply)
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { PhaseText(phase: $0) }
    }
    try await harness.until { harness.labels(.text) == [code] }
  }

  @Test("a picture in memory is in the very first body, with no placeholder before it")
  func memoryHit() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    guard let url = URL(string: Stage.url) else { return }
    _ = try await stage.pipeline.image(for: ImageRequest(url: url))
    var phases: [String] = []
    let harness = stage.harness {
      CachedAsyncImage(url: url) { phase in
        let _ = phases.append(phase.image == nil ? "empty" : "success")
        PhaseText(phase: phase)
      }
    }
    #expect(harness.labels(.image) == ["picture"])
    #expect(phases.allSatisfy { $0 == "success" } && !phases.isEmpty)
    #expect(stage.loader.counts.started == 1)
  }

  @Test("a new URL clears the old picture until its own is there")
  func urlChanges() async throws {
    let stage = Stage()
    let other = "https://example.com/other.jpg"
    stage.serve(80, 60)
    stage.serve(60, 80, "other", at: other)
    let model = Address()
    let harness = stage.harness { AddressView(model: model) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    stage.loader.gate.close()
    model.url = other
    harness.host.update()
    #expect(harness.labels(.text) == ["empty"])
    stage.loader.gate.open()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 60, height: 80))
  }

  @Test("a slow old picture never replaces a newer one")
  func supersededNeverWins() async throws {
    let stage = Stage()
    let other = "https://example.com/other.jpg"
    stage.serve(80, 60)
    stage.serve(60, 80, "other", at: other)
    stage.loader.gate.close()
    let model = Address()
    let harness = stage.harness { AddressView(model: model) }
    await stage.loader.gate.arrived(1)
    model.url = other
    harness.host.update()
    await stage.loader.gate.arrived(2)
    stage.loader.gate.open()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 60, height: 80))
    #expect(stage.loader.counts.cancelled == 1)
  }

  @Test("leaving the screen cancels silently, coming back loads again")
  func leavesAndReturns() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    stage.loader.gate.close()
    let model = Address()
    let harness = stage.harness { AddressView(model: model) }
    await stage.loader.gate.arrived(1)
    model.isShown = false
    harness.host.update()
    #expect(harness.labels(.text) == ["hidden"])
    stage.loader.gate.open()
    model.isShown = true
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.loader.counts.cancelled == 1)
  }

  @Test("the retry action of the environment loads a failed picture again")
  func retries() async throws {
    let stage = Stage()
    stage.loader.reply(to: Stage.url, .status(404))
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { phase in
        if phase.error != nil { RetryButton() } else { PhaseText(phase: phase) }
      }
    }
    try await harness.until { harness.labels(.button) == ["Retry"] }
    stage.serve(80, 60)
    #expect(harness.host.activate("Retry"))
    try await harness.until { harness.labels(.image) == ["picture"] }
  }

  @Test("the placeholder form keeps its placeholder after a failure")
  func placeholderForm() async throws {
    let stage = Stage()
    stage.loader.reply(to: Stage.url, .status(404))
    let harness = stage.harness {
      AsyncImageCompat(url: URL(string: Stage.url)) { image in
        image.accessibilityLabel("picture")
      } placeholder: {
        Text("placeholder")
      }
    }
    #expect(harness.labels(.text) == ["placeholder"])
    try await harness.until { stage.pipeline.counters.failures == 1 }
    #expect(harness.labels(.text) == ["placeholder"])
  }

  @Test("content that shows nothing while it loads is loaded all the same")
  func emptyContent() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    let harness = stage.harness {
      VStack {
        CachedAsyncImage(url: URL(string: Stage.url)) { phase in
          if let image = phase.image { image.accessibilityLabel("picture") }
        }
      }
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
  }

  @Test("a scale that is no length means one pixel a point", arguments: [0, -2, .nan, .infinity] as [CGFloat])
  func oddScale(scale: CGFloat) async throws {
    let stage = Stage()
    stage.serve(80, 60)
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url), scale: scale) { PhaseText(phase: $0) }
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 80, height: 60))
  }

  @Test("a phase changes in the view's transaction: half-way through it both are seen")
  func transaction() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url), transaction: Transaction(animation: .linear(duration: 1))) {
        phase in
        if let image = phase.image {
          image.resizable().accessibilityLabel("picture")
        } else {
          Color(red: 1, green: 0, blue: 0)
        }
      }
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.host.isAnimating)
    harness.advance(by: 2)
    #expect(!harness.host.isAnimating)
  }
}

private final class Address: ObservableObject {
  @Published var url = Stage.url
  @Published var isShown = true
}

private struct AddressView: View {
  @ObservedObject var model: Address

  var body: some View {
    if model.isShown {
      CachedAsyncImage(url: URL(string: model.url)) { PhaseText(phase: $0) }
    } else {
      Text("hidden")
    }
  }
}

private struct RetryButton: View {
  @Environment(\.imageRetry) private var retry

  var body: some View { Button("Retry") { retry() } }
}
