import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Coalesced work", .timeLimit(.minutes(1)))
struct CoalescerTests {
  typealias Work = Coalescer<String, Int, Int>

  private func start(
    _ coalescer: Work, key: String = "a", _ work: @escaping @Sendable () async throws -> Int
  ) -> Task<Int, any Error> {
    Task { try await coalescer.value(for: key, priority: { .visible }) { _, _ in try await work() } }
  }

  @Test("a thousand equal requests run the work once and all get its value")
  func once() async throws {
    let coalescer = Work()
    let gate = Turnstile()
    let joined = Locked(0)
    let tasks = (0..<1_000).map { _ in
      Task {
        try await coalescer.value(
          for: "a", priority: { .visible }, joined: { joined.withLock { $0 += 1 } }
        ) { _, _ in
          try await gate.pass()
          return 7
        }
      }
    }
    await eventually { joined.withLock { $0 } == 999 }
    gate.open()
    for task in tasks { #expect(try await task.value == 7) }
    #expect(gate.arrivals == 1)
    #expect(coalescer.count == 0)
  }

  @Test("all get the error the work fails with")
  func failure() async throws {
    struct Broken: Error {}
    let coalescer = Work()
    let gate = Turnstile()
    let tasks = (0..<10).map { _ in
      start(coalescer) {
        try await gate.pass()
        throw Broken()
      }
    }
    await gate.arrived(1)
    gate.open()
    for task in tasks { await #expect(throws: Broken.self) { try await task.value } }
    #expect(coalescer.count == 0)
  }

  @Test("a cancelled waiter ends at once and does not disturb the others")
  func cancelOne() async throws {
    let coalescer = Work()
    let gate = Turnstile()
    let wasCancelled = Locked(false)
    let work: @Sendable () async throws -> Int = {
      do { try await gate.pass() } catch {
        wasCancelled.withLock { $0 = true }
        throw error
      }
      return 1
    }
    let first = start(coalescer, work)
    await gate.arrived(1)
    let joined = Turnstile(isOpen: true)
    let second = Task {
      try await coalescer.value(for: "a", priority: { .visible }, joined: { Task { try await joined.pass() } }) {
        _, _ in try await work()
      }
    }
    await joined.arrived(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == 1)
    #expect(!wasCancelled.withLock { $0 })
  }

  @Test("cancelling every waiter cancels the work")
  func cancelAll() async throws {
    let coalescer = Work()
    let gate = Turnstile()
    let ended = Turnstile(isOpen: true)
    let tasks = (0..<50).map { _ in
      start(coalescer) {
        do { try await gate.pass() } catch {
          await Task { try? await ended.pass() }.value
          throw error
        }
        return 1
      }
    }
    await gate.arrived(1)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await ended.arrived(1)
    #expect(coalescer.count == 0)
  }

  @Test("a request that is cancelled before it begins never starts the work")
  func cancelledBefore() async throws {
    let coalescer = Work()
    let begun = Turnstile()
    let started = Locked(0)
    let task = Task {
      try? await begun.pass()
      return try await coalescer.value(for: "a", priority: { .visible }) { _, _ in
        started.withLock { $0 += 1 }
        return 1
      }
    }
    await begun.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(started.withLock { $0 } == 0)
    #expect(coalescer.count == 0)
  }

  @Test("work that nobody wants any more never answers for the work that took its place")
  func supersededNeverWins() async throws {
    let coalescer = Work()
    let oldGate = Turnstile()
    let oldStarted = Turnstile(isOpen: true)
    let oldEnded = Turnstile(isOpen: true)
    let old = start(coalescer) {
      try await oldStarted.pass()
      // Deaf to cancellation, as careless work may be.
      await Task { try? await oldGate.pass() }.value
      await Task { try? await oldEnded.pass() }.value
      return 1
    }
    await oldStarted.arrived(1)
    old.cancel()
    await #expect(throws: CancellationError.self) { try await old.value }

    let newGate = Turnstile()
    let new = start(coalescer) {
      try await newGate.pass()
      return 2
    }
    await newGate.arrived(1)
    oldGate.open()
    await oldEnded.arrived(1)
    newGate.open()
    #expect(try await new.value == 2)
  }

  @Test("progress reaches everybody who waits")
  func progress() async throws {
    let coalescer = Work()
    let gate = Turnstile()
    let seen = Locked<[Int]>([])
    let joined = Locked(0)
    let tasks = (0..<3).map { name in
      Task {
        try await coalescer.value(
          for: "a", priority: { .visible }, report: { progress in seen.withLock { $0.append(name * 10 + progress) } },
          joined: { joined.withLock { $0 += 1 } }
        ) { report, _ in
          try await gate.pass()
          report(5)
          return 1
        }
      }
    }
    await eventually { joined.withLock { $0 } == 2 }
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(seen.withLock { $0.sorted() } == [5, 15, 25])
  }

  @Test("work has the highest priority of those who wait, and loses it when they leave")
  func priority() async throws {
    let changes = Locked(0)
    let coalescer = Work(priorityChanged: { changes.withLock { $0 += 1 } })
    let gate = Turnstile()
    let priority = Locked<CurrentPriority?>(nil)
    let patient = Task {
      try await coalescer.value(for: "a", priority: { .prefetch }) { _, current in
        priority.withLock { $0 = current }
        try await gate.pass()
        return 1
      }
    }
    await gate.arrived(1)
    let current = try #require(priority.withLock { $0 })
    #expect(current() == .prefetch)
    let eager = Task { try await coalescer.value(for: "a", priority: { .visible }) { _, _ in 2 } }
    await eventually { changes.withLock { $0 } == 1 }
    #expect(current() == .visible)
    eager.cancel()
    await #expect(throws: CancellationError.self) { try await eager.value }
    #expect(current() == .prefetch)
    gate.open()
    #expect(try await patient.value == 1)
  }

  @Test("cancellation that races completion ends every request exactly once")
  func race() async throws {
    let coalescer = Work()
    var finished = 0
    for _ in 0..<5_000 {
      let tasks = (0..<3).map { _ in
        start(coalescer) {
          await Task.yield()
          return 1
        }
      }
      tasks[0].cancel()
      tasks[2].cancel()
      for task in tasks {
        switch await task.result {
        case .success(let value):
          #expect(value == 1)
          finished += 1
        case .failure(let error): #expect(error is CancellationError)
        }
      }
      #expect(try await tasks[1].value == 1)
    }
    #expect(finished >= 5_000)
    #expect(coalescer.count == 0)
  }
}
