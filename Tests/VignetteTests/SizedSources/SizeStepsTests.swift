import Pixels
import Testing

@testable import Vignette

@Suite("Size steps")
struct SizeStepsTests {
  @Test("the standard ladder is what its documentation lists")
  func ladder() {
    let rungs = (1...5_000).map { SizeSteps.standard.rounded(PixelSize(width: $0, height: $0)).width }
    #expect(
      Set(rungs).sorted() == [
        64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 960, 1152, 1408, 1728, 2112, 2624, 3264, 4032, 4096,
      ])
    #expect(rungs == rungs.sorted())
  }

  @Test("sides are rounded each for itself, and an empty one stays empty")
  func sides() {
    #expect(SizeSteps.standard.rounded(PixelSize(width: 65, height: 513)) == PixelSize(width: 128, height: 640))
    #expect(SizeSteps.standard.rounded(PixelSize(width: 64, height: 0)) == PixelSize(width: 64, height: 0))
    #expect(SizeSteps.standard.rounded(.zero) == .zero)
  }

  @Test("a box that keeps its shape grows in proportion, and shrinks in proportion above the maximum")
  func shape() {
    let steps = SizeSteps(keepsShape: true)
    #expect(steps.rounded(PixelSize(width: 300, height: 200)) == PixelSize(width: 320, height: 214))
    #expect(steps.rounded(PixelSize(width: 200, height: 300)) == PixelSize(width: 214, height: 320))
    #expect(steps.rounded(PixelSize(width: 10_000, height: 5_000)) == PixelSize(width: 4_096, height: 2_048))
    #expect(steps.rounded(PixelSize(width: Int.max, height: 1)) == PixelSize(width: 4_096, height: 1))
    #expect(steps.rounded(PixelSize(width: Int.max, height: Int.max)) == PixelSize(width: 4_096, height: 4_096))
  }

  @Test("exact steps change nothing")
  func exact() {
    let wanted = PixelSize(width: 333, height: 1)
    #expect(SizeSteps.exact.rounded(wanted) == wanted)
  }

  @Test("whatever the settings: no smaller than wanted, no larger than the maximum, and rounding is final")
  func properties() {
    var random = SeededRandom()
    let growths = [1, 1.25, 2, 0, -1, .nan, .infinity, 1.000_000_1]
    let numbers = [0, 1, -5, 64, 100, 4_096, Int.max, Int.min]
    for _ in 0..<2_000 {
      let steps = SizeSteps(
        unit: numbers.randomElement(using: &random) ?? 1, growth: growths.randomElement(using: &random) ?? 1,
        maximum: numbers.randomElement(using: &random) ?? 1, keepsShape: Bool.random(using: &random))
      let wanted = PixelSize(
        width: Int.random(in: 1...9_000, using: &random), height: Int.random(in: 1...9_000, using: &random))
      let rounded = steps.rounded(wanted)
      let text: Comment = "seed \(random.seed): \(steps), \(wanted), \(rounded)"
      #expect(max(rounded.width, rounded.height) <= steps.maximum, text)
      #expect(!rounded.isEmpty, text)
      #expect(steps.rounded(rounded) == rounded, text)
      guard max(wanted.width, wanted.height) <= steps.maximum else { continue }
      #expect(rounded.width >= wanted.width && rounded.height >= wanted.height, text)
    }
  }

  @Test("a service that crops is asked for the wanted shape, to the pixel")
  func aspect() {
    var random = SeededRandom()
    let steps = SizeSteps(keepsShape: true)
    for _ in 0..<500 {
      let wanted = PixelSize(
        width: Int.random(in: 1...4_096, using: &random), height: Int.random(in: 1...4_096, using: &random))
      let rounded = steps.rounded(wanted)
      let isWide = wanted.width >= wanted.height
      let (long, short) = isWide ? (rounded.width, rounded.height) : (rounded.height, rounded.width)
      let proportion =
        Double(long) * Double(min(wanted.width, wanted.height)) / Double(max(wanted.width, wanted.height))
      #expect(abs(Double(short) - proportion) < 1, "seed \(random.seed): \(wanted), \(rounded)")
    }
  }

  @Test("a window dragged through every size asks for few")
  func fewSizes() {
    let asked = Set((300...1_500).map { SizeSteps.standard.rounded(PixelSize(width: $0, height: 800)) })
    #expect(asked.count == 10)
  }
}
