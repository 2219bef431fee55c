import Testing

@testable import Vignette

@Suite("The pure state of coalesced work, compared with lists")
struct WorkTableWalkTests {
  typealias Table = WorkTable<Int, Int, Int>

  private struct Waiting {
    let name: Int
    let ticket: Table.Ticket
    var level: ImagePriority
  }

  private struct Run {
    let node: Table.Node
    var waiting: [Waiting]
    var links: Set<Int> = []

    var level: ImagePriority { waiting.map(\.level).max() ?? .prefetch }

    /// What is to be passed on after `level` was `old`.
    func change(from old: ImagePriority) -> Table.Change? {
      level == old ? nil : Table.Change(priority: level, links: links)
    }
  }

  @Test("a random walk agrees with a list of who waits for what, and how much", arguments: 0..<20)
  func randomWalk(_ round: Int) {
    var walk = Walk()
    for name in 0..<500 {
      walk.step(name)
      #expect(walk.table.count == walk.runs.count, "seed \(walk.random.seed)")
      for run in walk.runs.values {
        #expect(walk.table.priority(run.node) == run.level, "seed \(walk.random.seed)")
        #expect(walk.table.waiters(run.node).sorted() == run.waiting.map(\.name), "seed \(walk.random.seed)")
      }
      if let fault = walk.table.checkInvariants() { Issue.record("\(fault), seed \(walk.random.seed)") }
    }
  }

  private struct Walk {
    var random = SeededRandom()
    var table = Table()
    var runs: [Int: Run] = [:]
    private var stale: [Table.Node] = []
    private var served: [Table.Ticket] = []

    mutating func step(_ name: Int) {
      let key = Int.random(in: 0..<5, using: &random)
      let level = ImagePriority.allCases.randomElement(using: &random) ?? .visible
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: join(key, name, level)
      case 3: leave(key)
      case 4: setPriority(key, level)
      case 5: link(key, name)
      case 6: finish(key)
      default: useStale(level)
      }
    }

    private mutating func join(_ key: Int, _ name: Int, _ level: ImagePriority) {
      let ticket = table.makeTicket(key)
      let waiting = Waiting(name: name, ticket: ticket, level: level)
      let join = table.join(ticket, name, priority: level)
      guard var run = runs[key] else {
        guard case .start(let node) = join else {
          Issue.record("nobody started \(key), seed \(random.seed)")
          return
        }
        runs[key] = Run(node: node, waiting: [waiting])
        return
      }
      let old = run.level
      run.waiting.append(waiting)
      #expect(join == .wait(run.node, change: run.change(from: old)), "seed \(random.seed)")
      runs[key] = run
    }

    private mutating func leave(_ key: Int) {
      guard var run = runs[key], let index = run.waiting.indices.randomElement(using: &random) else { return }
      let old = run.level
      let one = run.waiting.remove(at: index)
      let left = table.leave(one.ticket)
      served.append(one.ticket)
      #expect(left?.waiter == one.name, "seed \(random.seed)")
      #expect(left?.hasEnded == run.waiting.isEmpty, "seed \(random.seed)")
      if run.waiting.isEmpty {
        stale.append(run.node)
        runs[key] = nil
      } else {
        #expect(left?.change == run.change(from: old), "seed \(random.seed)")
        runs[key] = run
      }
    }

    private mutating func setPriority(_ key: Int, _ level: ImagePriority) {
      guard let old = runs[key]?.level, let index = runs[key]?.waiting.indices.randomElement(using: &random),
        let ticket = runs[key]?.waiting[index].ticket
      else { return }
      runs[key]?.waiting[index].level = level
      #expect(table.setPriority(ticket, level) == runs[key]?.change(from: old), "seed \(random.seed)")
    }

    private mutating func link(_ key: Int, _ link: Int) {
      guard let run = runs[key] else { return }
      if let old = run.links.randomElement(using: &random), Bool.random(using: &random) {
        table.unlink(run.node, from: old)
        runs[key]?.links.remove(old)
      } else {
        #expect(table.link(run.node, to: link) == run.level, "seed \(random.seed)")
        runs[key]?.links.insert(link)
      }
    }

    private mutating func finish(_ key: Int) {
      guard let run = runs.removeValue(forKey: key) else { return }
      #expect(table.finish(run.node) == run.waiting.map(\.name), "seed \(random.seed)")
      stale.append(run.node)
      served += run.waiting.map(\.ticket)
    }

    /// Whoever is gone changes nothing: the checks after each step see to it.
    private mutating func useStale(_ level: ImagePriority) {
      if let node = stale.randomElement(using: &random) {
        #expect(table.finish(node) == [], "seed \(random.seed)")
        #expect(table.link(node, to: -1) == nil && table.priority(node) == nil, "seed \(random.seed)")
      }
      if let ticket = served.randomElement(using: &random) {
        #expect(table.leave(ticket)?.waiter == nil, "seed \(random.seed)")
        #expect(table.setPriority(ticket, level) == nil, "seed \(random.seed)")
      }
    }
  }
}
