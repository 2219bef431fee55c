import ImageCodecs
import Pixels
import Testing

@testable import Vignette

@Suite("Decoded pictures in memory")
struct ClockCacheTests {
  private func key(_ name: String, _ target: DecodeTarget = .full) -> ImageKey {
    ImageKey(source: SourceKey(name), target: target)
  }

  @Test("the budget is kept to the byte")
  func exactBudget() {
    let cache = ImageMemoryCache(budget: 3 * 400)
    for name in ["a", "b", "c"] { cache.insert(.blank(10, 10), for: SourceKey(name)) }
    #expect(cache.byteCount == 1_200)
    #expect(cache.count == 3)
    cache.insert(.blank(1, 1), for: SourceKey("d"))
    #expect(cache.byteCount == 804)
    #expect(cache.evictions == 1)
  }

  @Test("a picture larger than the budget is not kept and evicts nothing")
  func tooLarge() {
    let cache = ImageMemoryCache(budget: 400)
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
  func clock() {
    let cache = ImageMemoryCache(budget: 800)
    cache.insert(.blank(10, 10), for: SourceKey("used"))
    cache.insert(.blank(10, 10), for: SourceKey("unused"))
    _ = cache.bestEntry(for: key("used"))
    cache.insert(.blank(10, 10), for: SourceKey("new"))
    #expect(cache.bestEntry(for: key("used")) != nil)
    #expect(cache.bestEntry(for: key("unused")) == nil)
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
    let cache = ImageMemoryCache(budget: 4_000)
    for number in 0..<10 { cache.insert(.blank(10, 10), for: SourceKey("\(number)")) }
    cache.budget = 900
    #expect(cache.byteCount == 800)
    cache.budget = -5
    #expect(cache.count == 0)
  }

  @Test("a random walk keeps the invariants after every step", arguments: 0..<10)
  func randomWalk(_ round: Int) {
    var random = SeededRandom()
    var cache = ClockCache(budget: 20_000)
    for _ in 0..<1_500 {
      let source = SourceKey("\(Int.random(in: 0..<12, using: &random))")
      let side = Int.random(in: 1..<60, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...5:
        let contents = ["v1", "v1", "v1", "v2"].randomElement(using: &random)
        let entry = ImageMemoryCache.Entry.blank(side, side + 1, contents: contents)
        cache.insert(entry, for: source)
        let found = cache.best(for: ImageKey(source: source, target: .box(side, side + 1)))
        let isKept = found?.contents == entry.contents && found?.satisfies(.box(side, side + 1)) == true
        #expect(isKept || entry.image.bitmap.byteCount > cache.budget, "seed \(random.seed)")
      case 6...8: _ = cache.best(for: ImageKey(source: source, target: .box(side, side)))
      case 9:
        cache.remove(source)
        #expect(cache.best(for: ImageKey(source: source, target: .full)) == nil, "seed \(random.seed)")
      case 10: cache.setBudget(Int.random(in: 0..<30_000, using: &random))
      default: if Int.random(in: 0..<20, using: &random) == 0 { cache.removeAll() }
      }
      #expect(cache.checkInvariants() == nil, "seed \(random.seed)")
    }
  }
}
