import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing

@testable import Vignette

@Suite("Decoded pictures in memory")
struct ImageMemoryCacheTests {
  private func key(_ name: String, _ target: DecodeTarget = .full) -> ImageKey {
    ImageKey(source: SourceKey(name), target: target)
  }

  /// What a 10 x 10 picture under a key of one letter costs.
  private let small = 400 + SieveCache.overhead + 1

  @Test("the budget is kept to the byte")
  func exactBudget() {
    let cache = ImageMemoryCache(budget: 3 * small)
    for name in ["a", "b", "c"] { cache.insert(.blank(10, 10), for: SourceKey(name)) }
    #expect(cache.cost == 3 * small)
    #expect(cache.byteCount == 1_200)
    #expect(cache.count == 3)
    cache.insert(.blank(1, 1), for: SourceKey("d"))
    #expect(cache.byteCount == 804)
    #expect(cache.evictions == 1)
  }

  @Test("pictures of one pixel are bounded too, by what an entry costs beside its pixels")
  func manyTiny() {
    let cache = ImageMemoryCache(budget: 100_000)
    for number in 0..<1_000 { cache.insert(.blank(1, 1), for: SourceKey("\(number)")) }
    #expect(cache.cost <= 100_000)
    #expect(cache.count == 100_000 / (4 + SieveCache.overhead + 3))
  }

  @Test("the key counts: a data URL is its own key")
  func longKey() {
    let cache = ImageMemoryCache(budget: 100_000)
    cache.insert(.blank(1, 1), for: SourceKey(String(repeating: "k", count: 60_000)))
    #expect(cache.cost == 4 + SieveCache.overhead + 60_000)
    cache.insert(.blank(1, 1), for: SourceKey(String(repeating: "l", count: 60_000)))
    #expect(cache.count == 1)
  }

  @Test("a picture larger than the budget is not kept and evicts nothing")
  func tooLarge() {
    let cache = ImageMemoryCache(budget: small)
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    cache.insert(.blank(10, 11), for: SourceKey("b"))
    #expect(cache.bestEntry(for: key("a")) != nil)
    #expect(cache.bestEntry(for: key("b")) == nil)
  }

  @Test("a budget of nothing, or less, keeps nothing", arguments: [0, -1, Int.min])
  func noBudget(_ budget: Int) {
    let cache = ImageMemoryCache(budget: budget)
    cache.insert(.blank(1, 1), for: SourceKey("a"))
    #expect(cache.count == 0)
  }

  @Test("a picture that was used outlives one that was not")
  func usedOutlivesUnused() {
    let cache = ImageMemoryCache(budget: 2 * small)
    cache.insert(.blank(10, 10), for: SourceKey("u"))
    cache.insert(.blank(10, 10), for: SourceKey("x"))
    _ = cache.bestEntry(for: key("u"))
    cache.insert(.blank(10, 10), for: SourceKey("n"))
    #expect(cache.bestEntry(for: key("u")) != nil)
    #expect(cache.bestEntry(for: key("x")) == nil)
  }

  @Test("a long scroll past new pictures does not flush those that are looked at again")
  func scan() {
    let cache = ImageMemoryCache(budget: 20 * (small + 4))
    for number in 0..<10 { cache.insert(.blank(10, 10), for: SourceKey("hot\(number)")) }
    for round in 0..<20 {
      for number in 0..<10 { #expect(cache.bestEntry(for: key("hot\(number)")) != nil, "round \(round)") }
      for number in 0..<8 { cache.insert(.blank(10, 10), for: SourceKey("\(round).\(number)")) }
    }
  }

  @Test("the smallest variant that is large enough is the best")
  func smallestSufficient() {
    let cache = ImageMemoryCache()
    let source = PixelSize(width: 400, height: 300)
    for side in [400, 100, 200] { cache.insert(.blank(side, side * 3 / 4, of: source), for: SourceKey("a")) }
    #expect(cache.bestEntry(for: key("a", .box(150, 150)))?.image.bitmap.size.width == 200)
    #expect(cache.bestEntry(for: key("a", .box(100, 100)))?.image.bitmap.size.width == 100)
    #expect(cache.bestEntry(for: key("a"))?.image.bitmap.size.width == 400)
  }

  @Test("failing that, the largest there is stands in for it")
  func largestInsufficient() throws {
    let cache = ImageMemoryCache()
    let source = PixelSize(width: 400, height: 300)
    for side in [100, 200] { cache.insert(.blank(side, side * 3 / 4, of: source), for: SourceKey("a")) }
    let entry = try #require(cache.bestEntry(for: key("a")))
    #expect(entry.image.bitmap.size.width == 200)
    #expect(!entry.satisfies(.full))
  }

  @Test("a small source satisfies a large box, since nothing is enlarged")
  func smallSource() {
    #expect(ImageMemoryCache.Entry.blank(10, 10).satisfies(.box(1_000, 1_000)))
    #expect(!ImageMemoryCache.Entry.blank(10, 10, of: PixelSize(width: 20, height: 20)).satisfies(.full))
  }

  @Test("fit and fill ask for different pixels of one box")
  func fitAndFill() {
    let entry = ImageMemoryCache.Entry.blank(100, 75, of: PixelSize(width: 400, height: 300))
    #expect(entry.satisfies(.box(100, 100, .fit)))
    #expect(!entry.satisfies(.box(100, 100, .fill)))
  }

  @Test("a new picture of one size takes the place of the old one")
  func replace() {
    let cache = ImageMemoryCache()
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    #expect(cache.count == 1)
  }

  @Test("variants decoded from older bytes go when newer ones come")
  func newContents() {
    let cache = ImageMemoryCache()
    cache.insert(.blank(10, 10, contents: "old"), for: SourceKey("a"))
    cache.insert(.blank(20, 20, contents: "old"), for: SourceKey("a"))
    cache.insert(.blank(5, 5, contents: "new"), for: SourceKey("a"))
    #expect(cache.count == 1)
    #expect(cache.bestEntry(for: key("a"))?.image.bitmap.size.width == 5)
  }

  @Test("lowering the budget evicts at once")
  func lowerBudget() {
    let cache = ImageMemoryCache(budget: 10 * small)
    for number in 0..<10 { cache.insert(.blank(10, 10), for: SourceKey("\(number)")) }
    cache.budget = 2 * small + 1
    #expect(cache.byteCount == 800)
    #expect(cache.statistics.evictions.budget == 8)
    cache.budget = -5
    #expect(cache.count == 0)
  }

  @Test("variants that went through other processors never stand in for one another")
  func chains() {
    let cache = ImageMemoryCache()
    let source = SourceKey("a")
    cache.insert(.blank(40, 40), for: VariantKey(source: source))
    cache.insert(.blank(20, 20), for: VariantKey(source: source, chain: "circle"))
    func width(_ chain: String?, _ target: DecodeTarget) -> Int? {
      cache.bestEntry(for: VariantKey(source: source, chain: chain), target: target)?.image.bitmap.size.width
    }
    #expect(width(nil, .box(10, 10)) == 40)
    #expect(width("circle", .box(30, 30)) == 20)
    #expect(width("blur", .full) == nil)
    cache.remove(source)
    #expect(cache.count == 0)
  }

  @Test("pictures of one size from different processors do not replace one another")
  func chainsOfOneSize() {
    let cache = ImageMemoryCache()
    for chain in [nil, "circle", "blur"] {
      cache.insert(.blank(9, 9), for: VariantKey(source: SourceKey("a"), chain: chain))
    }
    #expect(cache.count == 3)
  }

  @Test("newer bytes drop what any processors made of the older ones, and freshness reaches all of them")
  func contentsOfChains() {
    let cache = ImageMemoryCache()
    let (source, later) = (SourceKey("a"), Date(timeIntervalSince1970: 99))
    cache.insert(.blank(9, 9, contents: "old"), for: VariantKey(source: source, chain: "circle"))
    cache.refresh(source, contents: ContentID(hashing: Data("old".utf8)), freshUntil: later)
    let circle = VariantKey(source: source, chain: "circle")
    #expect(cache.bestEntry(for: circle, target: .full)?.freshUntil == later)
    cache.insert(.blank(9, 9, contents: "new"), for: source)
    #expect(cache.bestEntry(for: circle, target: .full) == nil)
  }

  @Test("a picture above the ceiling for one entry is not kept and replaces nothing but its own variants")
  func ceiling() {
    let cache = ImageMemoryCache(budget: 100_000, entryCeiling: small)
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    cache.insert(.blank(10, 11), for: SourceKey("b"))
    #expect(cache.count == 1)
    #expect(cache.statistics.oversized == 1)
    #expect(cache.statistics.evictions.total == 0)
  }

  @Test(
    "one entry may take a quarter of the budget; a small cache still keeps ordinary pictures",
    arguments: [
      (419_430_400, 104_857_600), (16_777_216, 4_194_304), (8_388_608, 4_194_304), (1_000, 1_000), (0, 0), (-1, 0),
    ])
  func defaultCeiling(budget: Int, ceiling: Int) {
    #expect(ImageMemoryCache.defaultEntryCeiling(budget: budget) == ceiling)
    #expect(ImageMemoryCache(budget: budget).entryCeiling == ceiling)
  }

  @Test("lowering the budget lowers the ceiling for one entry")
  func ceilingFollowsBudget() {
    let cache = ImageMemoryCache(budget: 40 << 20)
    cache.insert(.blank(1_500, 1_500), for: SourceKey("large"))
    cache.insert(.blank(10, 10), for: SourceKey("small"))
    cache.budget = 20 << 20
    #expect(cache.bestEntry(for: key("large")) == nil)
    #expect(cache.bestEntry(for: key("small")) != nil)
  }

  @Test("trimming evicts down to a size and leaves the budget")
  func trim() {
    let cache = ImageMemoryCache(budget: 10 * small)
    for number in 0..<10 { cache.insert(.blank(10, 10), for: SourceKey("\(number)")) }
    cache.trim(to: 3 * small + 5)
    #expect(cache.count == 3)
    #expect(cache.budget == 10 * small)
    #expect(cache.statistics.evictions.pressure == 7)
    cache.trim(to: -1)
    #expect(cache.cost == 0)
  }

  @Test("past its lifetime a picture is not found, whatever it is asked for")
  func lifetime() {
    let clock = Locked(0.0)
    let cache = ImageMemoryCache(lifetime: 60, clock: { clock.withLock { $0 } })
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    clock.withLock { $0 = 59.5 }
    #expect(cache.bestEntry(for: key("a")) != nil)
    clock.withLock { $0 = 60 }
    #expect(cache.bestEntry(for: key("a")) == nil)
    #expect(cache.count == 0)
    #expect(cache.statistics.evictions.lifetime == 1)
  }

  @Test("pictures past their lifetime leave when others come")
  func lifetimeOnInsertion() {
    let clock = Locked(0.0)
    let cache = ImageMemoryCache(lifetime: 60, clock: { clock.withLock { $0 } })
    for name in ["a", "b"] { cache.insert(.blank(10, 10), for: SourceKey(name)) }
    clock.withLock { $0 = 100 }
    cache.insert(.blank(10, 10), for: SourceKey("c"))
    #expect(cache.count == 1)
  }

  @Test("a lifetime that is no length of time is none", arguments: [0, -1, Double.nan])
  func noLifetime(_ seconds: Double) {
    let cache = ImageMemoryCache(lifetime: seconds, clock: { .greatestFiniteMagnitude })
    cache.insert(.blank(10, 10), for: SourceKey("a"))
    #expect(cache.bestEntry(for: key("a")) != nil)
  }

  @Test("what happened is counted by kind and reason")
  func statistics() {
    let cache = ImageMemoryCache(budget: 2 * small)
    for name in ["a", "b", "c", "c"] { cache.insert(.blank(10, 10), for: SourceKey(name)) }
    for name in ["a", "b", "c"] { _ = cache.bestEntry(for: key(name)) }
    cache.remove(SourceKey("b"))
    cache.respond(to: .critical)
    cache.insert(.blank(10, 10), for: SourceKey("d"))
    cache.removeAll()
    var expected = ImageMemoryCache.Statistics()
    (expected.hits, expected.misses, expected.insertions) = (2, 1, 5)
    expected.evictions.budget = 1
    expected.evictions.replaced = 1
    expected.evictions.pressure = 1
    expected.evictions.removed = 2
    #expect(cache.statistics == expected)
    #expect(expected.evictions.total == 5)
  }
}
