import EaselCore
import Foundation
import Testing
import VignetteTesting
import VignetteUI
import VignetteUITesting

@testable import Vignette

/// A page with a picture and a page without, and one connection, which something else has.
@MainActor
@Suite("Loads whose view leaves the screen", .timeLimit(.minutes(5)))
struct DisappearanceTests {
  private struct Pages: View {
    let disappearance: AsyncImageDisappearance

    var body: some View {
      TabView {
        CachedAsyncImage(url: URL(string: Stage.url)) { PhaseText(phase: $0) }.tabItem { Text("A") }
        Text("nothing").tabItem { Text("B") }
      }
      .asyncImageDisappearance(disappearance)
    }
  }

  private static let busy = "https://example.com/busy"
  private static let other = "https://example.com/other"

  private let loader = ScriptedLoader()
  private let pipeline: ImagePipeline
  private let harness: ViewHarness
  private let first: ImageTask

  /// The picture of the first page waits for the connection.
  private init(_ disappearance: AsyncImageDisappearance) async throws {
    var configuration = ImagePipeline.Configuration(loader: loader.dataLoader)
    configuration.decoder = ScriptedDecoder().decoder
    configuration.concurrentDownloads = 1
    configuration.memoryPressure = .none
    for url in [Self.busy, Self.other, Stage.url] { loader.reply(to: url, .data(ScriptedDecoder.picture(80, 60))) }
    loader.gate.close()
    let pipeline = ImagePipeline(configuration: configuration)
    self.pipeline = pipeline
    first = pipeline.task(for: Self.request(Self.busy, .visible))
    await loader.gate.arrived(1)
    harness = ViewHarness(size: CGSize(width: 200, height: 200), pipeline: pipeline) {
      Pages(disappearance: disappearance)
    }
    await eventually { pipeline.coordinator.waitingCount(.download) == 1 }
  }

  init() async throws { try await self.init(.lowerPriority) }

  private static func request(_ url: String, _ priority: ImagePriority) -> ImageRequest {
    var request = ImageRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
    request.priority = priority
    return request
  }

  private func select(_ tab: String) {
    #expect(harness.host.activate(tab))
    harness.host.update()
  }

  /// The addresses in the order in which they got the connection, with another request waiting beside the picture.
  private func order() async throws -> [String] {
    let task = pipeline.task(for: Self.request(Self.other, .normal))
    await eventually { [pipeline] in pipeline.coordinator.waitingCount(.download) == 2 }
    loader.gate.open()
    _ = try await task.response
    await eventually { [pipeline] in pipeline.coordinator.isIdle }
    return loader.requests.compactMap { $0.url?.absoluteString }
  }

  @Test("with lowerPriority they go on behind what a program waits for")
  func lowered() async throws {
    select("B")
    #expect(try await order() == [Self.busy, Self.other, Stage.url])
    #expect(pipeline.counters.cancelled == 0)
    select("A")
    try await harness.until { harness.labels(.image) == ["picture"] }
  }

  @Test("with lowerPriority they come first again when the view returns")
  func raised() async throws {
    select("B")
    select("A")
    #expect(try await order() == [Self.busy, Stage.url, Self.other])
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(loader.counts.started == 3 && pipeline.counters.cancelled == 0)
  }

  @Test("by default they are cancelled, and begin again when the view returns")
  func cancelled() async throws {
    let other = try await DisappearanceTests(.cancel)
    other.select("B")
    await eventually { [pipeline = other.pipeline] in pipeline.coordinator.waitingCount(.download) == 0 }
    other.select("A")
    await eventually { [pipeline = other.pipeline] in pipeline.coordinator.waitingCount(.download) == 1 }
    #expect(try await other.order() == [Self.busy, Stage.url, Self.other])
    try await other.harness.until { other.harness.labels(.image) == ["picture"] }
  }
}
