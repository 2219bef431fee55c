import Testing

@testable import HTTPCaching

@Suite("The bounded dictionary")
struct ByteBoundedCacheTests {
  @Test("it behaves as a plain list of the most recently used does", arguments: 0..<20)
  func model(_ seed: UInt64) {
    var random = Generator(state: seed)
    var cache = ByteBoundedCache<Int, Int>(budget: 100)
    var model: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<2000 {
      let key = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        cache.remove(key)
        model.removeAll { $0.key == key }
      case 1:
        cache.removeAll { $0 % 7 == key % 7 }
        model.removeAll { $0.key % 7 == key % 7 }
      case 2...5:
        let cost = Int.random(in: 0...120, using: &random)
        cache.insert(step, for: key, cost: cost)
        model.removeAll { $0.key == key }
        if cost <= 100 {
          while model.reduce(cost, { $0 + $1.cost }) > 100 { model.removeFirst() }
          model.append((key, step, cost))
        }
      default:
        let found = model.firstIndex { $0.key == key }
        #expect(cache.value(for: key) == found.map { model[$0].value }, "seed \(seed), step \(step)")
        if let found { model.append(model.remove(at: found)) }
      }
      #expect(cache.cost == model.reduce(0) { $0 + $1.cost })
      #expect(cache.count == model.count)
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
