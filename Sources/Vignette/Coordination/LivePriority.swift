import Synchronized

/// A priority that may change while something waits with it.
///
/// Invariant: whatever follows it has been told the latest value once `set` and `follow` have returned.
final class LivePriority: Sendable {
  private struct State {
    var value: ImagePriority
    var followers: [WorkLink: @Sendable (ImagePriority) -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ value: ImagePriority) { state = Locked(State(value: value)) }

  var value: ImagePriority { state.withLock { $0.value } }

  func set(_ value: ImagePriority) {
    let followers = state.withLock { state in
      state.value = value
      return Array(state.followers.values)
    }
    for follower in followers { follower(value) }
  }

  func follow(_ link: WorkLink, _ changed: @escaping @Sendable (ImagePriority) -> Void) {
    changed(
      state.withLock { state in
        state.followers[link] = changed
        return state.value
      })
  }

  func unfollow(_ link: WorkLink) { state.withLock { $0.followers[link] = nil } }
}
