import Testing

@testable import Vignette

@Suite("The pure order of work, compared with a list")
struct SchedulerWalkTests {
  struct Limits: Sendable {
    var limit: Int
    var laneLimit: Int
  }

  static let limits = (1...5).flatMap { limit in
    [1, 2, 3, .max].map { Limits(limit: limit, laneLimit: $0) }
  }

  @Test("a random walk agrees with a list that is searched from end to end", arguments: limits)
  func randomWalk(_ limits: Limits) {
    var random = SeededRandom()
    var scheduler = Scheduler<Int>(limit: limits.limit, laneLimit: limits.laneLimit)
    var model = Model(limit: limits.limit, laneLimit: limits.laneLimit)
    for id in 0..<500 {
      let known = model.items.map(\.id).randomElement(using: &random)
      let level = ImagePriority.allCases.randomElement(using: &random) ?? .visible
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2:
        let lane = String(Int.random(in: 0..<3, using: &random))
        let outcome = scheduler.enqueue(id, priority: level, lane: lane)
        #expect(outcome == model.enqueue(id, level, lane), "seed \(random.seed)")
      case 3, 4:
        guard let id = known else { continue }
        #expect(scheduler.finish(id) == model.finish(id), "seed \(random.seed)")
      case 5:
        guard let id = known else { continue }
        #expect(scheduler.cancel(id) == model.cancel(id), "seed \(random.seed)")
      case 6:
        guard let id = known else { continue }
        #expect(scheduler.setPriority(id, level) == model.setPriority(id, level), "seed \(random.seed)")
      default:
        guard let id = model.asked ?? known else { continue }
        #expect(scheduler.pause(id) == model.pause(id), "seed \(random.seed)")
      }
      #expect(scheduler.running == Set(model.running.map(\.id)), "seed \(random.seed)")
      #expect(scheduler.waitingCount == model.waiting.count, "seed \(random.seed)")
      if let fault = scheduler.checkInvariants() { Issue.record("\(fault), seed \(random.seed)") }
    }
  }

  /// The rules written the plain way: one list, searched for each decision.
  private struct Model {
    struct Item {
      let id: Int
      var level: ImagePriority
      let lane: String
      var age: Int
      var isRunning = false
    }

    let limit: Int
    let laneLimit: Int
    var items: [Item] = []
    var asked: Int?
    private var newest = 0
    private var eldest = 0
    private var starts = 0

    init(limit: Int, laneLimit: Int) {
      self.limit = limit
      self.laneLimit = laneLimit
    }

    var running: [Item] { items.filter(\.isRunning) }
    var waiting: [Item] { items.filter { !$0.isRunning } }

    private func index(_ id: Int) -> Int? { items.firstIndex { $0.id == id } }
    private func running(in lane: String) -> Int { running.filter { $0.lane == lane }.count }

    mutating func enqueue(_ id: Int, _ level: ImagePriority, _ lane: String) -> Scheduler<Int>.Outcome {
      newest += 1
      items.append(Item(id: id, level: level, lane: lane, age: newest))
      return decide()
    }

    mutating func finish(_ id: Int) -> Scheduler<Int>.Outcome {
      items.removeAll { $0.id == id }
      if asked == id { asked = nil }
      return decide()
    }

    mutating func cancel(_ id: Int) -> Bool {
      guard waiting.contains(where: { $0.id == id }) else { return false }
      items.removeAll { $0.id == id }
      return true
    }

    mutating func setPriority(_ id: Int, _ level: ImagePriority) -> Scheduler<Int>.Outcome {
      guard let index = index(id), items[index].level != level else { return .init() }
      items[index].level = level
      if items[index].isRunning {
        if asked == id, level != .prefetch { asked = nil }
      } else {
        newest += 1
        items[index].age = newest
      }
      return decide()
    }

    mutating func pause(_ id: Int) -> (Bool, Scheduler<Int>.Outcome) {
      guard asked == id, let index = index(id) else { return (false, .init()) }
      asked = nil
      guard wouldHelp(items[index]) else { return (false, decide()) }
      eldest -= 1
      items[index].age = eldest
      items[index].isRunning = false
      return (true, decide())
    }

    private mutating func decide() -> Scheduler<Int>.Outcome {
      var outcome = Scheduler<Int>.Outcome()
      while running.count < limit, let next = next(), let index = index(next.id) {
        items[index].isRunning = true
        starts += 1
        if starts == Scheduler<Int>.oldestEvery { starts = 0 }
        outcome.started.append(next.id)
      }
      if running.count == limit, asked == nil {
        asked = running.filter { wouldHelp($0) }.max { $0.age < $1.age }?.id
        outcome.preempted = asked.map { [$0] } ?? []
      }
      return outcome
    }

    private func next() -> Item? {
      let able = waiting.filter { item in
        let own = running(in: item.lane)
        guard item.level == .prefetch else { return own < laneLimit }
        let spared = (limit: limit == 1 ? 1 : limit - 1, laneLimit: laneLimit == 1 ? 1 : laneLimit - 1)
        return running.count < spared.limit && own < spared.laneLimit
      }
      if starts == Scheduler<Int>.oldestEvery - 1 { return able.min { $0.age < $1.age } }
      let level = able.map(\.level).max()
      let best = able.filter { $0.level == level }
      let isNewestFirst = level == .visible || level == .urgent
      return isNewestFirst ? best.max { $0.age < $1.age } : best.min { $0.age < $1.age }
    }

    /// Whether something visible could start if this did not run.
    private func wouldHelp(_ item: Item) -> Bool {
      guard item.level == .prefetch else { return false }
      return waiting.contains { other in
        (other.level == .visible || other.level == .urgent)
          && running(in: other.lane) - (other.lane == item.lane ? 1 : 0) < laneLimit
      }
    }
  }
}
