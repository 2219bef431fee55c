import Synchronized

/// A door that counts who comes to it and holds them until a test opens it, so that the test decides what happens
/// first without sleeping. (`Gate` opens once and also holds the threads of the server; this one closes again.)
///
/// Starts closed. Invariants: everybody who arrives is counted; whoever waits is let go exactly once, by `open` or by
/// the cancellation of its task.
///
/// ```swift
/// loader.gate.close()
/// let task = pipeline.task(for: request)
/// await loader.gate.arrived(1)  // the load is under way, and stays so
/// task.cancel()
/// loader.gate.open()
/// ```
public final class Turnstile: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var lastID: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func arrive() -> [CheckedContinuation<Void, Never>] {
      arrivals += 1
      let due = watchers.filter { $0.count <= arrivals }.map(\.continuation)
      watchers.removeAll { $0.count <= arrivals }
      return due
    }
  }

  private let state: Locked<State>

  public init(isOpen: Bool = false) { state = Locked(State(isOpen: isOpen)) }

  /// Everybody who has arrived so far, gone or not.
  public var arrivals: Int { state.withLock { $0.arrivals } }

  /// Waits until the gate is open. Throws `CancellationError` when the task is cancelled while it waits.
  public func pass() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    for watcher in state.withLock({ $0.arrive() }) { watcher.resume() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isHeld = state.withLock { state in
          guard !state.isOpen, !Task.isCancelled else { return false }
          state.waiting[id] = continuation
          return true
        }
        guard !isHeld else { return }
        continuation.resume(with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
  }

  /// Lets everybody through, now and later.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Closes the gate again for those who arrive from now on.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Returns once `count` have arrived in all.
  public func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        guard state.arrivals < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

/// Returns once `condition` holds, giving other tasks their turn between looks, or when the task is cancelled, as a
/// test's time limit does.
public func eventually(_ condition: @Sendable () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
