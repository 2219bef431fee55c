import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing

@testable import Vignette

@Suite("Pictures that were evicted while somebody holds them")
struct HeldElsewhereTests {
  private let small = 400 + SieveCache.overhead + 1

  private func key(_ name: String, _ target: DecodeTarget = .full) -> ImageKey {
    ImageKey(source: SourceKey(name), target: target)
  }

  @Test("are found again, with the same memory, and kept again")
  func found() throws {
    let cache = ImageMemoryCache(budget: 4 * small)
    let shown = ImageMemoryCache.Entry.blank(10, 10)
    cache.insert(shown, for: SourceKey("a"))
    cache.trim(to: 0)
    #expect(cache.count == 0)
    let entry = try #require(cache.bestEntry(for: key("a")))
    #expect(entry.image.bitmap.isIdentical(to: shown.image.bitmap))
    #expect(entry.image.info == shown.image.info)
    #expect(cache.count == 1)
    #expect(cache.cost == small)
    #expect(cache.statistics.weakHits == 1)
    _ = cache.bestEntry(for: key("a"))
    #expect(cache.statistics.hits == 1)
  }

  @Test("are gone once the last one has let go")
  func gone() {
    let cache = ImageMemoryCache()
    var shown: ImageMemoryCache.Entry? = .blank(10, 10)
    if let shown { cache.insert(shown, for: SourceKey("a")) }
    cache.trim(to: 0)
    shown = nil
    #expect(shown == nil)
    #expect(cache.bestEntry(for: key("a")) == nil)
    #expect(cache.statistics.misses == 1)
  }

  @Test("make room for themselves like any other")
  func makeRoom() {
    let cache = ImageMemoryCache(budget: 2 * small)
    let shown = ImageMemoryCache.Entry.blank(10, 10)
    cache.insert(shown, for: SourceKey("a"))
    for name in ["b", "c"] { cache.insert(.blank(10, 10), for: SourceKey(name)) }
    #expect(cache.bestEntry(for: key("a")) != nil)
    #expect(cache.count == 2)
    #expect(cache.cost <= cache.budget)
  }

  @Test("a picture above the ceiling is found while it is held, and never kept")
  func oversized() {
    let cache = ImageMemoryCache(budget: 10_000, entryCeiling: small)
    var shown: ImageMemoryCache.Entry? = .blank(20, 20)
    if let shown { cache.insert(shown, for: SourceKey("a")) }
    for _ in 0..<3 { #expect(cache.bestEntry(for: key("a"))?.image.bitmap.size.width == 20) }
    #expect(cache.count == 0)
    shown = nil
    #expect(shown == nil)
    #expect(cache.bestEntry(for: key("a")) == nil)
  }

  @Test("compete with what is kept: the best variant wins, wherever it is")
  func bestOfBoth() {
    let cache = ImageMemoryCache()
    let source = PixelSize(width: 400, height: 400)
    let large = ImageMemoryCache.Entry.blank(200, 200, of: source)
    cache.insert(large, for: SourceKey("a"))
    cache.trim(to: 0)
    cache.insert(.blank(50, 50, of: source), for: SourceKey("a"))
    #expect(cache.bestEntry(for: key("a", .box(40, 40)))?.image.bitmap.size.width == 50)
    #expect(cache.bestEntry(for: key("a", .box(100, 100)))?.image.bitmap.size.width == 200)
  }

  @Test("the next best is found where the best is held by nobody any more")
  func nextBest() {
    let cache = ImageMemoryCache()
    let source = PixelSize(width: 400, height: 400)
    let sizes = [200, 100, 50]
    var shown = sizes.map { ImageMemoryCache.Entry.blank($0, $0, of: source) }
    for entry in shown { cache.insert(entry, for: SourceKey("a")) }
    cache.trim(to: 0)
    shown.removeFirst(2)
    #expect(cache.bestEntry(for: key("a"))?.image.bitmap.size.width == 50)
    #expect(shown.count == 1)
  }

  @Test("are not found after the source was removed, everything was, or its bytes changed")
  func forgotten() {
    let forget: [(ImageMemoryCache) -> Void] = [
      { $0.remove(SourceKey("a")) }, { $0.removeAll() },
      { $0.insert(.blank(5, 5, contents: "new"), for: SourceKey("a")) },
    ]
    for (number, forget) in forget.enumerated() {
      let cache = ImageMemoryCache()
      let shown = ImageMemoryCache.Entry.blank(10, 10, contents: "old")
      cache.insert(shown, for: SourceKey("a"))
      cache.trim(to: 0)
      forget(cache)
      let found = cache.bestEntry(for: key("a"))
      #expect(found?.image.bitmap.isIdentical(to: shown.image.bitmap) != true, "case \(number)")
    }
  }

  @Test("become fresh again with their source, and keep which bytes they came from")
  func freshness() {
    let cache = ImageMemoryCache()
    let shown = ImageMemoryCache.Entry.blank(10, 10, contents: "bytes")
    cache.insert(shown, for: SourceKey("a"))
    cache.trim(to: 0)
    cache.refresh(SourceKey("a"), contents: shown.contents, freshUntil: Date(timeIntervalSince1970: 7))
    let found = cache.bestEntry(for: key("a"))
    #expect(found?.freshUntil == Date(timeIntervalSince1970: 7))
    #expect(found?.contents == shown.contents)
  }

  @Test("do not outlive their lifetime, which being kept again does not lengthen")
  func lifetime() {
    let clock = Locked(0.0)
    let cache = ImageMemoryCache(lifetime: 60, clock: { clock.withLock { $0 } })
    let shown = ImageMemoryCache.Entry.blank(10, 10)
    cache.insert(shown, for: SourceKey("a"))
    cache.trim(to: 0)
    clock.withLock { $0 = 50 }
    #expect(cache.bestEntry(for: key("a")) != nil)
    clock.withLock { $0 = 61 }
    #expect(cache.bestEntry(for: key("a")) == nil)
    #expect(shown.image.bitmap.size.width == 10)
  }

  @Test("are remembered up to a number, however many are held")
  func bounded() {
    var cache = SieveCache(budget: 10 << 20)
    var shown: [ImageMemoryCache.Entry] = []
    for number in 0..<(2 * SieveCache.elsewhereLimit) {
      shown.append(.blank(1, 1))
      cache.insert(shown[number], for: VariantKey(source: SourceKey("\(number)")))
    }
    cache.trim(to: 0)
    #expect(cache.countElsewhere == SieveCache.elsewhereLimit)
    #expect(cache.checkInvariants() == nil)
    #expect(shown.count == 2 * SieveCache.elsewhereLimit)
  }

  @Test("leave the table as others come, once nobody holds them")
  func swept() {
    var cache = SieveCache(budget: 10 << 20)
    var shown: [ImageMemoryCache.Entry] = []
    for number in 0..<100 {
      shown.append(.blank(1, 1))
      cache.insert(shown[number], for: VariantKey(source: SourceKey("\(number)")))
    }
    cache.trim(to: 0)
    _ = cache.takeDiscarded()
    #expect(cache.countElsewhere == 100)
    shown = []
    #expect(shown.isEmpty)
    for number in 0..<50 { cache.insert(.blank(1, 1), for: VariantKey(source: SourceKey("new\(number)"))) }
    #expect(cache.countElsewhere == 0)
  }

  @Test("what nobody else holds is not remembered at all")
  func uniquelyHeld() {
    var cache = SieveCache(budget: 10 << 20)
    for number in 0..<100 { cache.insert(.blank(1, 1), for: VariantKey(source: SourceKey("\(number)"))) }
    cache.trim(to: 0)
    #expect(cache.countElsewhere == 0)
    #expect(cache.takeDiscarded().count == 100)
  }

  @Test("a key as long as a picture is not kept for a picture that is not")
  func longKeys() {
    var cache = SieveCache(budget: 10 << 20)
    let shown = ImageMemoryCache.Entry.blank(1, 1)
    let long = String(repeating: "k", count: SieveCache.longestKeyElsewhere + 1)
    cache.insert(shown, for: VariantKey(source: SourceKey(long)))
    cache.trim(to: 0)
    #expect(cache.countElsewhere == 0)
    #expect(cache.count == 0)
  }
}
