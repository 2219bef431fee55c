import EaselCore
import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("What surrounds a view: retries, sessions, the network")
struct EnvironmentTests {
  private let url = URL(string: Stage.url)

  /// The picture answers 503 so many times, then as it should.
  private func fail(_ stage: Stage, times: Int) {
    let asked = Locked(0)
    stage.loader.reply(to: Stage.url) { _ in
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      return number <= times ? .status(503) : .data(ScriptedDecoder.picture(80, 60, "plain"))
    }
  }

  private func policy(_ attempts: Int) -> RetryPolicy {
    var policy = RetryPolicy()
    policy.maximumAttempts = attempts
    policy.baseDelay = 0
    return policy
  }

  @Test("the environment's retry policy goes before the pipeline's")
  func retry() async throws {
    let stage = Stage()
    fail(stage, times: 2)
    let harness = stage.harness {
      CachedAsyncImage(url: url) { PhaseText(phase: $0) }.asyncImageRetry(policy(3))
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.loader.counts.started == 3)
  }

  @Test("a request's own retry policy goes before the environment's, and nil leaves it to the pipeline")
  func ownRetry() async throws {
    guard let url else { return }
    let stage = Stage { [policy = policy(2)] in $0.retry = policy }
    fail(stage, times: 9)
    var request = ImageRequest(url: url)
    request.retry = .never
    let harness = stage.harness {
      CachedAsyncImage(image: request) { PhaseText(phase: $0) }.asyncImageRetry(policy(5))
    }
    try await harness.until { harness.labels(.text) == ["http.503"] }
    #expect(stage.loader.counts.started == 1)
    let other = stage.harness {
      CachedAsyncImage(url: url) { PhaseText(phase: $0) }.asyncImageRetry(nil).asyncImageRetry(policy(5))
    }
    try await other.until { other.labels(.text) == ["http.503"] }
    #expect(stage.loader.counts.started == 3)
  }

  @Test("a failure for want of a network ends when the network is back, without anyone asking")
  func networkReturns() async throws {
    let back = Turnstile(isOpen: false)
    let stage = Stage { $0.network = NetworkReturn(wait: { try? await back.pass() }, isConstrained: { false }) }
    stage.loader.reply(to: Stage.url, .failure(HTTPError(.offline, "There is no network.")))
    let harness = stage.harness { CachedAsyncImage(url: url) { PhaseText(phase: $0) } }
    try await harness.until { harness.labels(.text) == ["transport.offline"] }
    await back.arrived(1)
    #expect(stage.loader.counts.started == 1)
    stage.serve(80, 60)
    back.open()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.loader.counts.started == 2)
  }

  @Test("other failures do not wait for the network")
  func otherFailures() async throws {
    let waits = Locked(0)
    let stage = Stage { $0.network = NetworkReturn(wait: { waits.withLock { $0 += 1 } }, isConstrained: { false }) }
    stage.loader.reply(to: Stage.url, .failure(HTTPError(.refused, "Nobody listens.")))
    let harness = stage.harness { CachedAsyncImage(url: url) { PhaseText(phase: $0) } }
    try await harness.until { harness.labels(.text) == ["transport.refused"] }
    #expect(waits.withLock { $0 } == 0)
  }

  @Test("a network that says it is there and is not is tried three times more, then left until somebody asks")
  func falseNetwork() async throws {
    let waits = Locked(0)
    let stage = Stage { $0.network = NetworkReturn(wait: { waits.withLock { $0 += 1 } }, isConstrained: { false }) }
    let asked = Locked(0)
    stage.loader.reply(to: Stage.url) { _ in
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      return number <= 4
        ? .failure(HTTPError(.offline, "There is no network."))
        : .data(ScriptedDecoder.picture(80, 60, "plain"))
    }
    let harness = stage.harness {
      CachedAsyncImage(url: url) { phase in
        if phase.error != nil { RetryButton() } else { PhaseText(phase: phase) }
      }
    }
    try await harness.until { stage.pipeline.counters.failures == 4 && harness.labels(.button) == ["Retry"] }
    #expect(harness.host.activate("Retry"))
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(waits.withLock { $0 } == 3)
  }

  @Test("a session's picture is fetched through it and is nobody else's")
  func session() async throws {
    let server = try ScriptedServer { request in
      let width = max(1, request.headers["X-User"]?.utf8.count ?? 0) * 10
      guard let data = try? ImageEncoder.png(Bitmap(size: PixelSize(width: width, height: 10), isOpaque: true) { _ in })
      else { return .status(500) }
      return .data(data, type: "image/png").cacheControl("max-age=60")
    }
    defer { server.stop() }
    let http = HTTPLoader(transport: PlatformTransport.shared)
    let pipeline = ImagePipeline(configuration: ImagePipeline.Configuration(loader: .http(http)))
    let (one, other) = (Self.session("bo"), Self.session("alice"))
    let harness = ViewHarness(size: CGSize(width: 200, height: 200), pipeline: pipeline) {
      VStack {
        CachedAsyncImage(url: server.url("/a.png")) { $0.image?.accessibilityLabel("nobody") }
        CachedAsyncImage(url: server.url("/a.png")) { $0.image?.accessibilityLabel("alice") }
          .asyncImageURLSession(other)
        AsyncImageCompat(url: server.url("/a.png")) { $0.image?.accessibilityLabel("bo") }.imageURLSession(one)
        AsyncImage(url: server.url("/a.png")) { $0.image?.accessibilityLabel("nobody again") }
          .imageURLSession(nil).imageURLSession(one)
      }
    }
    try await harness.until { harness.labels(.image).count == 4 }
    let widths = harness.labels(.image).map { harness.host.element(labeled: $0)?.frame.width }
    #expect(widths == [10, 50, 20, 10])
    #expect(server.log.count(of: "/a.png") == 3)
  }

  private static func session(_ user: String) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-User": user]
    return URLSession(configuration: configuration)
  }
}

private struct RetryButton: View {
  @Environment(\.imageRetry) private var retry

  var body: some View { Button("Retry") { retry() } }
}
