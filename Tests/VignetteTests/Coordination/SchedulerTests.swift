import Synchronized
import Testing

@testable import Vignette

@Suite("The pure order of work")
struct SchedulerTests {
  private func enqueue(_ scheduler: inout Scheduler<String>, _ id: String, _ priority: ImagePriority) -> [String] {
    scheduler.enqueue(id, priority: { priority })
  }

  @Test("no more than the limit run")
  func limit() {
    var scheduler = Scheduler<String>(limit: 2)
    #expect(enqueue(&scheduler, "a", .visible) == ["a"])
    #expect(enqueue(&scheduler, "b", .visible) == ["b"])
    #expect(enqueue(&scheduler, "c", .visible) == [])
    #expect(scheduler.finish("a") == ["c"])
  }

  @Test("a limit of nothing means one", arguments: [0, -3])
  func noLimit(_ limit: Int) {
    var scheduler = Scheduler<String>(limit: limit)
    #expect(enqueue(&scheduler, "a", .prefetch) == ["a"])
  }

  @Test("visible work starts newest first, before all other work, which starts oldest first")
  func order() {
    var scheduler = Scheduler<String>(limit: 1)
    _ = enqueue(&scheduler, "running", .visible)
    let queued: [(String, ImagePriority)] = [
      ("prefetch 1", .prefetch), ("background 1", .background), ("visible 1", .visible),
      ("prefetch 2", .prefetch), ("background 2", .background), ("visible 2", .visible),
    ]
    for (id, priority) in queued { _ = enqueue(&scheduler, id, priority) }
    var order: [String] = []
    var running = "running"
    while let next = scheduler.finish(running).first {
      order.append(next)
      running = next
    }
    #expect(order == ["visible 2", "visible 1", "background 1", "background 2", "prefetch 1", "prefetch 2"])
  }

  @Test("prefetch leaves the last slot free")
  func lastSlot() {
    var scheduler = Scheduler<String>(limit: 2)
    #expect(enqueue(&scheduler, "a", .prefetch) == ["a"])
    #expect(enqueue(&scheduler, "b", .prefetch) == [])
    #expect(enqueue(&scheduler, "c", .visible) == ["c"])
    #expect(scheduler.finish("c") == [])
    #expect(scheduler.finish("a") == ["b"])
  }

  @Test("prefetched work that becomes visible takes the last slot")
  func raise() {
    let priority = Locked(ImagePriority.prefetch)
    var scheduler = Scheduler<String>(limit: 2)
    _ = enqueue(&scheduler, "a", .prefetch)
    #expect(scheduler.enqueue("b", priority: { priority.withLock { $0 } }) == [])
    priority.withLock { $0 = .visible }
    #expect(scheduler.reconsider() == ["b"])
  }

  @Test("work is cancelled while it waits and not once it runs")
  func cancel() {
    var scheduler = Scheduler<String>(limit: 1)
    _ = enqueue(&scheduler, "a", .visible)
    _ = enqueue(&scheduler, "b", .visible)
    #expect(scheduler.cancel("a") == false)
    #expect(scheduler.cancel("b") == true)
    #expect(scheduler.cancel("b") == false)
    #expect(scheduler.finish("a") == [])
  }

  @Test("a random walk agrees with a sorted list", arguments: 1...6)
  func randomWalk(_ limit: Int) {
    var random = SeededRandom()
    var scheduler = Scheduler<Int>(limit: limit)
    var model = Model(limit: limit)
    for id in 0..<2_000 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1, 2:
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .visible
        model.waiting.append((id, priority))
        #expect(scheduler.enqueue(id, priority: { priority }) == model.start(), "seed \(random.seed)")
      case 3:
        guard let id = model.running.sorted().randomElement(using: &random) else { continue }
        model.running.remove(id)
        #expect(scheduler.finish(id) == model.start(), "seed \(random.seed)")
      default:
        let id = Int.random(in: 0...id, using: &random)
        let isWaiting = model.waiting.contains { $0.id == id }
        model.waiting.removeAll { $0.id == id }
        #expect(scheduler.cancel(id) == isWaiting, "seed \(random.seed)")
      }
      #expect(scheduler.running == model.running && scheduler.running.count <= limit, "seed \(random.seed)")
      #expect(scheduler.waitingCount == model.waiting.count, "seed \(random.seed)")
    }
  }

  /// The order written the plain way: sort, then take from the front.
  private struct Model {
    let limit: Int
    var waiting: [(id: Int, priority: ImagePriority)] = []
    var running: Set<Int> = []

    mutating func start() -> [Int] {
      var started: [Int] = []
      while running.count < limit {
        let mayPrefetch = limit == 1 || running.count < limit - 1
        let sorted = waiting.filter { mayPrefetch || $0.priority != .prefetch }.sorted { one, other in
          guard one.priority == other.priority else { return one.priority > other.priority }
          return one.priority == .visible ? one.id > other.id : one.id < other.id
        }
        guard let next = sorted.first?.id else { break }
        waiting.removeAll { $0.id == next }
        running.insert(next)
        started.append(next)
      }
      return started
    }
  }
}
