import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Failed transfers are tried again", .timeLimit(.minutes(5)))
struct RetryTests {
  /// Waits recorded and not waited for.
  private let waits = Locked<[Double]>([])

  private func scripted(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> Scripted {
    let waits = waits
    return Scripted { configuration in
      configuration.clock.sleep = { seconds in
        waits.withLock { $0.append(seconds) }
        try Task.checkCancellation()
      }
      configure(&configuration)
    }
  }

  @Test("a passing failure is not seen by anybody who waits")
  func passing() async throws {
    let scripted = scripted()
    let count = Locked(0)
    scripted.loader.reply(to: Scripted.address) { _ in
      count.withLock { count in
        count += 1
        return count < 3 ? .status(503) : .data(ScriptedDecoder.picture(40, 30))
      }
    }
    _ = try await scripted.pipeline.image(for: ImageRequest(Scripted.address))
    #expect(scripted.loader.counts.started == 3)
    #expect(scripted.pipeline.counters.retried == 2)
    // Half of 0.5 and of 1 second: full jitter with a random number of one half.
    #expect(waits.withLock { $0 } == [0.25, 0.5])
  }

  @Test("a server that says when is believed")
  func retryAfter() async throws {
    let scripted = scripted()
    var reply = ScriptedLoader.Reply.status(429)
    reply.headers["Retry-After"] = "7"
    scripted.loader.reply(to: Scripted.address, reply)
    #expect(await failureCode(scripted.pipeline, ImageRequest(Scripted.address)) == "http.429")
    #expect(waits.withLock { $0 } == [7.25, 7.5])
  }

  @Test("what will not change is not tried again", arguments: [400, 401, 403, 404, 410, 451])
  func never(_ status: Int) async {
    let scripted = scripted()
    scripted.loader.reply(to: Scripted.address, .status(status))
    #expect(await failureCode(scripted.pipeline, ImageRequest(Scripted.address)) == "http.\(status)")
    #expect(scripted.loader.counts.started == 1)
  }

  @Test("a request may have a policy of its own")
  func ownPolicy() async {
    let scripted = scripted()
    scripted.loader.reply(to: Scripted.address, .status(503))
    var request = ImageRequest(Scripted.address)
    request.retry = .never
    _ = await failureCode(scripted.pipeline, request)
    #expect(scripted.loader.counts.started == 1)
  }

  @Test("without a network the next try comes when it is back")
  func networkReturns() async throws {
    let isBack = Turnstile()
    let scripted = scripted { configuration in
      // A clock that never ends: only the network can.
      configuration.clock.sleep = { _ in try await Turnstile().pass() }
      configuration.network.wait = { try? await isBack.pass() }
    }
    let isOnline = Locked(false)
    scripted.loader.reply(to: Scripted.address) { _ in
      isOnline.withLock { $0 }
        ? .data(ScriptedDecoder.picture(40, 30)) : .failure(HTTPError(.offline, "There is no network."))
    }
    let task = scripted.pipeline.task(for: ImageRequest(Scripted.address))
    await isBack.arrived(1)
    isOnline.withLock { $0 = true }
    isBack.open()
    #expect(try await task.response.origin == .network)
  }

  @Test("a wait for the next try holds no connection, and ends with the request")
  func cancelWait() async throws {
    let sleeping = Turnstile()
    let scripted = scripted { $0.clock.sleep = { _ in try await sleeping.pass() } }
    scripted.loader.reply(to: Scripted.address, .status(503))
    let task = scripted.pipeline.task(for: ImageRequest(Scripted.address))
    await sleeping.arrived(1)
    #expect(scripted.pipeline.coordinator.state.withLock { $0.graph.runningCount(.download) } == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.response }
    await eventually { scripted.pipeline.coordinator.isIdle }
  }

  @Test("the next try comes when its wait is over, and no sooner")
  func lastsAsLong() async throws {
    let clock = ManualClock()
    let scripted = Scripted { $0.clock = clock.pipeline }
    scripted.loader.reply(to: Scripted.address, .status(503))
    let task = scripted.pipeline.task(for: ImageRequest(Scripted.address))
    // Half of 0.5 and of 1 second, as that clock's chance is one half.
    for wait in [0.25, 0.5] {
      await clock.sleeping(1)
      clock.advance(by: wait - 0.01)
      #expect(clock.sleepers == 1)
      clock.advance(by: 0.02)
    }
    let error = await #expect(throws: ImageLoadingError.self) { try await task.response }
    #expect(error?.code == .http(503) && scripted.loader.counts.started == 3)
    #expect(clock.sleepers == 0)
  }

  @Test("a missing picture is not asked for again within ten seconds, unless by a reload", arguments: [404, 410])
  func negativeCache(_ status: Int) async {
    let scripted = scripted()
    scripted.loader.reply(to: Scripted.address, .status(status))
    var request = ImageRequest(Scripted.address)
    for _ in 0..<3 { #expect(await failureCode(scripted.pipeline, request) == "http.\(status)") }
    #expect(scripted.loader.counts.started == 1)
    #expect(scripted.pipeline.counters.refusedAgain == 2)
    request.policy = .reload
    _ = await failureCode(scripted.pipeline, request)
    #expect(scripted.loader.counts.started == 2)
    request.policy = .standard
    scripted.advance(11)
    _ = await failureCode(scripted.pipeline, request)
    #expect(scripted.loader.counts.started == 3)
  }
}
