/// Who waits for the network, and what was last heard of it: the pure half of `NetworkReachability`.
///
/// Invariants: nobody waits while the network is there; a waiter is handed out once, by `update` or by `leave`.
struct ReachabilityTable<Waiter> {
  /// `nil` until the system has spoken; waiters wait then, for at most the moment that takes.
  private(set) var isReachable: Bool?
  private(set) var isConstrained = false
  private var waiters: [UInt64: Waiter] = [:]
  private var nextTicket: UInt64 = 0

  var count: Int { waiters.count }

  /// Names a wait before it begins, so that a cancellation that comes first finds something to cancel.
  mutating func ticket() -> UInt64 {
    nextTicket += 1
    return nextTicket
  }

  /// - Returns: the waiter, if it need not wait and is to be resumed now.
  mutating func enter(_ ticket: UInt64, _ waiter: Waiter, isCancelled: Bool) -> Waiter? {
    guard isReachable != true, !isCancelled else { return waiter }
    waiters[ticket] = waiter
    return nil
  }

  /// - Returns: the waiter to resume, unless the network came first.
  mutating func leave(_ ticket: UInt64) -> Waiter? { waiters.removeValue(forKey: ticket) }

  /// - Returns: those to resume.
  mutating func update(isReachable: Bool, isConstrained: Bool) -> [Waiter] {
    self.isReachable = isReachable
    self.isConstrained = isConstrained
    guard isReachable else { return [] }
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
