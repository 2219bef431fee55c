import Pixels
import Synchronized
import Testing

@testable import Vignette

/// A source of memory pressure pushed by hand.
private final class ManualPressure: Sendable {
  let handler = Locked<MemoryPressureSource.Handler?>(nil)

  var source: MemoryPressureSource {
    MemoryPressureSource { handler in
      self.handler.withLock { $0 = handler }
      return .init { self.handler.withLock { $0 = nil } }
    }
  }

  var isSubscribed: Bool { handler.withLock { $0 } != nil }
  func push(_ event: MemoryPressure) { handler.withLock { $0 }?(event) }
}

@Suite("Memory pressure")
struct MemoryPressureTests {
  @Test(
    "each event leaves a share of what is held",
    arguments: [
      (MemoryPressure.warning, 1_000, 10_000, 500), (.warning, 0, 10_000, 0), (.critical, 1_000, 10_000, 0),
      (.background, 1_000, 10_000, 1_000), (.background, 9_000, 10_000, 2_500),
    ])
  func allowance(event: MemoryPressure, cost: Int, budget: Int, left: Int) {
    #expect(event.allowance(cost: cost, budget: budget) == left)
  }

  @Test("a cache does what an event of its source asks for")
  func reaction() {
    let pressure = ManualPressure()
    let cost = 400 + SieveCache.overhead + 1
    let cache = ImageMemoryCache(budget: 8 * cost, pressure: pressure.source)
    for number in 0..<8 { cache.insert(.blank(10, 10), for: SourceKey("\(number)")) }
    pressure.push(.warning)
    #expect(cache.count == 4)
    pressure.push(.background)
    #expect(cache.count == 2)
    pressure.push(.critical)
    #expect(cache.count == 0)
    #expect(cache.statistics.evictions.pressure == 8)
    #expect(cache.budget == 8 * cost)
  }

  @Test("what is on screen is found even after a critical event")
  func onScreen() {
    let pressure = ManualPressure()
    let cache = ImageMemoryCache(pressure: pressure.source)
    let shown = ImageMemoryCache.Entry.blank(10, 10)
    cache.insert(shown, for: SourceKey("a"))
    pressure.push(.critical)
    let found = cache.bestEntry(for: ImageKey(source: SourceKey("a"), target: .full))
    #expect(found?.image.bitmap.isIdentical(to: shown.image.bitmap) == true)
  }

  @Test("a cache that goes no longer listens, and listening does not keep it")
  func ends() {
    let pressure = ManualPressure()
    weak var cache: ImageMemoryCache?
    do {
      let strong = ImageMemoryCache(pressure: pressure.source)
      cache = strong
      #expect(pressure.isSubscribed)
      withExtendedLifetime(strong) {}
    }
    #expect(cache == nil)
    #expect(!pressure.isSubscribed)
  }

  @Test("all subscribers share one watch, which ends with the last of them and starts again with the next")
  func shared() {
    let starts = Locked(0)
    let running = Locked<MemoryPressureSource.Handler?>(nil)
    let system = SystemMemoryPressure { handler in
      starts.withLock { $0 += 1 }
      running.withLock { $0 = handler }
      return { running.withLock { $0 = nil } }
    }
    let heard = Locked<[String]>([])
    let one = system.subscribe { event in heard.withLock { $0.append("one \(event)") } }
    let two = system.subscribe { event in heard.withLock { $0.append("two \(event)") } }
    #expect(starts.withLock { $0 } == 1)
    running.withLock { $0 }?(.warning)
    #expect(Set(heard.withLock { $0 }) == ["one warning", "two warning"])
    one.cancel()
    one.cancel()
    running.withLock { $0 }?(.critical)
    #expect(heard.withLock { $0 }.last == "two critical")
    two.cancel()
    #expect(running.withLock { $0 } == nil)
    let three = system.subscribe { _ in }
    #expect(starts.withLock { $0 } == 2)
    three.cancel()
  }

  @Test("a subscriber that leaves while the watch starts leaves no watch behind")
  func leavesEarly() {
    let early = Locked<MemoryPressureSource.Subscription?>(nil)
    let stops = Locked(0)
    let system = Locked<SystemMemoryPressure?>(nil)
    let shared = SystemMemoryPressure { _ in
      // A second subscriber comes and goes, and the first has not got its subscription yet.
      let other = system.withLock { $0 }?.subscribe { _ in }
      early.withLock { $0 = other }
      return { stops.withLock { $0 += 1 } }
    }
    system.withLock { $0 = shared }
    let first = shared.subscribe { _ in }
    first.cancel()
    #expect(stops.withLock { $0 } == 0)
    early.withLock { $0 }?.cancel()
    #expect(stops.withLock { $0 } == 1)
    system.withLock { $0 = nil }
  }
}

@Suite("A control group's memory events")
struct ControlGroupEventsTests {
  private func events(high: Int = 0, max: Int = 0, oom: Int = 0) -> ControlGroupEvents {
    ControlGroupEvents("low 3\nhigh \(high)\nmax \(max)\noom \(oom)\noom_kill 9\n")
  }

  @Test("are read by name, in any order, and are 0 where they are missing")
  func parsing() {
    let read = ControlGroupEvents("oom 3\nhigh 1\nmax 2\n")
    #expect((read.high, read.max, read.oom) == (1, 2, 3))
    for text in ["", "high\nmax x\noom -\n", "highest 5\n oom"] {
      #expect(ControlGroupEvents(text) == ControlGroupEvents())
    }
  }

  @Test("running out is critical, whatever is used")
  func outOfMemory() {
    #expect(events(oom: 1).meaning(since: events(), used: nil, limit: nil) == .critical)
  }

  @Test(
    "meeting the limit counts by how much of it is not page cache",
    arguments: [(10, nil), (69, nil), (70, MemoryPressure.warning), (89, .warning), (90, .critical), (100, .critical)])
  func byUse(used: Int, meaning: MemoryPressure?) {
    #expect(events(max: 1).meaning(since: events(), used: used, limit: 100) == meaning)
    #expect(events(high: 1).meaning(since: events(), used: used, limit: 100) == meaning)
  }

  @Test("nothing new means nothing, and so does what cannot be judged")
  func nothing() {
    let same = events(high: 4, max: 4, oom: 4)
    #expect(same.meaning(since: same, used: 100, limit: 100) == nil)
    #expect(events(max: 1).meaning(since: events(), used: nil, limit: 100) == nil)
    #expect(events(max: 1).meaning(since: events(), used: 100, limit: nil) == nil)
    #expect(events(max: 1).meaning(since: events(), used: 100, limit: 0) == nil)
    #expect(events().meaning(since: same, used: 100, limit: 100) == nil)
  }
}
