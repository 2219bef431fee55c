import Synchronized

/// Connections that wait for their next request. While a new one is without a place, the one that has been idle longest
/// makes way, or else the next that would become idle: a server may close an idle connection at any time (RFC 9112,
/// section 9.5).
final class IdleConnections: Sendable {
  typealias Ticket = UInt64

  private struct State {
    /// The longest idle has the lowest ticket.
    var idle: [Ticket: Socket] = [:]
    var last: Ticket = 0
    var isRoomWanted = false
  }

  private let state = Locked(State())

  /// A connection has nothing to do until its client speaks.
  /// - Returns: `nil` where it is to end instead.
  func enter(_ socket: Socket) -> Ticket? {
    state.withLock { state in
      guard !state.isRoomWanted else { return nil }
      state.last += 1
      state.idle[state.last] = socket
      return state.last
    }
  }

  /// Its client has spoken, or gone.
  /// - Returns: `false` where it has been made to end meanwhile.
  func leave(_ ticket: Ticket) -> Bool { state.withLock { $0.idle.removeValue(forKey: ticket) } != nil }

  func wantRoom() {
    let longest = state.withLock { state in
      state.isRoomWanted = true
      return state.idle.keys.min().flatMap { state.idle.removeValue(forKey: $0) }
    }
    longest?.shutDown()
  }

  /// The new one has its place.
  func haveRoom() { state.withLock { $0.isRoomWanted = false } }
}
