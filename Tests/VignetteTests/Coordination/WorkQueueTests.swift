import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("The queue of blocking work", .timeLimit(.minutes(1)))
struct WorkQueueTests {
  /// Work that occupies its slot until the flag is set.
  private static func block(until isOpen: Locked<Bool>) { while !isOpen.withLock({ $0 }) { sched_yield() } }

  @Test("no more than the limit run at once")
  func limit() async throws {
    let queue = WorkQueue(label: "test", limit: 3)
    let running = Locked((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await queue.run(priority: { .visible }) { _ in
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
  }

  @Test("blocking work, however much, leaves Swift's own tasks running")
  func leavesTasksRunning() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount * 4
    let queue = WorkQueue(label: "test", limit: count)
    let isOpen = Locked(false)
    let blocked = (0...count).map { _ in
      Task { try await queue.run(priority: { .visible }) { _ in Self.block(until: isOpen) } }
    }
    // One waits: all the others have been handed to the system's threads.
    await eventually { queue.waitingCount == 1 }
    for priority in [TaskPriority.high, .medium, .low, .background] { await Task.detached(priority: priority) {}.value }
    isOpen.withLock { $0 = true }
    for task in blocked { try await task.value }
  }

  @Test("work that is cancelled while it waits never starts")
  func cancelWaiting() async throws {
    let queue = WorkQueue(label: "test", limit: 1)
    let isOpen = Locked(false)
    let hasStarted = Locked(false)
    let started = Locked(false)
    let first = Task {
      try await queue.run(priority: { .visible }) { _ in
        hasStarted.withLock { $0 = true }
        Self.block(until: isOpen)
      }
    }
    await eventually { hasStarted.withLock { $0 } }
    let second = Task { try await queue.run(priority: { .visible }) { _ in started.withLock { $0 = true } } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    isOpen.withLock { $0 = true }
    try await first.value
    try await queue.run(priority: { .visible }) { _ in }
    #expect(!started.withLock { $0 })
  }

  @Test("work that runs is told that it was cancelled")
  func cancelRunning() async throws {
    let queue = WorkQueue(label: "test", limit: 1)
    let hasStarted = Locked(false)
    let task = Task {
      try await queue.run(priority: { .visible }) { isCancelled in
        hasStarted.withLock { $0 = true }
        while !isCancelled() { sched_yield() }
        throw CancellationError()
      }
    }
    await eventually { hasStarted.withLock { $0 } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await queue.run(priority: { .visible }) { _ in 1 } == 1)
  }

  @Test("cancellation that races the work ends every call exactly once and frees every slot")
  func race() async throws {
    let queue = WorkQueue(label: "test", limit: 2)
    for _ in 0..<2_000 {
      let tasks = (0..<4).map { number in
        Task { try await queue.run(priority: { .visible }) { _ in number } }
      }
      for task in tasks.dropFirst() { task.cancel() }
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success(let value): #expect(value == number)
        case .failure(let error): #expect(error is CancellationError && number > 0)
        }
      }
    }
    #expect(try await queue.run(priority: { .prefetch }) { _ in 1 } == 1)
  }
}
