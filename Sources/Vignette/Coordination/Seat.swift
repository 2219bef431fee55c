import Foundation
import Synchronized

/// One claim to a place at a stage, from the claim to the end of the work.
///
/// Invariants: whoever waits for the place, a task or a paused thread, is let go exactly once: by `start`, or by
/// `cancel`. Work that blocks asks `isCancelled` between rows: that is also where prefetched work makes way.
final class Seat: Sendable {
  private enum Waiting {
    case nobody
    case task(CheckedContinuation<Void, any Error>)
    case thread(DispatchSemaphore)
  }

  private struct State {
    var isCancelled = false
    var isPreempted = false
    var waiting = Waiting.nobody
    var priority = ImagePriority.prefetch
    /// What the listener knows; `nil` before it was told anything.
    var toldPriority: ImagePriority?
    var isTelling = false
    var priorityChanged: (@Sendable (ImagePriority) -> Void)?

    mutating func beginTelling() -> (@Sendable (ImagePriority) -> Void, ImagePriority)? {
      guard let priorityChanged, !isTelling, toldPriority != priority else { return nil }
      toldPriority = priority
      isTelling = true
      return (priorityChanged, priority)
    }
  }

  let id: SeatID
  private let state = Locked(State())

  init(id: SeatID) { self.id = id }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The priority of the claim.
  func begin(_ priority: ImagePriority) { note(priority) }

  /// Called at once with the priority, and, from any thread but one at a time, whenever the work is wanted sooner or
  /// later than that.
  func followPriority(_ changed: @escaping @Sendable (ImagePriority) -> Void) {
    state.withLock { $0.priorityChanged = changed }
    tellPriority()
  }

  func note(_ priority: ImagePriority) { state.withLock { $0.priority = priority } }

  /// Tells the listener the priority last noted, unless another thread is about to.
  func tellPriority() {
    while let (changed, priority) = state.withLock({ $0.beginTelling() }) {
      changed(priority)
      state.withLock { $0.isTelling = false }
    }
  }

  func preempt() { state.withLock { $0.isPreempted = true } }

  /// Whether the work has been asked to make way since this was last asked.
  func takePreemption() -> Bool {
    state.withLock { state in
      defer { state.isPreempted = false }
      return state.isPreempted && !state.isCancelled
    }
  }

  func wait(_ continuation: CheckedContinuation<Void, any Error>) {
    state.withLock { $0.waiting = .task(continuation) }
  }

  /// Makes the semaphore the next `start` or `cancel` will signal.
  func waitAsThread() -> DispatchSemaphore {
    let semaphore = DispatchSemaphore(value: 0)
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = .thread(semaphore) }
      return state.isCancelled
    }
    if isCancelled { semaphore.signal() }
    return semaphore
  }

  /// The place is there.
  func start() { release(with: .success(())) }

  func markCancelled() { state.withLock { $0.isCancelled = true } }

  /// The claim was given up.
  func drop() { release(with: .failure(CancellationError())) }

  private func release(with result: Result<Void, any Error>) {
    let waiting = state.withLock { state in
      defer { state.waiting = .nobody }
      return state.waiting
    }
    switch waiting {
    case .nobody: break
    case .task(let continuation): continuation.resume(with: result)
    case .thread(let semaphore): semaphore.signal()
    }
  }
}
