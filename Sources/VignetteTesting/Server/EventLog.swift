import Synchronized

/// A log of what has happened, and those who wait for something to appear in it. No waiter is resumed under the lock.
final class EventLog<Log: Sendable>: Sendable {
  typealias Condition = @Sendable (Log) -> Bool

  private struct Waiter {
    var condition: Condition
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var log: Log
    var waiters: [Int: Waiter] = [:]
    var nextID = 0
    var isClosed = false
  }

  private let state: Locked<State>

  init(_ log: Log) { state = Locked(State(log: log)) }

  var log: Log { state.withLock { $0.log } }

  /// Changes the log and resumes those whose condition it now satisfies.
  @discardableResult
  func record<Result: Sendable>(_ change: (inout Log) -> Result) -> Result {
    let (result, satisfied) = state.withLock { state in
      let result = change(&state.log)
      let log = state.log
      let satisfied = state.waiters.filter { $0.value.condition(log) }
      for id in satisfied.keys { state.waiters[id] = nil }
      return (result, satisfied.values.map(\.continuation))
    }
    for continuation in satisfied { continuation.resume() }
    return result
  }

  /// Nothing will happen any more: those who still wait are told.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in waiters { continuation.resume(throwing: CancellationError()) }
  }

  func wait(until condition: @escaping Condition) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if condition(state.log) { return .success(()) }
          if state.isClosed || Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }
}
