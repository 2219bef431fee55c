import Synchronized

/// How short memory is, and what a cache does about it.
public enum MemoryPressure: String, Hashable, Sendable, CaseIterable {
  /// Memory becomes short: the cache keeps half of what it holds.
  case warning
  /// The system is about to end processes: the cache keeps nothing. What somebody else holds stays findable.
  case critical
  /// The app is no longer in front: the cache keeps at most a quarter of its budget.
  case background

  /// What a cache of `cost` bytes may go on holding.
  func allowance(cost: Int, budget: Int) -> Int {
    switch self {
    case .warning: cost / 2
    case .critical: 0
    case .background: min(cost, budget / 4)
    }
  }
}

/// What tells a cache that memory is short: the system, nothing, or whatever a test pushes by hand.
public struct MemoryPressureSource: Sendable {
  public typealias Handler = @Sendable (MemoryPressure) -> Void

  /// Ends with `cancel`, after which no new event is delivered.
  public struct Subscription: Sendable {
    public let cancel: @Sendable () -> Void

    public init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
  }

  /// Delivers events from any thread, one at a time or several at once, until the subscription is cancelled.
  public var subscribe: @Sendable (@escaping Handler) -> Subscription?

  public init(subscribe: @escaping @Sendable (@escaping Handler) -> Subscription?) { self.subscribe = subscribe }

  public static let none = MemoryPressureSource { _ in nil }

  /// What the system says. All subscribers share one watch, which runs while there is at least one.
  ///
  /// Linux: pressure stall information of the control group or of the machine, and the group's `memory.events`, by one
  /// thread that sleeps in poll(2); silent where neither exists or may be read. Apple's platforms: Dispatch's memory
  /// pressure source and the application's notifications.
  public static let system = MemoryPressureSource { SystemMemoryPressure.shared.subscribe($0) }
}

/// Shares one watch of the system among all who want to know.
///
/// Invariant: the watch runs exactly while there are subscribers. Handlers are called outside the lock.
final class SystemMemoryPressure: Sendable {
  /// Starts a watch; the closure it gives back ends it.
  typealias Start = @Sendable (@escaping MemoryPressureSource.Handler) -> (@Sendable () -> Void)?

  static let shared = SystemMemoryPressure(start: startWatch)

  private struct State {
    var handlers: [Int: MemoryPressureSource.Handler] = [:]
    var lastID = 0
    var isStarting = false
    var stop: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let start: Start

  init(start: @escaping Start) { self.start = start }

  func subscribe(_ handler: @escaping MemoryPressureSource.Handler) -> MemoryPressureSource.Subscription {
    let (id, isFirst) = state.withLock { state in
      state.lastID += 1
      state.handlers[state.lastID] = handler
      let isFirst = state.stop == nil && !state.isStarting
      if isFirst { state.isStarting = true }
      return (state.lastID, isFirst)
    }
    if isFirst { startWatch() }
    return MemoryPressureSource.Subscription { [self] in unsubscribe(id) }
  }

  private func startWatch() {
    let stop = start { [weak self] in self?.deliver($0) }
    // Everybody may have gone while it started.
    let isNeeded = state.withLock { state in
      state.isStarting = false
      if !state.handlers.isEmpty { state.stop = stop }
      return !state.handlers.isEmpty
    }
    if !isNeeded { stop?() }
  }

  private func unsubscribe(_ id: Int) {
    let stop: (@Sendable () -> Void)? = state.withLock { state in
      guard state.handlers.removeValue(forKey: id) != nil, state.handlers.isEmpty else { return nil }
      defer { state.stop = nil }
      return state.stop
    }
    stop?()
  }

  private func deliver(_ event: MemoryPressure) {
    for handler in state.withLock({ Array($0.handlers.values) }) { handler(event) }
  }
}
