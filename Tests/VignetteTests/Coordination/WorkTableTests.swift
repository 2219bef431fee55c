import Testing

@testable import Vignette

@Suite("The pure state of coalesced work")
struct WorkTableTests {
  typealias Table = WorkTable<String, String>

  /// Joins and answers the generation when this started the work.
  private func join(_ table: inout Table, _ key: String, _ name: String) -> (Table.WaiterID, Table.Generation?) {
    let id = table.makeWaiterID()
    guard case .start(let generation) = table.join(key, id: id, waiter: name) else { return (id, nil) }
    return (id, generation)
  }

  @Test("the first to join starts the work and the rest wait")
  func firstStarts() throws {
    var table = Table()
    let generation = try #require(join(&table, "a", "one").1)
    #expect(join(&table, "a", "two").1 == nil)
    #expect(join(&table, "b", "three").1 != nil)
    #expect(table.count == 2)
    #expect(table.finish("a", generation) == ["one", "two"])
    #expect(table.count == 1)
  }

  @Test("finishing hands every waiter out once")
  func finishOnce() throws {
    var table = Table()
    let (id, generation) = join(&table, "a", "one")
    let run = try #require(generation)
    #expect(table.finish("a", run) == ["one"])
    #expect(table.finish("a", run) == [])
    #expect(table.leave("a", id: id) == nil)
  }

  @Test("leaving takes one waiter and leaves the rest")
  func leaveOne() throws {
    var table = Table()
    let (first, generation) = join(&table, "a", "one")
    _ = join(&table, "a", "two")
    let leaving = table.leave("a", id: first)
    let left = try #require(leaving)
    #expect(left.waiter == "one")
    #expect(left.cancel == nil)
    #expect(table.leave("a", id: first) == nil)
    #expect(table.finish("a", try #require(generation)) == ["two"])
  }

  @Test("the last to leave cancels the work")
  func lastLeaves() async throws {
    var table = Table()
    let (id, generation) = join(&table, "a", "one")
    let task = Task<Void, Never> {}
    #expect(table.didStart("a", try #require(generation), task: task) == true)
    let leaving = table.leave("a", id: id)
    let left = try #require(leaving)
    #expect(left.cancel == task)
    #expect(table.count == 0)
    await task.value
  }

  @Test("a task that starts after everybody left is told so")
  func lateStart() throws {
    var table = Table()
    let (id, generation) = join(&table, "a", "one")
    _ = table.leave("a", id: id)
    #expect(table.didStart("a", try #require(generation), task: Task {}) == false)
  }

  @Test("a superseded generation finishes nobody and hears of nobody")
  func superseded() throws {
    var table = Table()
    let (id, old) = join(&table, "a", "one")
    _ = table.leave("a", id: id)
    let (_, new) = join(&table, "a", "two")
    let (oldRun, newRun) = (try #require(old), try #require(new))
    #expect(oldRun != newRun)
    #expect(table.waiters("a", oldRun).isEmpty)
    #expect(table.finish("a", oldRun) == [])
    #expect(table.waiters("a", newRun) == ["two"])
    #expect(table.finish("a", newRun) == ["two"])
  }

  @Test("a random walk agrees with a list of who waits for what", arguments: 0..<20)
  func randomWalk(_ round: Int) {
    var random = SeededRandom()
    var table = WorkTable<Int, Int>()
    var model: [Int: [Int]] = [:]
    var runs: [Int: WorkTable<Int, Int>.Generation] = [:]
    var stale: [(Int, WorkTable<Int, Int>.Generation)] = []
    var ids: [Int: (key: Int, id: WorkTable<Int, Int>.WaiterID)] = [:]
    var served: Set<Int> = []
    for name in 0..<1_000 {
      let key = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let id = table.makeWaiterID()
        ids[name] = (key, id)
        let action = table.join(key, id: id, waiter: name)
        if case .start(let run) = action { runs[key] = run }
        #expect((action != .wait) == (model[key] == nil), "seed \(random.seed)")
        model[key, default: []].append(name)
      case 2:
        guard let (name, place) = ids.randomElement(using: &random) else { continue }
        let left = table.leave(place.key, id: place.id)
        #expect((left == nil) == served.contains(name), "seed \(random.seed)")
        guard left != nil else { continue }
        served.insert(name)
        model[place.key]?.removeAll { $0 == name }
        guard model[place.key]?.isEmpty == true else { continue }
        model[place.key] = nil
        if let run = runs.removeValue(forKey: place.key) { stale.append((place.key, run)) }
      default:
        if let (key, run) = stale.randomElement(using: &random) {
          #expect(table.finish(key, run) == [], "seed \(random.seed)")
        }
        guard let run = runs.removeValue(forKey: key) else { continue }
        let waiters = table.finish(key, run)
        #expect(waiters == model.removeValue(forKey: key), "seed \(random.seed)")
        #expect(served.isDisjoint(with: waiters), "seed \(random.seed)")
        served.formUnion(waiters)
        stale.append((key, run))
      }
      #expect(table.count == model.count, "seed \(random.seed)")
    }
  }
}
