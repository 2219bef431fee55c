import Testing

@testable import Vignette

@Suite("Negative cache")
struct NegativeCacheTests {
  private let gone = ImageLoadingError(.http(404), "There is none.")

  @Test(
    "404 and 410 are remembered, nothing else",
    arguments: [
      ("http.404", true), ("http.410", true), ("http.400", false), ("http.401", false), ("http.403", false),
      ("http.429", false), ("http.500", false), ("http.503", false), ("transport.refused", false),
      ("image.notAnImage", false), ("body.empty", false),
    ])
  func kinds(_ code: String, _ isKept: Bool) {
    var cache = NegativeCache<String>()
    let error = ImageLoadingError(ImageLoadingError.Code(rawValue: code), "It failed.")
    #expect(cache.record(error, for: "a", now: 0) == isKept)
    #expect(cache.error(for: "a", now: 1)?.code.rawValue == (isKept ? code : nil))
    #expect(cache.error(for: "b", now: 1) == nil)
  }

  @Test("an entry lives ten seconds by default, and as long as is set")
  func lifetime() {
    var cache = NegativeCache<String>()
    cache.record(gone, for: "a", now: 100)
    #expect(cache.error(for: "a", now: 109.999) != nil)
    #expect(cache.error(for: "a", now: 110) == nil)
    #expect(cache.count == 0)
    var longer = NegativeCache<String>(lifetime: 60)
    longer.record(gone, for: "a", now: 0)
    #expect(longer.error(for: "a", now: 59) != nil)
  }

  @Test("asking does not lengthen the life of an entry, failing again does")
  func renewal() {
    var cache = NegativeCache<String>()
    cache.record(gone, for: "a", now: 0)
    #expect(cache.error(for: "a", now: 9) != nil)
    #expect(cache.error(for: "a", now: 10) == nil)
    cache.record(gone, for: "a", now: 20)
    cache.record(gone, for: "a", now: 25)
    #expect(cache.error(for: "a", now: 34) != nil)
  }

  @Test("a reload forgets one entry, or all")
  func removal() {
    var cache = NegativeCache<String>()
    for key in ["a", "b", "c"] { cache.record(gone, for: key, now: 0) }
    cache.remove("a")
    cache.remove("nothing")
    #expect(cache.error(for: "a", now: 1) == nil)
    #expect(cache.error(for: "b", now: 1) != nil)
    cache.removeAll()
    #expect(cache.count == 0)
    #expect(cache.capacity == 1_024)
  }

  @Test("1,024 entries are kept by default, and the oldest go first")
  func capacity() {
    var cache = NegativeCache<Int>()
    for key in 0..<2_000 { cache.record(gone, for: key, now: 0) }
    #expect(cache.count == 1_024)
    #expect(cache.error(for: 2_000 - 1_024, now: 1) != nil)
    #expect(cache.error(for: 2_000 - 1_025, now: 1) == nil)
  }

  @Test("an entry recorded anew is no longer the oldest")
  func renewedOrder() {
    var cache = NegativeCache<Int>(capacity: 2)
    for key in [1, 2, 1, 3] { cache.record(gone, for: key, now: 0) }
    #expect(cache.error(for: 1, now: 1) != nil)
    #expect(cache.error(for: 2, now: 1) == nil)
    #expect(cache.error(for: 3, now: 1) != nil)
  }

  @Test("no capacity, and a lifetime or a time that is no number, remember nothing")
  func oddSettings() {
    var none = NegativeCache<Int>(capacity: -1)
    #expect(none.record(gone, for: 1, now: 0) == false)
    for lifetime in [0, -1, Double.nan] {
      var cache = NegativeCache<Int>(lifetime: lifetime)
      cache.record(gone, for: 1, now: 0)
      #expect(cache.error(for: 1, now: 0) == nil)
    }
    var cache = NegativeCache<Int>()
    cache.record(gone, for: 1, now: .nan)
    #expect(cache.error(for: 1, now: 0) == nil)
  }

  @Test("any sequence gives what a plain list gives, in bounded memory")
  func model() {
    var random = SeededRandom()
    var cache = NegativeCache<Int>(lifetime: 10, capacity: 8)
    var model: [(key: Int, recorded: Double)] = []
    var now = 0.0
    for step in 0..<3_000 {
      now += Double.random(in: 0...0.5, using: &random)
      let key = Int.random(in: 0..<20, using: &random)
      model.removeAll { now - $0.recorded >= 10 }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        cache.remove(key)
        model.removeAll { $0.key == key }
      case 1, 2:
        cache.record(gone, for: key, now: now)
        model.removeAll { $0.key == key }
        model.append((key, now))
        if model.count > 8 { model.removeFirst() }
      default: break
      }
      let isKept = model.contains { $0.key == key }
      #expect((cache.error(for: key, now: now) != nil) == isKept, "seed \(random.seed), step \(step)")
      #expect(cache.count <= 8 && cache.backlog <= 2 * 8 + 32, "seed \(random.seed), step \(step)")
    }
  }
}
