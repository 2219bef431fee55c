import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Work that is done once for all who want it", .timeLimit(.minutes(5)))
struct CoordinatorTests {
  private let coordinator = Coordinator.small()

  private func start(
    _ name: String = "a", _ work: @escaping @Sendable () async throws -> UInt8
  ) -> Task<UInt8, any Error> {
    Task { [coordinator] in try await coordinator.source(name) { _ in try await work() } }
  }

  @Test("a thousand equal requests run the work once and all get its value")
  func once() async throws {
    let gate = Turnstile()
    let joined = Journal<Int>()
    let tasks = (0..<1_000).map { number in
      Task { [coordinator] in
        try await coordinator.source(joined: { joined.add(number) }) { _ in
          try await gate.pass()
          return 7
        }
      }
    }
    await eventually { joined.count == 999 }
    gate.open()
    for task in tasks { #expect(try await task.value == 7) }
    #expect(gate.arrivals == 1)
    #expect(coordinator.isIdle)
  }

  @Test("different keys run apart")
  func keys() async throws {
    let tasks = (0..<10).map { number in start("\(number)") { UInt8(number) } }
    for (number, task) in tasks.enumerated() { #expect(try await task.value == UInt8(number)) }
    #expect(coordinator.isIdle)
  }

  @Test("all get the error the work fails with")
  func failure() async throws {
    struct Broken: Error {}
    let gate = Turnstile()
    let joined = Journal<Int>()
    let tasks = (0..<10).map { number in
      Task { [coordinator] in
        try await coordinator.source(joined: { joined.add(number) }) { _ in
          try await gate.pass()
          throw Broken()
        }
      }
    }
    await eventually { joined.count == 9 }
    gate.open()
    for task in tasks { await #expect(throws: Broken.self) { try await task.value } }
    #expect(gate.arrivals == 1)
    #expect(coordinator.isIdle)
  }

  @Test("work that waits for nothing ends like any other")
  func synchronous() async throws {
    for number in 0..<1_000 {
      let value = try await coordinator.source { _ in UInt8(number % 256) }
      #expect(value == UInt8(number % 256))
      #expect(coordinator.isIdle)
    }
  }

  @Test("a failure is not remembered")
  func failureForgotten() async throws {
    struct Broken: Error {}
    let broken = start { throw Broken() }
    await #expect(throws: Broken.self) { try await broken.value }
    #expect(try await coordinator.source { _ in 2 } == 2)
  }

  // MARK: Cancelling

  @Test("a cancelled waiter ends at once and does not disturb the others")
  func cancelOne() async throws {
    let gate = Turnstile()
    let wasCancelled = Locked(false)
    let first = start {
      do { try await gate.pass() } catch {
        wasCancelled.withLock { $0 = true }
        throw error
      }
      return 1
    }
    await gate.arrived(1)
    let joined = Journal<Void>()
    let second = Task { [coordinator] in try await coordinator.source(joined: { joined.add(()) }) { _ in 2 } }
    await eventually { joined.count == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == 1)
    #expect(!wasCancelled.withLock { $0 })
    #expect(coordinator.isIdle)
  }

  @Test("cancelling every waiter cancels the work")
  func cancelAll() async throws {
    let gate = Turnstile()
    let ended = Turnstile(isOpen: true)
    let tasks = (0..<50).map { _ in
      start {
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
    await coordinator.becomesIdle()
    #expect(coordinator.isIdle)
  }

  @Test("a request that is cancelled before it begins never starts the work")
  func cancelledBefore() async throws {
    let begun = Turnstile()
    let started = Journal<Void>()
    let task = Task { [coordinator] in
      try? await begun.pass()
      return try await coordinator.source { _ in
        started.add(())
        return 1
      }
    }
    await begun.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(started.count == 0)
    #expect(coordinator.isIdle)
  }

  @Test("work that nobody wants any more never answers for the work that took its place")
  func supersededNeverWins() async throws {
    let (oldGate, newGate) = (Turnstile(), Turnstile())
    let (oldStarted, oldEnded) = (Turnstile(isOpen: true), Turnstile(isOpen: true))
    let old = start {
      try await oldStarted.pass()
      // Deaf to cancellation, as careless work may be.
      await Task { try? await oldGate.pass() }.value
      await Task { try? await oldEnded.pass() }.value
      return 1
    }
    await oldStarted.arrived(1)
    old.cancel()
    await #expect(throws: CancellationError.self) { try await old.value }
    let new = start {
      try await newGate.pass()
      return 2
    }
    await newGate.arrived(1)
    oldGate.open()
    await oldEnded.arrived(1)
    newGate.open()
    #expect(try await new.value == 2)
  }

  @Test("work whose picture nobody wants any more can wait for nothing")
  func supersededOwner() async throws {
    let gate = Turnstile()
    let (begun, outcome) = (Turnstile(isOpen: true), Journal<Bool>())
    let picture = Task { [coordinator] in
      try await coordinator.picture { work in
        try await begun.pass()
        // Deaf to cancellation: a task of its own, in which only the graph knows that nobody wants this.
        await Task {
          try? await gate.pass()
          do { _ = try await coordinator.source("b", .work(work)) { _ in 1 } } catch {
            outcome.add(error is CancellationError)
          }
          do { try await coordinator.takePlace(.download, urgency: .work(work)).giveBack() } catch {
            outcome.add(error is CancellationError)
          }
        }.value
      }
    }
    await begun.arrived(1)
    picture.cancel()
    await #expect(throws: CancellationError.self) { try await picture.value }
    gate.open()
    await eventually { outcome.count == 2 }
    #expect(outcome.entries == [true, true])
    await coordinator.becomesIdle()
  }

  @Test("cancelling what waits for a source cancels the source, unless somebody else wants it")
  func cancelThroughOwner() async throws {
    let gate = Turnstile()
    let joined = Journal<Void>()
    let pictures = ["a", "b"].map { name in
      Task { [coordinator] in
        try await coordinator.picture(name) { work in
          _ = try await coordinator.source("shared", .work(work), joined: { joined.add(()) }) { _ in
            try await gate.pass()
            return 1
          }
        }
      }
    }
    await eventually { joined.count == 1 }
    await gate.arrived(1)
    pictures[0].cancel()
    await #expect(throws: CancellationError.self) { try await pictures[0].value }
    #expect(coordinator.count == 2)
    pictures[1].cancel()
    await #expect(throws: CancellationError.self) { try await pictures[1].value }
    // The gate stays closed: only cancellation lets the source go.
    await coordinator.becomesIdle()
    #expect(coordinator.isIdle)
  }

  @Test("cancellation that races completion ends every request exactly once")
  func race() async throws {
    var finished = 0
    for _ in 0..<10_000 {
      let tasks = (0..<3).map { _ in
        start {
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
    #expect(finished >= 10_000)
    await coordinator.becomesIdle()
    #expect(coordinator.isIdle)
  }

  // MARK: Progress

  @Test("progress reaches everybody who waits, and nobody who left")
  func progress() async throws {
    let gate = Turnstile()
    let seen = Journal<Int>()
    let joined = Journal<Int>()
    let tasks = (0..<4).map { name in
      Task { [coordinator] in
        try await coordinator.source(
          report: { seen.add(name * 10 + $0.received) }, joined: { joined.add(name) }
        ) { work in
          try await gate.pass()
          work.report(.init(received: 5, expected: nil))
          return 1
        }
      }
    }
    await eventually { joined.count == 3 }
    tasks[3].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[3].value }
    gate.open()
    for task in tasks.prefix(3) { #expect(try await task.value == 1) }
    #expect(seen.entries.sorted() == [5, 15, 25])
  }
}
