import Synchronized

/// Counts work that nobody waits for one by one, so that somebody can wait for all of it.
///
/// Invariants: never below zero; whoever waits is let go, once, when the count comes to zero.
final class Tally: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  /// Counts one more, unless there are `limit` already.
  func begin(limit: Int) -> Bool {
    state.withLock { state in
      guard state.count < limit else { return false }
      state.count += 1
      return true
    }
  }

  func end() {
    let waiting = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once nothing is counted. Not cut short by cancellation: what is counted ends by itself.
  func zero() async {
    await withCheckedContinuation { continuation in
      let isZero = state.withLock { state in
        if state.count > 0 { state.waiting.append(continuation) }
        return state.count == 0
      }
      if isZero { continuation.resume() }
    }
  }
}
