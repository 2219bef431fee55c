import Testing

@testable import Vignette

@Suite("The pure order of work")
struct SchedulerTests {
  /// Frees the place of what runs, until nothing is left, and answers the order in which the rest started.
  private func drain(_ scheduler: inout Scheduler<String>, from running: String) -> [String] {
    var order: [String] = []
    var running = running
    while let next = scheduler.finish(running).started.first {
      order.append(next)
      running = next
    }
    return order
  }

  /// With one place, taken, so that all that is put in afterwards waits.
  private func occupied(limit: Int = 1) -> Scheduler<String> {
    var scheduler = Scheduler<String>(limit: limit)
    for number in 0..<limit { _ = scheduler.enqueue("running \(number)", priority: .urgent) }
    return scheduler
  }

  // MARK: Limits

  @Test("no more than the limit run")
  func limit() {
    var scheduler = Scheduler<String>(limit: 2)
    #expect(scheduler.enqueue("a", priority: .visible).started == ["a"])
    #expect(scheduler.enqueue("b", priority: .visible).started == ["b"])
    #expect(scheduler.enqueue("c", priority: .visible).started == [])
    #expect(scheduler.finish("a").started == ["c"])
  }

  @Test("a limit of nothing means one", arguments: [0, -3])
  func noLimit(_ limit: Int) {
    var scheduler = Scheduler<String>(limit: limit, laneLimit: limit)
    #expect(scheduler.enqueue("a", priority: .prefetch).started == ["a"])
  }

  @Test("no more than the lane's limit run in one lane, and the others go on")
  func laneLimit() {
    var scheduler = Scheduler<String>(limit: 3, laneLimit: 1)
    #expect(scheduler.enqueue("a1", priority: .visible, lane: "a").started == ["a1"])
    #expect(scheduler.enqueue("a2", priority: .urgent, lane: "a").started == [])
    #expect(scheduler.enqueue("b1", priority: .background, lane: "b").started == ["b1"])
    #expect(scheduler.finish("b1").started == [])
    #expect(scheduler.finish("a1").started == ["a2"])
  }

  // MARK: Order

  @Test("higher levels start first; visible and urgent work newest first, all other work oldest first")
  func order() {
    var scheduler = occupied()
    for number in 1...2 {
      for level in ImagePriority.allCases { _ = scheduler.enqueue("\(level) \(number)", priority: level) }
    }
    let expected = [
      "urgent 2", "urgent 1", "visible 2", "visible 1", "normal 1", "normal 2", "background 1", "background 2",
      "prefetch 1", "prefetch 2",
    ]
    #expect(drain(&scheduler, from: "running 0") == expected)
  }

  @Test("lanes do not change the order of what may start", arguments: ImagePriority.allCases)
  func orderAcrossLanes(_ level: ImagePriority) {
    var scheduler = occupied()
    let names = ["1", "2", "3", "4"]
    for name in names { _ = scheduler.enqueue(name, priority: level, lane: "lane \(name)") }
    #expect(drain(&scheduler, from: "running 0") == (level >= .visible ? names.reversed() : names))
  }

  @Test("prefetch leaves the last place free")
  func lastPlace() {
    var scheduler = Scheduler<String>(limit: 2)
    #expect(scheduler.enqueue("a", priority: .prefetch).started == ["a"])
    #expect(scheduler.enqueue("b", priority: .prefetch).started == [])
    #expect(scheduler.enqueue("c", priority: .background).started == ["c"])
    #expect(scheduler.finish("c").started == [])
    #expect(scheduler.finish("a").started == ["b"])
  }

  @Test("prefetch leaves the last place of a lane free, and takes one of another lane")
  func lastPlaceOfLane() {
    var scheduler = Scheduler<String>(limit: 9, laneLimit: 2)
    #expect(scheduler.enqueue("a1", priority: .prefetch, lane: "a").started == ["a1"])
    #expect(scheduler.enqueue("a2", priority: .prefetch, lane: "a").started == [])
    #expect(scheduler.enqueue("b1", priority: .prefetch, lane: "b").started == ["b1"])
    #expect(scheduler.enqueue("a3", priority: .visible, lane: "a").started == ["a3"])
  }

  @Test("while visible work keeps coming, every sixteenth start goes to what has waited longest")
  func oldest() {
    var scheduler = occupied()
    _ = scheduler.enqueue("patient", priority: .background)
    _ = scheduler.enqueue("first visible", priority: .visible)
    var order: [String] = []
    var running = "running 0"
    for number in 0..<40 {
      _ = scheduler.enqueue("\(number)", priority: .visible)
      let started = scheduler.finish(running).started
      #expect(started.count == 1)
      order += started
      running = started.first ?? ""
    }
    // The one that occupied the place was the first start.
    #expect(order.firstIndex(of: "patient") == 14)
    #expect(order.firstIndex(of: "first visible") == 14 + Scheduler<String>.oldestEvery)
  }

  @Test("the oldest's turn does not give prefetch the last place")
  func oldestPrefetch() {
    var scheduler = occupied(limit: 2)
    _ = scheduler.enqueue("speculative", priority: .prefetch)
    var running = "running 0"
    for number in 0..<40 {
      _ = scheduler.enqueue("\(number)", priority: .visible)
      let started = scheduler.finish(running).started
      #expect(started.count == 1 && started != ["speculative"])
      running = started.first ?? ""
    }
    #expect(scheduler.finish(running).started == [])
    #expect(scheduler.finish("running 1").started == ["speculative"])
  }

  // MARK: Priorities that change

  @Test("waiting work that is raised goes before what already waited there")
  func raiseWaiting() {
    var scheduler = occupied()
    for (name, level) in [("a", ImagePriority.prefetch), ("b", .visible), ("c", .prefetch)] {
      _ = scheduler.enqueue(name, priority: level)
    }
    #expect(scheduler.setPriority("a", .visible) == .init())
    #expect(drain(&scheduler, from: "running 0") == ["a", "b", "c"])
  }

  @Test("waiting work that is lowered goes behind what already waited there")
  func lowerWaiting() {
    var scheduler = occupied()
    for (name, level) in [("a", ImagePriority.visible), ("b", .normal), ("c", .visible)] {
      _ = scheduler.enqueue(name, priority: level)
    }
    _ = scheduler.setPriority("a", .normal)
    #expect(drain(&scheduler, from: "running 0") == ["c", "b", "a"])
  }

  @Test("setting the priority that it has moves nothing")
  func samePriority() {
    var scheduler = occupied()
    for name in ["a", "b"] { _ = scheduler.enqueue(name, priority: .visible) }
    #expect(scheduler.setPriority("a", .visible) == .init())
    #expect(drain(&scheduler, from: "running 0") == ["b", "a"])
  }

  @Test("prefetched work that becomes visible takes the last place at once")
  func raiseIntoLastPlace() {
    var scheduler = Scheduler<String>(limit: 2)
    _ = scheduler.enqueue("a", priority: .prefetch)
    _ = scheduler.enqueue("b", priority: .prefetch)
    #expect(scheduler.setPriority("b", .visible).started == ["b"])
  }

  @Test("the priority of work that is unknown is nobody's")
  func unknown() {
    var scheduler = Scheduler<String>(limit: 1)
    #expect(scheduler.setPriority("a", .urgent) == .init())
    #expect(scheduler.finish("a") == .init())
    #expect(scheduler.cancel("a") == false)
    #expect(scheduler.pause("a").isPaused == false)
  }

  // MARK: Ending

  @Test("work is cancelled while it waits and not once it runs")
  func cancel() {
    var scheduler = occupied()
    _ = scheduler.enqueue("b", priority: .visible)
    #expect(scheduler.cancel("running 0") == false)
    #expect(scheduler.cancel("b") == true)
    #expect(scheduler.cancel("b") == false)
    #expect(scheduler.finish("running 0").started == [])
  }

  @Test("finishing work that waits takes it out and frees no place")
  func finishWaiting() {
    var scheduler = occupied()
    for name in ["a", "b"] { _ = scheduler.enqueue(name, priority: .normal) }
    #expect(scheduler.finish("a") == .init())
    #expect(scheduler.waitingCount == 1)
    #expect(scheduler.running == ["running 0"])
    #expect(drain(&scheduler, from: "running 0") == ["b"])
    #expect(scheduler.checkInvariants() == nil)
  }

  // MARK: Making way

  @Test("a running prefetch makes way for visible work and then goes on before all other prefetches")
  func makeWay() {
    var scheduler = Scheduler<String>(limit: 1)
    _ = scheduler.enqueue("early", priority: .prefetch)
    _ = scheduler.enqueue("other", priority: .prefetch)
    #expect(scheduler.enqueue("seen", priority: .visible) == .init(started: [], preempted: ["early"]))
    let (isPaused, outcome) = scheduler.pause("early")
    #expect(isPaused)
    #expect(outcome == .init(started: ["seen"]))
    #expect(drain(&scheduler, from: "seen") == ["early", "other"])
  }

  @Test("a prefetch that made way goes on before all others of its level in every lane")
  func makeWayAcrossLanes() {
    var scheduler = Scheduler<String>(limit: 1)
    _ = scheduler.enqueue("early", priority: .visible, lane: "a")
    _ = scheduler.enqueue("other", priority: .prefetch, lane: "b")
    _ = scheduler.setPriority("early", .prefetch)
    _ = scheduler.setPriority("other", .background)
    _ = scheduler.setPriority("other", .prefetch)
    #expect(scheduler.enqueue("seen", priority: .visible, lane: "c").preempted == ["early"])
    #expect(scheduler.pause("early").isPaused)
    #expect(drain(&scheduler, from: "seen") == ["early", "other"])
  }

  @Test("of several prefetches the newest makes way, and one at a time")
  func newestMakesWay() {
    var scheduler = Scheduler<String>(limit: 3)
    for name in ["a", "b"] { _ = scheduler.enqueue(name, priority: .prefetch) }
    _ = scheduler.enqueue("seen 1", priority: .visible)
    #expect(scheduler.enqueue("seen 2", priority: .visible).preempted == ["b"])
    #expect(scheduler.enqueue("seen 3", priority: .visible).preempted == [])
    #expect(scheduler.pause("b").outcome == .init(started: ["seen 3"], preempted: ["a"]))
  }

  @Test("nothing makes way for less than visible work", arguments: [ImagePriority.background, .normal])
  func notForLess(_ level: ImagePriority) {
    var scheduler = Scheduler<String>(limit: 1)
    _ = scheduler.enqueue("early", priority: .prefetch)
    #expect(scheduler.enqueue("later", priority: level) == .init())
    #expect(scheduler.pause("early").isPaused == false)
  }

  @Test("nothing but prefetch makes way", arguments: ImagePriority.allCases.dropFirst())
  func onlyPrefetch(_ level: ImagePriority) {
    var scheduler = Scheduler<String>(limit: 1)
    _ = scheduler.enqueue("early", priority: level)
    #expect(scheduler.enqueue("later", priority: .urgent) == .init())
  }

  @Test("a prefetch does not make way for work whose lane is full of others")
  func otherLane() {
    var scheduler = Scheduler<String>(limit: 2, laneLimit: 1)
    _ = scheduler.enqueue("early", priority: .prefetch, lane: "a")
    _ = scheduler.enqueue("seen 1", priority: .visible, lane: "b")
    #expect(scheduler.enqueue("seen 2", priority: .visible, lane: "b") == .init())
    #expect(scheduler.enqueue("seen 3", priority: .visible, lane: "a").preempted == ["early"])
  }

  @Test("a prefetch goes on when what it should make way for has left meanwhile")
  func wayNoLongerWanted() {
    var scheduler = Scheduler<String>(limit: 1)
    _ = scheduler.enqueue("early", priority: .prefetch)
    _ = scheduler.enqueue("seen", priority: .visible)
    #expect(scheduler.cancel("seen") == true)
    #expect(scheduler.pause("early") == (false, .init()))
    #expect(scheduler.running == ["early"])
  }

  @Test("a prefetch that became visible need not make way, and another is asked at once")
  func raisedBeforeMakingWay() {
    var scheduler = Scheduler<String>(limit: 3)
    for name in ["a", "b"] { _ = scheduler.enqueue(name, priority: .prefetch) }
    _ = scheduler.enqueue("seen 1", priority: .visible)
    #expect(scheduler.enqueue("seen 2", priority: .visible).preempted == ["b"])
    #expect(scheduler.setPriority("b", .visible).preempted == ["a"])
    #expect(scheduler.pause("b") == (false, .init()))
    #expect(scheduler.pause("a") == (true, .init(started: ["seen 2"])))
  }

  @Test("when the one that was asked cannot make way, the one that can is asked")
  func askAnother() {
    var scheduler = Scheduler<String>(limit: 2, laneLimit: 1)
    _ = scheduler.enqueue("a1", priority: .visible, lane: "a")
    _ = scheduler.enqueue("b1", priority: .visible, lane: "b")
    for name in ["a1", "b1"] { _ = scheduler.setPriority(name, .prefetch) }
    #expect(scheduler.enqueue("b2", priority: .visible, lane: "b").preempted == ["b1"])
    #expect(scheduler.enqueue("a2", priority: .visible, lane: "a").preempted == [])
    #expect(scheduler.cancel("b2") == true)
    #expect(scheduler.pause("b1") == (false, .init(preempted: ["a1"])))
  }
}
