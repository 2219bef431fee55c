import Synchronized

/// A priority that may change while something waits with it.
///
/// Invariant: whatever follows it has been told to look once `set` and `follow` have returned. It looks for itself, under
/// its own lock: handed over, the values of two threads that set it at once could arrive in the wrong order.
final class LivePriority: Sendable {
  private struct State {
    var value: ImagePriority
    var followers: [WorkLink: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ value: ImagePriority) { state = Locked(State(value: value)) }

  var value: ImagePriority { state.withLock { $0.value } }

  var followerCount: Int { state.withLock { $0.followers.count } }

  func set(_ value: ImagePriority) {
    let followers = state.withLock { state in
      state.value = value
      return Array(state.followers.values)
    }
    for changed in followers { changed() }
  }

  func follow(_ link: WorkLink, _ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.followers[link] = changed }
    changed()
  }

  func unfollow(_ link: WorkLink) { state.withLock { $0.followers[link] = nil } }
}
