/// A repeatable source of random numbers (SplitMix64); tests that use it print its seed.
struct SeededRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  /// - Parameter seed: a new one each run unless given; put the printed one here to repeat a failure.
  init(seed: UInt64 = .random(in: 0...UInt64.max)) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
