import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

/// Prefetched decodes that make way between rows for what is visible.
@Suite("Making way between rows", .timeLimit(.minutes(5)))
struct PreemptionTests {
  private let coordinator = Coordinator.small()

  /// Work like a decoder: rows, and a look at the checkpoint between them, until it is done or nobody wants it.
  private final class Rows: Sendable {
    let done = Latch()
    private let state = Locked((isInRow: false, rows: 0, hasEnded: false))

    var isInRow: Bool { state.withLock { $0.isInRow } }
    var count: Int { state.withLock { $0.rows } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func decode(_ isCancelled: () -> Bool) throws -> Int {
      defer { state.withLock { $0 = (false, $0.rows, true) } }
      while !done.isOpen {
        state.withLock { $0 = (true, $0.rows + 1, false) }
        sched_yield()
        state.withLock { $0.isInRow = false }
        if isCancelled() { throw CancellationError() }
      }
      return count
    }
  }

  private func start(_ rows: Rows, _ urgency: Urgency = .fixed(.prefetch)) async -> Task<Int, any Error> {
    let task = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: urgency) { try rows.decode($0) }
    }
    await eventually { rows.count > 0 }
    return task
  }

  @Test("a prefetch stands still between two rows while visible work runs in its place, and then goes on")
  func makesWay() async throws {
    let rows = Rows()
    let prefetch = await start(rows)
    for _ in 0..<20 {
      let (wasInRow, waiting) = try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) {
        [coordinator] _ in (rows.isInRow, coordinator.waitingCount(.decode))
      }
      #expect(!wasInRow)
      #expect(waiting == 1)
      let count = rows.count
      await eventually { rows.count > count }
    }
    rows.done.open()
    #expect(try await prefetch.value > 20)
    #expect(coordinator.isIdle)
  }

  @Test("a prefetch does not make way for less than visible work")
  func keepsItsPlace() async throws {
    let rows = Rows()
    let prefetch = await start(rows)
    let other = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: .fixed(.normal)) { _ in rows.hasEnded }
    }
    await coordinator.waits(1, at: .decode)
    let count = rows.count
    await eventually { rows.count > count + 10 }
    rows.done.open()
    _ = try await prefetch.value
    #expect(try await other.value)
    #expect(coordinator.isIdle)
  }

  @Test("work that is lowered to prefetch while it runs makes way for visible work that waits")
  func lowered() async throws {
    let (rows, handle) = (Rows(), LivePriority(.visible))
    let work = await start(rows, .live(handle))
    let visible = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in rows.isInRow }
    }
    await coordinator.waits(1, at: .decode)
    handle.set(.prefetch)
    #expect(try await visible.value == false)
    rows.done.open()
    _ = try await work.value
    #expect(coordinator.isIdle)
  }

  @Test("a prefetch that has made way and is raised goes on before older visible work")
  func raisedWhilePaused() async throws {
    let (rows, handle) = (Rows(), LivePriority(.prefetch))
    let (latch, started) = (Latch(), Journal<Void>())
    let work = await start(rows, .live(handle))
    let holding = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in
        started.add(())
        latch.block()
      }
    }
    await eventually { started.count == 1 }
    let older = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in rows.hasEnded }
    }
    await coordinator.waits(2, at: .decode)
    handle.set(.visible)
    rows.done.open()
    latch.open()
    #expect(try await older.value)
    try await holding.value
    _ = try await work.value
    #expect(coordinator.isIdle)
  }

  @Test("a prefetch that is cancelled while it stands still ends at once")
  func cancelPaused() async throws {
    let (rows, latch, started) = (Rows(), Latch(), Journal<Void>())
    let prefetch = await start(rows)
    let visible = Task { [coordinator] in
      try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in
        started.add(())
        latch.block()
      }
    }
    await eventually { started.count == 1 }
    prefetch.cancel()
    // The visible work still holds the place.
    await #expect(throws: CancellationError.self) { try await prefetch.value }
    #expect(rows.hasEnded)
    #expect(coordinator.waitingCount(.decode) == 0)
    latch.open()
    try await visible.value
    #expect(coordinator.isIdle)
  }

  @Test("cancellation that races making way leaves no thread behind")
  func cancelRacesPause() async throws {
    for _ in 0..<500 {
      let rows = Rows()
      let prefetch = await start(rows)
      // Past its time limit nothing is waited for any more, and a prefetch that never began would never end its rows.
      guard !Task.isCancelled else { return prefetch.cancel() }
      // Holds the place until the prefetch has ended: a prefetch that slept through its cancellation would never.
      let visible = Task { [coordinator] in
        try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { isCancelled in
          while !rows.hasEnded, !isCancelled() { sched_yield() }
        }
      }
      prefetch.cancel()
      await #expect(throws: CancellationError.self) { try await prefetch.value }
      try await visible.value
      #expect(coordinator.isIdle)
    }
  }

  @Test("prefetches that make way again and again all come to their end")
  func manyMakeWay() async throws {
    let coordinator = Coordinator.small(decodes: 3)
    let ended = Journal<Int>()
    let prefetches = (0..<50).map { number in
      Task {
        try await coordinator.runBlocking(.decode, urgency: .fixed(.prefetch)) { isCancelled in
          for _ in 0..<50 where isCancelled() { throw CancellationError() }
          ended.add(number)
        }
      }
    }
    let visible = (0..<200).map { _ in
      Task { try await coordinator.runBlocking(.decode, urgency: .fixed(.visible)) { _ in sched_yield() } }
    }
    for task in prefetches + visible.map({ task in Task { _ = try await task.value } }) { try await task.value }
    #expect(ended.entries.sorted() == Array(0..<50))
    #expect(coordinator.isIdle)
  }
}
