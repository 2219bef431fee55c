import Synchronized

/// Runs work once for all who want the same key at the same time.
///
/// A cancelled waiter gets `CancellationError` at once and never disturbs the others; the last one out cancels the
/// work. The work has the highest priority of those who wait, at every moment. The state machine is `WorkTable`; this
/// class holds its lock and carries out its actions outside it.
final class Coalescer<Key: Hashable & Sendable, Output: Sendable, Progress: Sendable>: Sendable {
  typealias Report = @Sendable (Progress) -> Void

  private struct Waiter {
    let continuation: CheckedContinuation<Output, any Error>
    let priority: CurrentPriority
    let report: Report?
  }

  private typealias Table = WorkTable<Key, Waiter>
  private let table = Locked(Table())
  private let priorityChanged: @Sendable () -> Void

  /// - Parameter priorityChanged: called after the waiters of some work have changed, outside every lock.
  init(priorityChanged: @escaping @Sendable () -> Void = {}) { self.priorityChanged = priorityChanged }

  /// Pieces of work under way.
  var count: Int { table.withLock { $0.count } }

  /// - Parameters:
  ///   - priority: asked whenever the order of work is decided.
  ///   - joined: called when the work was already under way.
  ///   - work: runs in a task of its own; it reports progress through its first argument, and its second is the
  ///     highest priority of all who wait for it.
  func value(
    for key: Key, priority: @escaping CurrentPriority, report: Report? = nil, joined: @Sendable () -> Void = {},
    work: @escaping @Sendable (@escaping Report, @escaping CurrentPriority) async throws -> Output
  ) async throws -> Output {
    let id = table.withLock { $0.makeWaiterID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(continuation: continuation, priority: priority, report: report)
        // Cancelled before joining: the handler below found nothing to take out. A task's flag is set before its
        // handler runs, so one of the two always sees the other.
        let action: Table.JoinAction? = table.withLock { table in
          Task.isCancelled ? nil : table.join(key, id: id, waiter: waiter)
        }
        switch action {
        case nil: continuation.resume(throwing: CancellationError())
        case .wait:
          joined()
          priorityChanged()
        case .start(let generation): start(key, generation, priority: priority().task, work: work)
        }
      }
    } onCancel: {
      guard let left = table.withLock({ $0.leave(key, id: id) }) else { return }
      left.waiter.continuation.resume(throwing: CancellationError())
      left.cancel?.cancel()
      priorityChanged()
    }
  }

  /// The highest priority of those who wait; `.prefetch` once nobody does.
  private func priority(_ key: Key, _ generation: Table.Generation) -> ImagePriority {
    table.withLock { $0.waiters(key, generation) }.reduce(.prefetch) { max($0, $1.priority()) }
  }

  private func start(
    _ key: Key, _ generation: Table.Generation, priority: TaskPriority,
    work: @escaping @Sendable (@escaping Report, @escaping CurrentPriority) async throws -> Output
  ) {
    let task = Task(priority: priority) {
      let result: Result<Output, any Error>
      do {
        result = .success(
          try await work(
            { progress in
              for waiter in self.table.withLock({ $0.waiters(key, generation) }) { waiter.report?(progress) }
            }, { self.priority(key, generation) }))
      } catch {
        result = .failure(error)
      }
      for waiter in self.table.withLock({ $0.finish(key, generation) }) { waiter.continuation.resume(with: result) }
    }
    let isWanted = table.withLock { $0.didStart(key, generation, task: task) }
    if !isWanted { task.cancel() }
  }
}
