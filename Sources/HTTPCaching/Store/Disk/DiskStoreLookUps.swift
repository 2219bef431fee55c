import Synchronized

/// Look-ups that wait for their turn, each with a deadline. While another process holds the index the queue stands
/// still; the loads behind it then go on without the store.
///
/// Invariant: each is answered once, by the job that takes it or by `expire`.
final class DiskStoreLookUps: Sendable {
  typealias Ticket = UInt64

  private struct Waiting {
    var deadline: Double
    var answerNothing: @Sendable () -> Void
  }

  private struct State {
    var last: Ticket = 0
    var waiting: [Ticket: Waiting] = [:]
  }

  private let state = Locked(State())

  /// - Parameter deadline: by the clock that `expire` is told.
  func add(deadline: Double, answerNothing: @escaping @Sendable () -> Void) -> Ticket {
    state.withLock { state in
      state.last += 1
      state.waiting[state.last] = Waiting(deadline: deadline, answerNothing: answerNothing)
      return state.last
    }
  }

  /// Its turn has come, and the caller will answer it.
  /// - Returns: its deadline; `nil` where it has been answered.
  func take(_ ticket: Ticket) -> Double? {
    state.withLock { $0.waiting.removeValue(forKey: ticket)?.deadline }
  }

  /// Answers those whose deadline has passed: nothing is stored for them.
  /// - Returns: how many these were.
  func expire(now: Double) -> Int {
    let expired = state.withLock { state in
      let expired = state.waiting.filter { $0.value.deadline <= now }
      for ticket in expired.keys { state.waiting[ticket] = nil }
      return expired
    }
    for waiting in expired.values { waiting.answerNothing() }
    return expired.count
  }
}
