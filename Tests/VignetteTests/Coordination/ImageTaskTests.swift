import Foundation
import HTTPCaching
import ImageCodecs
import Testing
import VignetteTesting

@testable import Vignette

@Suite("A load that is watched, made more urgent and cancelled", .timeLimit(.minutes(5)))
struct ImageTaskTests {
  private let scripted = Scripted(concurrentDecodes: 1)

  private func task(_ name: String, _ priority: ImagePriority = .visible) -> ImageTask {
    let address = "http://pictures.test/\(name)"
    scripted.loader.reply(to: address, .data(ScriptedDecoder.picture(1, 1, name)))
    var request = ImageRequest(address)
    request.priority = priority
    return scripted.pipeline.task(for: request)
  }

  @Test("it begins when it is made and answers as often as it is asked")
  func begins() async throws {
    let task = task("one")
    await eventually { [scripted] in scripted.decoder.finished == 1 }
    #expect(try await task.response.origin == .network)
    #expect(try await task.response.origin == .network)
    #expect(scripted.loader.counts.started == 1)
  }

  @Test("its priority is that of the request until it is set", arguments: ImagePriority.allCases)
  func ownPriority(_ level: ImagePriority) async throws {
    let task = task("one", level)
    #expect(task.priority == level)
    task.priority = .urgent
    #expect(task.priority == .urgent)
    _ = try await task.response
  }

  @Test("setting the priority moves its decode in the queue")
  func movesDecode() async throws {
    scripted.decoder.hold()
    var tasks = [task("running")]
    await eventually { [scripted] in scripted.decoder.started == 1 }
    for (number, name) in ["a", "b", "c"].enumerated() {
      tasks.append(task(name, .normal))
      await eventually { [scripted] in scripted.pipeline.waitingDecodes == number + 1 }
    }
    tasks[3].priority = .visible
    tasks[1].priority = .background
    scripted.decoder.release()
    for task in tasks { _ = try await task.response }
    #expect(scripted.decoder.order.map { $0.split(separator: " ").last } == ["running", "c", "b", "a"])
  }

  @Test("setting the priority moves its transfer in the queue")
  func movesDownload() async throws {
    let scripted = Scripted { $0.concurrentDownloads = 1 }
    let coordinator = scripted.pipeline.coordinator
    let place = try await coordinator.takePlace(.download, urgency: .fixed(.urgent))
    var tasks: [ImageTask] = []
    for (number, name) in ["a", "b", "c"].enumerated() {
      let address = "http://pictures.test/\(name)"
      scripted.loader.reply(to: address, .data(ScriptedDecoder.picture(1, 1, name)))
      var request = ImageRequest(address)
      request.priority = .normal
      tasks.append(scripted.pipeline.task(for: request))
      await coordinator.waits(number + 1, at: .download)
    }
    tasks[1].priority = .urgent
    tasks[0].priority = .prefetch
    place.giveBack()
    for task in tasks { _ = try await task.response }
    #expect(scripted.loader.requests.map { $0.url?.lastPathComponent } == ["b", "c", "a"])
    #expect(coordinator.isIdle)
  }

  @Test("lowering it does not slow down somebody else who wants the same")
  func highestWins() async throws {
    scripted.decoder.hold()
    let running = task("running")
    await eventually { [scripted] in scripted.decoder.started == 1 }
    let (one, other) = (task("shared"), task("shared"))
    await eventually { [scripted] in
      scripted.pipeline.waitingDecodes == 1 && scripted.pipeline.counters.coalesced == 1
    }
    let normal = task("normal", .normal)
    await eventually { [scripted] in scripted.pipeline.waitingDecodes == 2 }
    one.priority = .prefetch
    scripted.decoder.release()
    for task in [running, one, other, normal] { _ = try await task.response }
    #expect(scripted.decoder.order.map { $0.split(separator: " ").last } == ["running", "shared", "normal"])
  }

  @Test("cancelling it stops the transfer")
  func cancel() async throws {
    scripted.loader.gate.close()
    let task = task("one")
    await scripted.loader.gate.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.response }
    await eventually { [scripted] in scripted.loader.counts.cancelled == 1 }
    await scripted.pipeline.coordinator.becomesIdle()
    #expect(scripted.pipeline.counters.cancelled == 1)
  }

  @Test("cancelling the one who waits for it does not cancel it")
  func cancelWaiter() async throws {
    scripted.loader.gate.close()
    let task = task("one")
    let waiter = Task { try await task.response }
    await scripted.loader.gate.arrived(1)
    waiter.cancel()
    scripted.loader.gate.open()
    #expect(try await waiter.value.origin == .network)
    #expect(scripted.loader.counts.cancelled == 0)
  }

  @Test("letting go of it does not cancel it")
  func letGo() async throws {
    scripted.loader.gate.close()
    _ = task("one")
    await scripted.loader.gate.arrived(1)
    scripted.loader.gate.open()
    await eventually { [scripted] in scripted.pipeline.counters.successes == 1 }
    #expect(scripted.pipeline.memory.count == 1)
  }

  @Test("it fails with what the load fails with")
  func failure() async throws {
    let task = scripted.pipeline.task(for: ImageRequest("http://pictures.test/missing"))
    let error = await #expect(throws: ImageLoadingError.self) { try await task.response }
    #expect(error?.code == .http(404))
    #expect(task.progress == nil || task.progress?.received == 0)
  }

  @Test("it tells how many bytes have arrived, and nothing before any have")
  func progress() async throws {
    scripted.loader.gate.close()
    let task = task("one")
    await scripted.loader.gate.arrived(1)
    #expect(task.progress == nil)
    scripted.loader.gate.open()
    _ = try await task.response
    let count = ScriptedDecoder.picture(1, 1, "one").count
    #expect(task.progress == HTTPProgress(received: count, expected: count))
  }
}
