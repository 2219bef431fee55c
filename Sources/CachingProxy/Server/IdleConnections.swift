import Synchronized

/// Connections that wait for their next request. Where a new one finds no place, the one that has been idle longest
/// makes way, or else the first that becomes idle: a server may close an idle connection at any time (RFC 9112, section
/// 9.5).
final class IdleConnections: Sendable {
  typealias Ticket = UInt64

  private struct State {
    /// The longest idle has the lowest ticket.
    var idle: [Ticket: Socket] = [:]
    var last: Ticket = 0
    var isRoomWanted = false

    mutating func add(_ socket: Socket) -> Ticket {
      last += 1
      idle[last] = socket
      return last
    }

    /// Takes one out, whose connection ends whatever comes; remembers that one is wanted where there is none.
    mutating func makeRoom() -> (ticket: Ticket, socket: Socket)? {
      let longest = idle.keys.min().flatMap { ticket in idle.removeValue(forKey: ticket).map { (ticket, $0) } }
      isRoomWanted = longest == nil
      return longest
    }
  }

  private let state = Locked(State())

  /// A connection has nothing to do until its client speaks.
  /// - Returns: `nil` where it is to end instead.
  func enter(_ socket: Socket) -> Ticket? {
    let (ticket, leaving) = state.withLock { state in
      let ticket = state.add(socket)
      return (ticket, state.isRoomWanted ? state.makeRoom() : nil)
    }
    if leaving?.ticket == ticket { return nil }
    leaving?.socket.shutDown()
    return ticket
  }

  /// Its client has spoken, or gone.
  /// - Returns: `false` where it has been made to end meanwhile.
  func leave(_ ticket: Ticket) -> Bool { state.withLock { $0.idle.removeValue(forKey: ticket) } != nil }

  func wantRoom() { state.withLock { $0.makeRoom() }?.socket.shutDown() }

  /// The new one has its place.
  func haveRoom() { state.withLock { $0.isRoomWanted = false } }
}
