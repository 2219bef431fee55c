import Foundation
import ImageCodecs
import Pixels
import Testing
@testable import Vignette
import VignetteTesting

@Suite("Equal requests share their work", .timeLimit(.minutes(5)))
struct CoalescingTests {
  let scripted = Scripted()
  var pipeline: ImagePipeline { scripted.pipeline }

  private func load(_ request: ImageRequest) -> Task<ImageResponse, any Error> {
    Task { [pipeline] in try await pipeline.image(for: request) }
  }

  @Test("a thousand equal concurrent requests make one download and one decode")
  func thousand() async throws {
    scripted.loader.gate.close()
    let request = ImageRequest(Scripted.address)
    let tasks = (0..<1_000).map { _ in load(request) }
    await eventually { [pipeline] in pipeline.counters.coalesced == 999 }
    scripted.loader.gate.open()
    for task in tasks { #expect(try await task.value.sourceSize == PixelSize(width: 40, height: 30)) }
    #expect(scripted.loader.counts.started == 1)
    #expect(scripted.decoder.started == 1)
    #expect(pipeline.counters.networkLoads == 1)
    #expect(pipeline.activeWork == 0)
  }

  @Test("two sizes of one picture share its download and are decoded apart")
  func twoSizes() async throws {
    scripted.loader.gate.close()
    let small = load(ImageRequest(Scripted.address, target: .box(4, 3)))
    let large = load(ImageRequest(Scripted.address))
    await eventually { [pipeline] in pipeline.counters.coalesced == 1 }
    scripted.loader.gate.open()
    #expect(try await small.value.bitmap.size == PixelSize(width: 4, height: 3))
    #expect(try await large.value.bitmap.size == PixelSize(width: 40, height: 30))
    #expect(scripted.loader.counts.started == 1)
    #expect(scripted.decoder.started == 2)
  }

  @Test("cancelling all of them stops the transfer")
  func cancelAllDownloads() async throws {
    scripted.loader.gate.close()
    let request = ImageRequest(Scripted.address)
    let tasks = (0..<1_000).map { _ in load(request) }
    await eventually { [pipeline] in pipeline.counters.coalesced == 999 }
    await scripted.loader.gate.arrived(1)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await eventually { [scripted] in scripted.loader.counts.cancelled == 1 }
    await eventually { [pipeline] in pipeline.activeWork == 0 }
    #expect(scripted.loader.counts.started == 1)
    #expect(scripted.decoder.started == 0)
    #expect(pipeline.counters.cancelled == 1_000)
    #expect(pipeline.counters.failures == 0)
  }

  @Test("cancelling all of them stops the decode")
  func cancelAllDecodes() async throws {
    scripted.decoder.hold()
    let tasks = (0..<20).map { _ in load(ImageRequest(Scripted.address)) }
    await eventually { [scripted] in scripted.decoder.started == 1 && scripted.pipeline.counters.coalesced == 19 }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await eventually { [scripted] in scripted.decoder.cancelled == 1 }
    #expect(pipeline.memory.count == 0)
  }

  @Test("a cancelled request does not disturb the others")
  func cancelSome() async throws {
    scripted.loader.gate.close()
    let tasks = (0..<100).map { _ in load(ImageRequest(Scripted.address)) }
    await eventually { [pipeline] in pipeline.counters.coalesced == 99 }
    for task in tasks.prefix(99) { task.cancel() }
    for task in tasks.prefix(99) { await #expect(throws: CancellationError.self) { try await task.value } }
    scripted.loader.gate.open()
    #expect(try await tasks[99].value.origin == .network)
    #expect(scripted.loader.counts.started == 1)
    #expect(scripted.loader.counts.finished == 1)
  }

  @Test("cancelling one size leaves the download to the other")
  func cancelOneSize() async throws {
    scripted.loader.gate.close()
    let small = load(ImageRequest(Scripted.address, target: .box(4, 3)))
    await scripted.loader.gate.arrived(1)
    let large = load(ImageRequest(Scripted.address))
    await eventually { [pipeline] in pipeline.counters.coalesced == 1 }
    small.cancel()
    await #expect(throws: CancellationError.self) { try await small.value }
    scripted.loader.gate.open()
    #expect(try await large.value.bitmap.size.width == 40)
    #expect(scripted.loader.counts.cancelled == 0)
  }

  @Test("a request made after all were cancelled loads anew")
  func again() async throws {
    scripted.loader.gate.close()
    let first = load(ImageRequest(Scripted.address))
    await scripted.loader.gate.arrived(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    scripted.loader.gate.open()
    #expect(try await pipeline.image(for: ImageRequest(Scripted.address)).origin == .network)
    #expect(scripted.loader.counts.started == 2)
  }

  @Test("cancellation that races completion ends every request exactly once")
  func race() async throws {
    let scripted = Scripted(memoryBudget: 0)
    for round in 0..<5_000 {
      // Two of three are cancelled: 10,000 in all.
      let tasks = (0..<3).map { _ in
        Task { try await scripted.pipeline.image(for: ImageRequest(Scripted.address)) }
      }
      if round % 3 == 0 { await Task.yield() }
      tasks[0].cancel()
      tasks[1].cancel()
      for task in tasks.prefix(2) {
        if case .failure(let error) = await task.result { #expect(error is CancellationError) }
      }
      #expect(try await tasks[2].value.sourceSize.width == 40)
    }
    await eventually { scripted.pipeline.activeWork == 0 }
  }

  @Test("a failure reaches all who wait and is not remembered")
  func failure() async throws {
    scripted.loader.reply(to: Scripted.address, .status(503))
    scripted.loader.gate.close()
    let tasks = (0..<10).map { _ in load(ImageRequest(Scripted.address)) }
    await eventually { [pipeline] in pipeline.counters.coalesced == 9 }
    scripted.loader.gate.open()
    for task in tasks {
      let error = await #expect(throws: ImageLoadingError.self) { try await task.value }
      #expect(error?.code == .http(503))
    }
    scripted.loader.reply(to: Scripted.address, .data(ScriptedDecoder.picture(1, 1)))
    #expect(try await pipeline.image(for: ImageRequest(Scripted.address)).sourceSize.width == 1)
  }

  @Test("progress reaches everybody who waits")
  func progress() async throws {
    scripted.loader.gate.close()
    let reports = Turnstile(isOpen: true)
    let tasks = (0..<3).map { _ in
      Task { [pipeline] in
        try await pipeline.image(for: ImageRequest(Scripted.address)) { _ in Task { try await reports.pass() } }
      }
    }
    await eventually { [pipeline] in pipeline.counters.coalesced == 2 }
    scripted.loader.gate.open()
    for task in tasks { _ = try await task.value }
    await reports.arrived(3)
  }

  @Test("prefetched work that a visible request joins is decoded before other prefetches")
  func priority() async throws {
    let scripted = Scripted(concurrentDecodes: 1)
    let names = ["running", "early", "late"]
    for name in names {
      scripted.loader.reply(to: "http://pictures.test/\(name)", .data(ScriptedDecoder.picture(1, 1, name)))
    }
    func load(_ name: String, _ priority: ImagePriority) -> Task<ImageResponse, any Error> {
      var request = ImageRequest("http://pictures.test/\(name)")
      request.priority = priority
      return Task { [request] in try await scripted.pipeline.image(for: request) }
    }
    scripted.decoder.hold()
    var tasks = [load("running", .visible)]
    await eventually { scripted.decoder.started == 1 }
    tasks.append(load("early", .prefetch))
    await eventually { scripted.pipeline.waitingDecodes == 1 }
    tasks.append(load("late", .prefetch))
    await eventually { scripted.pipeline.waitingDecodes == 2 }
    tasks.append(load("late", .visible))
    await eventually { scripted.pipeline.counters.coalesced == 1 }
    scripted.decoder.release()
    for task in tasks { _ = try await task.value }
    #expect(scripted.decoder.order.map { $0.split(separator: " ").last } == ["running", "late", "early"])
  }
}
