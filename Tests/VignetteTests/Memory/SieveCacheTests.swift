import ImageCodecs
import Pixels
import Testing

@testable import Vignette

@Suite("The cache's state")
struct SieveCacheTests {
  /// One walk: a cache, the pictures its imagined views hold, and the time.
  private struct Walk {
    var random = SeededRandom()
    var cache = SieveCache(budget: 60_000, entryCeiling: 16_000, lifetime: 400)
    var held: [ImageMemoryCache.Entry] = []
    var now = 0.0

    mutating func step() {
      now += 1
      let source = SourceKey("\(Int.random(in: 0..<12, using: &random))")
      let key = VariantKey(source: source, chain: [nil, nil, "circle"].randomElement(using: &random) ?? nil)
      let side = Int.random(in: 1..<70, using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0...5: insert(key, side)
      case 6...9: look(key, side)
      case 10: if !held.isEmpty { held.remove(at: Int.random(in: 0..<held.count, using: &random)) }
      case 11:
        cache.remove(source)
        let found = cache.best(for: key, target: .full, now: now)
        #expect(found == nil, "seed \(random.seed)")
      case 12: cache.setBudget(Int.random(in: 0..<90_000, using: &random))
      case 13: cache.trim(to: Int.random(in: 0..<60_000, using: &random))
      case 14: _ = cache.takeDiscarded()
      default: if Int.random(in: 0..<20, using: &random) == 0 { cache.removeAll() }
      }
    }

    private mutating func insert(_ key: VariantKey, _ side: Int) {
      let contents = ["v1", "v1", "v1", "v2"].randomElement(using: &random)
      let entry = ImageMemoryCache.Entry.blank(side, side + 1, contents: contents)
      cache.insert(entry, for: key, now: now)
      if Bool.random(using: &random) { held.append(entry) }
      // `entry` itself holds the picture, so that it is found even where it is not kept.
      let found = cache.best(for: key, target: .box(side, side + 1), now: now)
      let isFound = found?.contents == entry.contents && found?.satisfies(.box(side, side + 1)) == true
      #expect(isFound, "seed \(random.seed)")
    }

    private mutating func look(_ key: VariantKey, _ side: Int) {
      guard let found = cache.best(for: key, target: .box(side, side), now: now) else { return }
      #expect(!found.image.bitmap.size.isEmpty, "seed \(random.seed)")
      if Bool.random(using: &random) { held.append(found) }
    }
  }

  @Test("a random walk keeps the invariants after every step", arguments: 0..<10)
  func randomWalk(_ round: Int) {
    var walk = Walk()
    for _ in 0..<1_500 {
      walk.step()
      #expect(walk.cache.checkInvariants() == nil, "seed \(walk.random.seed)")
    }
    #expect(walk.cache.statistics.weakHits > 0, "seed \(walk.random.seed)")
  }

  @Test("the hand goes on where it was: what was judged before is not judged again first")
  func handStays() {
    var cache = SieveCache(budget: 4 * (400 + SieveCache.overhead + 1), entryCeiling: 2_000)
    func key(_ name: String) -> VariantKey { VariantKey(source: SourceKey(name)) }
    for name in ["a", "b", "c", "d"] { cache.insert(.blank(10, 10), for: key(name)) }
    for name in ["a", "b"] { _ = cache.best(for: key(name), target: .full) }
    // Passes a and b, whose bits it clears, and evicts c; then d, then e, though a and b are older and unmarked.
    for name in ["e", "f", "g"] { cache.insert(.blank(10, 10), for: key(name)) }
    let left = ["a", "b", "c", "d", "e", "f", "g"].filter { cache.best(for: key($0), target: .full) != nil }
    #expect(left == ["a", "b", "f", "g"])
  }

  @Test("an emptied cache gives its tables back and goes on working")
  func emptied() {
    var cache = SieveCache(budget: 1 << 20)
    for round in 0..<3 {
      for number in 0..<50 { cache.insert(.blank(2, 2), for: VariantKey(source: SourceKey("\(number)"))) }
      #expect(cache.count == 50)
      if round == 1 { cache.trim(to: 0) } else { cache.removeAll() }
      #expect(cache.count == 0)
      #expect(cache.checkInvariants() == nil)
    }
  }
}

@Suite("Linked slots")
struct LinkedSlotsTests {
  @Test("behave like an array for each list, at every step of a random walk", arguments: 0..<5)
  func randomWalk(_ round: Int) {
    var random = SeededRandom()
    var slots = LinkedSlots<Int>()
    var lists = [LinkedSlots<Int>.List(), LinkedSlots<Int>.List()]
    var model: [[Int]] = [[], []]
    for step in 0..<800 {
      let one = Int.random(in: 0...1, using: &random)
      let at = model[one].randomElement(using: &random)
      switch (Int.random(in: 0..<4, using: &random), at) {
      case (0...1, _), (_, nil):
        let new = slots.add(step)
        slots.link(new, into: &lists[one])
        model[one].append(new)
      case (2, let at?):
        slots.unlink(at, from: &lists[one])
        slots.link(at, into: &lists[1 - one])
        model[one].removeAll { $0 == at }
        model[1 - one].append(at)
      case (_, let at?):
        slots.unlink(at, from: &lists[one])
        slots.free(at)
        model[one].removeAll { $0 == at }
      }
      #expect(slots.checkInvariants(lists) == nil, "seed \(random.seed)")
      #expect(lists.map { slots.slots(of: $0) } == model, "seed \(random.seed)")
    }
  }
}
