import Dispatch
import Synchronized

/// So many may do something at a time; others wait for their turn, first come first served.
///
/// Invariants: somebody waits only while no place is free; a waiter is resumed exactly once, by whoever takes it out of
/// the line.
final class Places: Sendable {
  /// Given back when it is let go of.
  final class Place: Sendable {
    private let places: Places

    fileprivate init(_ places: Places) { self.places = places }

    deinit { places.giveBack() }
  }

  private struct Waiter {
    var id: UInt64
    /// Whether it has a place now.
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var line: [Waiter] = []
    var lastID: UInt64 = 0

    mutating func withdraw(_ id: UInt64) -> Waiter? {
      line.firstIndex { $0.id == id }.map { line.remove(at: $0) }
    }
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: max(count, 1))) }

  /// Whether whoever comes next waits.
  var areTaken: Bool { state.withLock { $0.free == 0 } }

  /// - Parameter seconds: longest wait; `nil` for none.
  /// - Returns: `nil` where none became free in that time.
  /// - Throws: `CancellationError`.
  func take(within seconds: Double? = nil) async throws -> Place? {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let hasPlace = await withTaskCancellationHandler {
      await withCheckedContinuation { arrive(Waiter(id: id, continuation: $0), within: seconds) }
    } onCancel: {
      withdraw(id)
    }
    let place = hasPlace ? Place(self) : nil
    try Task.checkCancellation()
    return place
  }

  private func arrive(_ waiter: Waiter, within seconds: Double?) {
    let answer: Bool? = state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return true
      }
      // A task that was cancelled before has called `withdraw` before too, which found nothing.
      if Task.isCancelled || seconds ?? 1 <= 0 { return false }
      state.line.append(waiter)
      return nil
    }
    if let answer { return waiter.continuation.resume(returning: answer) }
    guard let seconds else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.withdraw(waiter.id) }
  }

  private func withdraw(_ id: UInt64) {
    state.withLock { $0.withdraw(id) }?.continuation.resume(returning: false)
  }

  /// The place goes to whoever has waited longest.
  private func giveBack() {
    let next: Waiter? = state.withLock { state in
      guard state.line.isEmpty else { return state.line.removeFirst() }
      state.free += 1
      return nil
    }
    next?.continuation.resume(returning: true)
  }
}
