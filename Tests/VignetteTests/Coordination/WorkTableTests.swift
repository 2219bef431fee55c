import Testing

@testable import Vignette

@Suite("The pure state of coalesced work")
struct WorkTableTests {
  typealias Table = WorkTable<String, String, Int>

  /// Joins and answers the node when this started the work.
  private func join(
    _ table: inout Table, _ key: String, _ name: String, _ priority: ImagePriority = .visible
  ) -> (Table.Ticket, Table.Node?) {
    let ticket = table.makeTicket(key)
    guard case .start(let node) = table.join(ticket, name, priority: priority) else { return (ticket, nil) }
    return (ticket, node)
  }

  // MARK: Waiters

  @Test("the first to join starts the work and the rest wait")
  func firstStarts() throws {
    var table = Table()
    let node = try #require(join(&table, "a", "one").1)
    #expect(join(&table, "a", "two").1 == nil)
    #expect(join(&table, "b", "three").1 != nil)
    #expect(table.count == 2)
    #expect(table.finish(node) == ["one", "two"])
    #expect(table.count == 1)
  }

  @Test("finishing hands every waiter out once")
  func finishOnce() throws {
    var table = Table()
    let (ticket, started) = join(&table, "a", "one")
    let node = try #require(started)
    #expect(table.finish(node) == ["one"])
    #expect(table.finish(node) == [])
    #expect(table.leave(ticket)?.waiter == nil)
  }

  @Test("leaving takes one waiter and leaves the rest")
  func leaveOne() throws {
    var table = Table()
    let (first, node) = join(&table, "a", "one")
    _ = join(&table, "a", "two")
    let leaving = table.leave(first)
    let left = try #require(leaving)
    #expect(left.waiter == "one")
    #expect(!left.hasEnded && left.task == nil)
    #expect(table.leave(first)?.waiter == nil)
    #expect(table.finish(try #require(node)) == ["two"])
  }

  @Test("the last to leave cancels the work")
  func lastLeaves() async throws {
    var table = Table()
    let (ticket, node) = join(&table, "a", "one")
    let task = Task<Void, Never> {}
    #expect(table.didStart(try #require(node), task: task) == true)
    let leaving = table.leave(ticket)
    let left = try #require(leaving)
    #expect(left.hasEnded)
    #expect(left.task == task)
    #expect(table.count == 0)
    await task.value
  }

  @Test("a task that starts after everybody left is told so")
  func lateStart() throws {
    var table = Table()
    let (ticket, node) = join(&table, "a", "one")
    _ = table.leave(ticket)
    #expect(table.didStart(try #require(node), task: Task {}) == false)
  }

  @Test("a superseded node finishes nobody, hears of nobody and has no priority")
  func superseded() throws {
    var table = Table()
    let (ticket, old) = join(&table, "a", "one")
    _ = table.leave(ticket)
    let (_, new) = join(&table, "a", "two")
    let (oldNode, newNode) = (try #require(old), try #require(new))
    #expect(oldNode != newNode)
    #expect(table.waiters(oldNode).isEmpty)
    #expect(table.priority(oldNode) == nil)
    #expect(table.link(oldNode, to: 1) == nil)
    #expect(table.finish(oldNode) == [])
    #expect(table.waiters(newNode) == ["two"])
    #expect(table.finish(newNode) == ["two"])
  }

  @Test("a ticket of superseded work changes nothing about the work that took its place")
  func oldTicket() throws {
    var table = Table()
    let (ticket, _) = join(&table, "a", "one", .prefetch)
    _ = table.leave(ticket)
    let node = try #require(join(&table, "a", "two", .prefetch).1)
    #expect(table.setPriority(ticket, .urgent) == nil)
    #expect(table.leave(ticket)?.waiter == nil)
    #expect(table.priority(node) == .prefetch)
  }

  // MARK: Priorities

  @Test("work has the priority of the one who started it", arguments: ImagePriority.allCases)
  func ownPriority(_ level: ImagePriority) throws {
    var table = Table()
    let node = try #require(join(&table, "a", "one", level).1)
    #expect(table.priority(node) == level)
  }

  @Test("work has the highest priority of those who wait, and loses it when they leave")
  func highestWins() throws {
    var table = Table()
    let node = try #require(join(&table, "a", "one", .background).1)
    let ticket = table.makeTicket("a")
    let joining = table.join(ticket, "two", priority: .visible)
    #expect(joining == .wait(node, change: .init(priority: .visible, links: [])))
    #expect(table.leave(ticket)?.change == .init(priority: .background, links: []))
    #expect(table.priority(node) == .background)
  }

  @Test("a waiter who wants it less changes nothing")
  func lowerJoins() throws {
    var table = Table()
    let node = try #require(join(&table, "a", "one", .visible).1)
    let ticket = table.makeTicket("a")
    #expect(table.join(ticket, "two", priority: .prefetch) == .wait(node, change: nil))
    #expect(table.setPriority(ticket, .normal) == nil)
    #expect(table.leave(ticket)?.change == nil)
  }

  @Test("of two who want it equally, one that leaves changes nothing")
  func equalLeaves() throws {
    var table = Table()
    let (first, node) = join(&table, "a", "one", .visible)
    _ = join(&table, "a", "two", .visible)
    let left = table.leave(first)
    #expect(left != nil && left?.change == nil)
    #expect(table.priority(try #require(node)) == .visible)
  }

  @Test("a change of priority names all that the work waits for, and no more once it is unlinked")
  func links() throws {
    var table = Table()
    let (ticket, started) = join(&table, "a", "one", .prefetch)
    let node = try #require(started)
    #expect(table.link(node, to: 1) == .prefetch)
    #expect(table.link(node, to: 2) == .prefetch)
    #expect(table.setPriority(ticket, .urgent) == .init(priority: .urgent, links: [1, 2]))
    table.unlink(node, from: 1)
    #expect(table.setPriority(ticket, .normal) == .init(priority: .normal, links: [2]))
  }

  @Test("superseded work can neither link nor unlink for the work that took its place")
  func supersededLinks() throws {
    var table = Table()
    let (ticket, old) = join(&table, "a", "one")
    _ = table.leave(ticket)
    let (second, new) = join(&table, "a", "two", .prefetch)
    let (oldNode, newNode) = (try #require(old), try #require(new))
    _ = table.link(newNode, to: 1)
    _ = table.link(oldNode, to: 2)
    table.unlink(oldNode, from: 1)
    #expect(table.setPriority(second, .urgent) == .init(priority: .urgent, links: [1]))
  }
}
