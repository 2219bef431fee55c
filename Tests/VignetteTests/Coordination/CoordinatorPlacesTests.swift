import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Places at a stage", .timeLimit(.minutes(5)))
struct CoordinatorPlacesTests {
  @Test("no more than the limit run at once")
  func limit() async throws {
    let coordinator = Coordinator.small(decodes: 3)
    let running = Locked((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in
            running.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            sched_yield()
            running.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(running.withLock { $0.most } <= 3)
    #expect(running.withLock { $0.now } == 0)
    #expect(coordinator.isIdle)
  }

  @Test("no more than a host's limit run at once for one host, and others are not held up")
  func hostLimit() async throws {
    let coordinator = Coordinator.small(downloads: 4, perHost: 2)
    let places = [
      try await coordinator.takePlace(.download, lane: "a", urgency: .fixed(.visible)),
      try await coordinator.takePlace(.download, lane: "a", urgency: .fixed(.visible)),
    ]
    let third = Task { try await coordinator.takePlace(.download, lane: "a", urgency: .fixed(.urgent)).giveBack() }
    await coordinator.waits(1, at: .download)
    try await coordinator.takePlace(.download, lane: "b", urgency: .fixed(.background)).giveBack()
    #expect(coordinator.waitingCount(.download) == 1)
    places[0].giveBack()
    try await third.value
    places[1].giveBack()
    #expect(coordinator.isIdle)
  }

  @Test("blocking work, however much, leaves Swift's own tasks running")
  func leavesTasksRunning() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount * 4
    let coordinator = Coordinator.small(decodes: count)
    let latch = Latch()
    let blocked = (0...count).map { _ in
      Task { try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in latch.block() } }
    }
    // One waits: all the others have been handed to the system's threads.
    await coordinator.waits(1, at: .decode)
    for priority in [TaskPriority.high, .medium, .low, .background] { await Task.detached(priority: priority) {}.value }
    latch.open()
    for task in blocked { try await task.value }
    #expect(coordinator.isIdle)
  }

  @Test("work that blocks answers with its value or its error")
  func outcome() async throws {
    struct Broken: Error {}
    let coordinator = Coordinator.small()
    #expect(try await coordinator.runBlocking(.file, urgency: .fixed(.prefetch)) { _ in 3 } == 3)
    await #expect(throws: Broken.self) {
      try await coordinator.runBlocking(.file, urgency: .fixed(.normal)) { _ in throw Broken() }
    }
    #expect(coordinator.isIdle)
  }

  @Test("a place that is given back twice is given back once")
  func giveBackTwice() async throws {
    let coordinator = Coordinator.small()
    let first = try await coordinator.takePlace(.download, urgency: .fixed(.visible))
    first.giveBack()
    let second = try await coordinator.takePlace(.download, urgency: .fixed(.visible))
    first.giveBack()
    let third = Task { try await coordinator.takePlace(.download, urgency: .fixed(.visible)).giveBack() }
    await coordinator.waits(1, at: .download)
    #expect(coordinator.waitingCount(.download) == 1)
    second.giveBack()
    try await third.value
    #expect(coordinator.isIdle)
  }

  // MARK: Cancelling

  @Test("work that is cancelled while it waits never starts")
  func cancelWaiting() async throws {
    let coordinator = Coordinator.small()
    let (latch, started) = (Latch(), Journal<Int>())
    let first = Task {
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in
        started.add(1)
        latch.block()
      }
    }
    await eventually { started.count == 1 }
    let second = Task { try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in started.add(2) } }
    await coordinator.waits(1, at: .decode)
    second.cancel()
    // The first still holds the place: nothing but the cancellation ends the second.
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(coordinator.waitingCount(.decode) == 0)
    latch.open()
    try await first.value
    #expect(started.entries == [1])
    #expect(coordinator.isIdle)
  }

  @Test("work that is cancelled before it asks for a place gets none")
  func cancelledBefore() async throws {
    let coordinator = Coordinator.small()
    let begun = Turnstile()
    let task = Task {
      try? await begun.pass()
      try await coordinator.takePlace(.download, urgency: .fixed(.visible)).giveBack()
    }
    await begun.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(coordinator.isIdle)
  }

  @Test("work that runs is told that it was cancelled")
  func cancelRunning() async throws {
    let coordinator = Coordinator.small()
    let started = Journal<Void>()
    let task = Task {
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { isCancelled in
        started.add(())
        while !isCancelled() { sched_yield() }
        throw CancellationError()
      }
    }
    await eventually { started.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(coordinator.isIdle)
  }

  @Test("a thousand claims that are cancelled leave nothing behind")
  func cancelMany() async throws {
    let coordinator = Coordinator.small()
    let place = try await coordinator.takePlace(.file, urgency: .fixed(.visible))
    let tasks = (0..<1_000).map { number in
      let level = ImagePriority.allCases[number % ImagePriority.allCases.count]
      return Task { try await coordinator.takePlace(.file, urgency: .fixed(level)).giveBack() }
    }
    await coordinator.waits(1_000, at: .file)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    place.giveBack()
    #expect(coordinator.isIdle)
  }

  @Test("cancellation that races the work ends every call exactly once and frees every place")
  func race() async throws {
    let coordinator = Coordinator.small(decodes: 2)
    for _ in 0..<2_000 {
      let tasks = (0..<4).map { number in
        Task { try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in number } }
      }
      for task in tasks.dropFirst() { task.cancel() }
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success(let value): #expect(value == number)
        case .failure(let error): #expect(error is CancellationError && number > 0)
        }
      }
      #expect(coordinator.isIdle)
    }
  }
}
