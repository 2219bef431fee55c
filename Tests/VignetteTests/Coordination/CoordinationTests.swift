import Testing

@testable import Vignette

@Suite("The pure graph of work")
struct CoordinationTests {
  typealias Graph = Coordination<Int, Int>
  typealias Picture = (ticket: WorkTicket<PictureWork>, node: WorkNode<PictureWork>)
  typealias Source = (ticket: WorkTicket<SourceWork>, node: WorkNode<SourceWork>)

  private var graph = Graph(limits: .init(downloads: 1, decodes: 1))

  /// A picture that somebody wants this much.
  private mutating func picture(_ name: String, _ level: ImagePriority) throws -> Picture {
    let ticket = graph.pictures.makeTicket(.named(name))
    guard case .start(let node) = graph.pictures.join(ticket, 0, priority: level) else { throw Unexpected() }
    return (ticket, node)
  }

  /// A picture that another is made of.
  private mutating func picture(_ name: String, for other: Picture) throws -> Picture {
    let ticket = graph.pictures.makeTicket(.named(name))
    let linked = graph.link(.picture(other.node), to: .picture(ticket))
    guard case .start(let node) = graph.pictures.join(ticket, 0, priority: try #require(linked)) else {
      throw Unexpected()
    }
    return (ticket, node)
  }

  private mutating func source(_ name: String, for picture: Picture) throws -> Source {
    let ticket = graph.sources.makeTicket(.named(name))
    let linked = graph.link(.picture(picture.node), to: .source(ticket))
    guard case .start(let node) = graph.sources.join(ticket, 0, priority: try #require(linked)) else {
      throw Unexpected()
    }
    return (ticket, node)
  }

  /// Joins a source that is under way; what that changes is in the effects.
  private mutating func join(
    _ source: Source, for picture: Picture
  ) throws -> (ticket: WorkTicket<SourceWork>, effects: Graph.Effects) {
    let ticket = graph.sources.makeTicket(source.ticket.key)
    let linked = graph.link(.picture(picture.node), to: .source(ticket))
    guard case .wait(_, let change) = graph.sources.join(ticket, 0, priority: try #require(linked)) else {
      throw Unexpected()
    }
    return (ticket, graph.pass(change))
  }

  private mutating func seat(for source: Source) throws -> SeatID {
    let seat = graph.makeSeat(.download)
    let linked = graph.link(.source(source.node), to: .seat(seat))
    _ = graph.claim(seat, lane: "", priority: try #require(linked))
    return seat
  }

  /// Takes the only place for downloads.
  private mutating func occupy() -> SeatID {
    let seat = graph.makeSeat(.download)
    #expect(graph.claim(seat, lane: "", priority: .urgent).started == [seat])
    return seat
  }

  private struct Unexpected: Error {}

  // MARK: Tests

  @Test("a change at the top reaches the place at the bottom, through pictures and sources", arguments: 0...4)
  mutating func chain(_ depth: Int) throws {
    let top = try picture("top", .prefetch)
    var bottom = top
    for number in 0..<depth { bottom = try picture("prefix \(number)", for: bottom) }
    let source = try source("source", for: bottom)
    let seat = try seat(for: source)
    let effects = graph.setPriority(.picture(top.ticket), .urgent)
    #expect(effects.repriorised.map(\.0) == [seat])
    #expect(effects.repriorised.map(\.1) == [.urgent])
    #expect(graph.pictures.priority(bottom.node) == .urgent)
    #expect(graph.sources.priority(source.node) == .urgent)
  }

  @Test("what is waited for begins with the priority of whoever waits", arguments: ImagePriority.allCases)
  mutating func inherited(_ level: ImagePriority) throws {
    let source = try source("source", for: try picture("prefix", for: try picture("top", level)))
    #expect(graph.sources.priority(source.node) == level)
  }

  @Test("of two pictures that share a source the one wanted more decides, until it leaves")
  mutating func sharedSource() throws {
    let patient = try picture("patient", .background)
    let eager = try picture("eager", .visible)
    let source = try source("source", for: patient)
    let seat = try seat(for: source)
    let joined = try join(source, for: eager)
    #expect(joined.effects.repriorised.map(\.1) == [.visible])
    #expect(graph.setPriority(.picture(patient.ticket), .normal).repriorised.isEmpty)
    let raised = graph.setPriority(.picture(eager.ticket), .urgent)
    #expect(raised.repriorised.map(\.0) == [seat] && raised.repriorised.map(\.1) == [.urgent])
    let lowered = graph.pass(graph.sources.leave(joined.ticket)?.change)
    #expect(lowered.repriorised.map(\.1) == [.normal])
    #expect(graph.sources.priority(source.node) == .normal)
  }

  @Test("one picture that is made into two passes the change on to both")
  mutating func twoLinks() throws {
    let top = try picture("top", .prefetch)
    let sources = [try source("a", for: top), try source("b", for: top)]
    let seats = [try seat(for: sources[0]), try seat(for: sources[1])]
    let effects = graph.setPriority(.picture(top.ticket), .visible)
    #expect(Set(effects.repriorised.map(\.0)) == Set(seats))
  }

  @Test("what is no longer waited for no longer follows")
  mutating func unlink() throws {
    let top = try picture("top", .prefetch)
    let source = try source("source", for: top)
    let seat = try seat(for: source)
    graph.unlink(.source(source.node), from: .seat(seat))
    #expect(graph.setPriority(.picture(top.ticket), .urgent).repriorised.isEmpty)
    #expect(graph.sources.priority(source.node) == .urgent)
    graph.unlink(.picture(top.node), from: .source(source.ticket))
    _ = graph.setPriority(.picture(top.ticket), .normal)
    #expect(graph.sources.priority(source.node) == .urgent)
  }

  @Test("superseded work can wait for nothing, and does not hear of the work that took its place")
  mutating func superseded() throws {
    let old = try picture("top", .prefetch)
    let oldSource = try source("source", for: old)
    _ = graph.pictures.leave(old.ticket)
    let new = try picture("top", .prefetch)
    let ticket = graph.sources.makeTicket(.named("other"))
    #expect(graph.link(.picture(old.node), to: .source(ticket)) == nil)
    #expect(graph.setPriority(.picture(new.ticket), .urgent).repriorised.isEmpty)
    #expect(graph.sources.priority(oldSource.node) == .prefetch)
  }

  @Test("a waiting place that is raised through the graph starts first")
  mutating func raisedPlaceStartsFirst() throws {
    let occupied = occupy()
    let tops = [try picture("a", .normal), try picture("b", .normal), try picture("c", .normal)]
    var seats: [SeatID] = []
    for (number, top) in tops.enumerated() { seats.append(try seat(for: try source("source \(number)", for: top))) }
    _ = graph.setPriority(.picture(tops[2].ticket), .visible)
    _ = graph.setPriority(.picture(tops[0].ticket), .background)
    var order: [SeatID] = []
    var running = occupied
    while let next = graph.vacate(running).started.first {
      order.append(next)
      running = next
    }
    #expect(order == [seats[2], seats[1], seats[0]])
  }

  @Test("a claim is withdrawn while it waits and not once the place is taken")
  mutating func withdraw() throws {
    let occupied = occupy()
    let waiting = try seat(for: try source("source", for: try picture("top", .visible)))
    #expect(graph.withdraw(occupied) == false)
    #expect(graph.withdraw(waiting) == true)
    #expect(graph.vacate(occupied).started == [])
    #expect(graph.waitingCount(.download) == 0 && graph.runningCount(.download) == 0)
  }

  @Test("every stage has its own places")
  mutating func stages() {
    _ = occupy()
    for other in Stage.allCases where other != .download {
      let seat = graph.makeSeat(other)
      #expect(graph.claim(seat, lane: "", priority: .normal).started == [seat])
    }
  }
}

extension SourceWork {
  static func named(_ name: String) -> SourceWork {
    SourceWork(key: SourceKey(name), mode: LoadMode(policy: .standard))
  }
}

extension PictureWork {
  static func named(_ name: String) -> PictureWork {
    PictureWork(key: ImageKey(source: SourceKey(name), target: .full), mode: LoadMode(policy: .standard))
  }
}
