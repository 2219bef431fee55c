import Synchronized

/// The loads that run behind callers' backs (`stale-while-revalidate`, RFC 5861): at most one for each stored response,
/// all of them cancelled when their loader goes.
final class RefreshTable: Sendable {
  private struct State: Sendable {
    var running: [StoredEntryID: Task<Void, Never>] = [:]
    var isClosed = false
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.running.count } }

  /// Starts the work unless the same is under way already.
  func start(_ id: StoredEntryID, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isClosed, state.running[id] == nil else { return }
      // The lock is held until the task is listed, so that it cannot end before.
      state.running[id] = Task.detached(priority: .utility) {
        await work()
        self.state.withLock { $0.running[id] = nil }
      }
    }
  }

  func cancelAll() {
    for task in state.withLock({ Array($0.running.values) }) { task.cancel() }
  }

  /// Cancels everything, and nothing starts any more.
  func close() {
    state.withLock { $0.isClosed = true }
    cancelAll()
  }
}
