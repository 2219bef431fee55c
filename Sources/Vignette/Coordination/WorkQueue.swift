import Foundation
import Synchronized

/// Runs blocking work off the cooperative thread pool, at most `limit` at once, in the order of `Scheduler`.
///
/// Work that is cancelled while it waits never starts. Work that is cancelled while it runs is told through the
/// closure it is given, and its result is dropped in favour of `CancellationError` only if it throws that itself.
final class WorkQueue: Sendable {
  private struct Job {
    let start: @Sendable () -> Void
    let drop: @Sendable () -> Void
  }

  private struct State {
    var scheduler: Scheduler<UInt64>
    var jobs: [UInt64: Job] = [:]
    var lastID: UInt64 = 0
  }

  private let state: Locked<State>
  private let label: String

  init(label: String, limit: Int) {
    state = Locked(State(scheduler: Scheduler(limit: limit)))
    self.label = label
  }

  /// Work that waits for a free slot.
  var waitingCount: Int { state.withLock { $0.scheduler.waitingCount } }

  /// - Parameters:
  ///   - priority: asked whenever a slot is free.
  ///   - work: blocking; its argument tells whether the caller has been cancelled.
  func run<Output: Sendable>(
    priority: @escaping CurrentPriority,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Output
  ) async throws -> Output {
    let flag = CancellationFlag()
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = Job(
          start: { [self] in
            // A serial queue of its own each: those get threads beside the ones that Swift's tasks run on. Concurrent
            // queues share theirs with them on Linux, where a full house of decodes would hold up every task.
            DispatchQueue(label: label, qos: .userInitiated).async {
              let result = Result { try work { flag.isCancelled } }
              // The slot is freed before the caller goes on, so that a caller sees an idle queue after its own work.
              self.finish(id)
              continuation.resume(with: result)
            }
          },
          drop: { continuation.resume(throwing: CancellationError()) })
        enqueue(id, job, priority: priority, flag: flag)
      }
    } onCancel: {
      flag.cancel()
      let dropped = state.withLock { $0.scheduler.cancel(id) ? $0.jobs.removeValue(forKey: id) : nil }
      dropped?.drop()
    }
  }

  private func enqueue(_ id: UInt64, _ job: Job, priority: @escaping CurrentPriority, flag: CancellationFlag) {
    let started: [Job]? = state.withLock { state in
      guard !flag.isCancelled else { return nil }
      state.jobs[id] = job
      return state.scheduler.enqueue(id, priority: priority).compactMap { state.jobs.removeValue(forKey: $0) }
    }
    guard let started else { return job.drop() }
    for job in started { job.start() }
  }

  /// Starts what may start after a priority changed: prefetched work that is now visible may take the last slot.
  func reconsider() { advance { $0.reconsider() } }

  private func finish(_ id: UInt64) { advance { $0.finish(id) } }

  private func advance(_ transition: (inout Scheduler<UInt64>) -> [UInt64]) {
    let started = state.withLock { state in
      transition(&state.scheduler).compactMap { state.jobs.removeValue(forKey: $0) }
    }
    for job in started { job.start() }
  }
}

/// Set once, read from any thread.
final class CancellationFlag: Sendable {
  private let state = Locked(false)

  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }
}
