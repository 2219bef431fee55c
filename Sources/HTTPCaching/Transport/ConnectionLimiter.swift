/// Which transfers may run: at most so many connections to one origin and so many in all, first come first served.
///
/// Waiting happens here rather than in libcurl, so that a transfer that waits for its turn is not idle, and costs
/// nothing. An origin known to speak HTTP/2 shares one connection among many transfers. Pure bookkeeping; every
/// operation is O(origins in use), plus O(waiting for the origin) where noted.
struct ConnectionLimiter<ID: Hashable> {
  typealias Origin = OutgoingRequest.Origin

  private struct Lane {
    var active = 0
    var isMultiplexed = false
    var waiting: [(ticket: UInt64, id: ID)] = []
    var connections: Int { isMultiplexed ? min(active, 1) : active }
  }

  /// Streams on one HTTP/2 connection; servers commonly allow 100.
  static var streamsPerConnection: Int { 64 }
  /// Idle HTTP/2 origins remembered.
  private static var rememberedLanes: Int { 64 }

  private let perOrigin: Int
  private let total: Int
  private var lanes: [Origin: Lane] = [:]
  private var connections = 0
  private var nextTicket: UInt64 = 0

  init(perOrigin: Int, total: Int) {
    self.perOrigin = max(perOrigin, 1)
    self.total = max(total, 1)
  }

  /// - Returns: whether the transfer may start now; otherwise it waits.
  mutating func admit(_ id: ID, to origin: Origin) -> Bool {
    var lane = lanes[origin] ?? Lane()
    let starts = lane.waiting.isEmpty && canEnter(lane)
    if starts {
      enter(&lane)
    } else {
      lane.waiting.append((nextTicket, id))
      nextTicket += 1
    }
    lanes[origin] = lane
    return starts
  }

  /// Takes back a transfer that still waits. O(waiting for the origin).
  mutating func withdraw(_ id: ID, from origin: Origin) {
    lanes[origin]?.waiting.removeAll { $0.id == id }
    forgetIfIdle(origin)
  }

  mutating func noteMultiplexing(_ origin: Origin) {
    guard var lane = lanes[origin], !lane.isMultiplexed else { return }
    connections -= lane.connections
    lane.isMultiplexed = true
    connections += lane.connections
    lanes[origin] = lane
  }

  /// A running transfer has ended.
  mutating func leave(_ origin: Origin) {
    guard var lane = lanes[origin], lane.active > 0 else { return }
    connections -= lane.connections
    lane.active -= 1
    connections += lane.connections
    lanes[origin] = lane
    forgetIfIdle(origin)
  }

  /// The transfer that waits longest among those that may start now; it counts as running. Call until `nil`.
  mutating func next() -> ID? {
    let ready = lanes.filter { !$0.value.waiting.isEmpty && canEnter($0.value) }
    guard let origin = ready.min(by: { $0.value.waiting[0].ticket < $1.value.waiting[0].ticket })?.key,
      var lane = lanes.removeValue(forKey: origin)
    else { return nil }
    let id = lane.waiting.removeFirst().id
    enter(&lane)
    lanes[origin] = lane
    return id
  }

  private func canEnter(_ lane: Lane) -> Bool {
    guard lane.active < (lane.isMultiplexed ? Self.streamsPerConnection : perOrigin) else { return false }
    let addsConnection = !lane.isMultiplexed || lane.active == 0
    return !addsConnection || connections < total
  }

  private mutating func enter(_ lane: inout Lane) {
    let before = lane.connections
    lane.active += 1
    connections += lane.connections - before
  }

  private mutating func forgetIfIdle(_ origin: Origin) {
    guard let lane = lanes[origin], lane.active == 0, lane.waiting.isEmpty else { return }
    if !lane.isMultiplexed || lanes.count > Self.rememberedLanes { lanes[origin] = nil }
  }
}
