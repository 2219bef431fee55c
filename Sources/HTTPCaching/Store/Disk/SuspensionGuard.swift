import Synchronized

/// Sees to it that a process holds no lock of the store when the system suspends it.
///
/// iOS ends a process (0xdead10cc) that is suspended with a lock on a file in a container that several processes share.
/// In the foreground nothing is done about it: jobs are short. In the background, jobs run under an activity that puts
/// suspension off, one for each run of jobs, and before it ends the index is closed.
///
/// Invariants: `begin` and `end` are called in turn, on the store's queue; an activity that has begun ends after the
/// last job that waits, or after the one during which it expires.
final class SuspensionGuard: Sendable {
  /// The system's leave to go on for a while.
  struct Activity: Sendable {
    /// Whether it was refused, or is over.
    var isExpired: @Sendable () -> Bool
    var end: @Sendable () -> Void
  }

  private struct State {
    var isInBackground: Bool
    var waiting = 0
    var activity: Activity?
    var onBackground: (@Sendable () -> Void)?
  }

  private let state: Locked<State>
  private let beginActivity: @Sendable () -> Activity

  /// - Parameters:
  ///   - isInBackground: from the start; an app's extension is not told of it.
  ///   - beginActivity: returns when the system has answered.
  init(isInBackground: Bool, beginActivity: @escaping @Sendable () -> Activity) {
    state = Locked(State(isInBackground: isInBackground))
    self.beginActivity = beginActivity
  }

  // MARK: The application

  /// - Parameter action: puts a job into the queue, after which the index is closed.
  func onBackground(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onBackground = action } }

  func enterBackground() {
    let action = state.withLock { state in
      state.isInBackground = true
      return state.onBackground
    }
    action?()
  }

  func enterForeground() { state.withLock { $0.isInBackground = false } }

  // MARK: Jobs

  /// A job has been put into the queue.
  func enqueue() { state.withLock { $0.waiting += 1 } }

  /// Its turn has come.
  /// - Returns: whether it may take locks.
  func begin() -> Bool {
    let (isInBackground, held) = state.withLock { ($0.isInBackground, $0.activity) }
    guard isInBackground || held != nil else { return true }
    let activity = held ?? beginActivity()
    state.withLock { $0.activity = activity }
    return !activity.isExpired()
  }

  /// It is done.
  /// - Parameter release: gives up every lock.
  func end(release: () -> Void) {
    let (isLast, held) = state.withLock { state in
      state.waiting -= 1
      return (state.waiting == 0, state.activity)
    }
    guard let held, isLast || held.isExpired() else { return }
    release()
    state.withLock { $0.activity = nil }
    held.end()
  }
}
