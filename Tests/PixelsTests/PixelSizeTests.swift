import Pixels
import Testing

@Suite("PixelSize")
struct PixelSizeTests {
  @Test(
    "scales into a box with the aspect ratio kept to the pixel",
    arguments: [
      (PixelSize(width: 4000, height: 3000), PixelSize(width: 400, height: 300), PixelSize(width: 400, height: 300)),
      (PixelSize(width: 3000, height: 4000), PixelSize(width: 400, height: 300), PixelSize(width: 225, height: 300)),
      (PixelSize(width: 451, height: 300), PixelSize(width: 60, height: 60), PixelSize(width: 60, height: 40)),
      (PixelSize(width: 3, height: 2), PixelSize(width: 2, height: 2), PixelSize(width: 2, height: 1)),
      // 5 × 3 ÷ 10 is a tie, rounded away from zero.
      (PixelSize(width: 10, height: 5), PixelSize(width: 3, height: 9), PixelSize(width: 3, height: 2)),
    ])
  func fit(size: PixelSize, box: PixelSize, expected: PixelSize) {
    #expect(size.scaled(into: box, mode: .fit) == expected)
  }

  @Test(
    "covers a box when it fills",
    arguments: [
      (PixelSize(width: 4000, height: 3000), PixelSize(width: 300, height: 300), PixelSize(width: 400, height: 300)),
      (PixelSize(width: 3000, height: 4000), PixelSize(width: 300, height: 300), PixelSize(width: 300, height: 400)),
      (PixelSize(width: 1000, height: 10), PixelSize(width: 50, height: 5), PixelSize(width: 500, height: 5)),
    ])
  func fill(size: PixelSize, box: PixelSize, expected: PixelSize) {
    #expect(size.scaled(into: box, mode: .fill) == expected)
  }

  @Test("is never enlarged", arguments: [ScalingMode.fit, .fill])
  func neverEnlarged(mode: ScalingMode) {
    let size = PixelSize(width: 40, height: 30)
    #expect(size.scaled(into: PixelSize(width: 400, height: 300), mode: mode) == size)
    #expect(size.scaled(into: size, mode: mode) == size)
  }

  @Test("is not enlarged by filling a box that is larger on one axis only")
  func fillLargerOnOneAxis() {
    let size = PixelSize(width: 40, height: 30)
    #expect(size.scaled(into: PixelSize(width: 10, height: 60), mode: .fill) == size)
    #expect(size.scaled(into: PixelSize(width: 10, height: 60), mode: .fit) == PixelSize(width: 10, height: 8))
  }

  @Test("keeps at least one pixel on each axis")
  func atLeastOnePixel() {
    let box = PixelSize(width: 100, height: 100)
    #expect(PixelSize(width: 1, height: 10_000).scaled(into: box, mode: .fit) == PixelSize(width: 1, height: 100))
    #expect(PixelSize(width: 10_000, height: 1).scaled(into: box, mode: .fit) == PixelSize(width: 100, height: 1))
  }

  @Test("stays as it is when the box or the picture is empty")
  func emptyBox() {
    let size = PixelSize(width: 40, height: 30)
    #expect(size.scaled(into: .zero, mode: .fit) == size)
    #expect(size.scaled(into: PixelSize(width: 0, height: 9), mode: .fill) == size)
    #expect(PixelSize.zero.scaled(into: size, mode: .fit) == .zero)
  }

  @Test("lies within the box and touches it, whatever the numbers")
  func properties() {
    for width in stride(from: 1, through: 400, by: 7) {
      for height in stride(from: 1, through: 400, by: 11) {
        let box = PixelSize(width: 1 + width * 37 % 101, height: 1 + height * 53 % 97)
        let fitted = PixelSize(width: width, height: height).scaled(into: box, mode: .fit)
        #expect(fitted.width <= min(box.width, width) && fitted.height <= min(box.height, height))
        let filled = PixelSize(width: width, height: height).scaled(into: box, mode: .fill)
        #expect(filled.width >= min(box.width, width) && filled.height >= min(box.height, height))
        #expect(filled.width <= width && filled.height <= height)
      }
    }
  }

  @Test("makes negative sides zero")
  func negative() {
    #expect(PixelSize(width: -4, height: 3) == PixelSize(width: 0, height: 3))
    #expect(PixelSize(width: -4, height: 3).isEmpty)
  }

  @Test("saturates its area instead of overflowing, and scales at the extremes")
  func saturation() {
    let huge = PixelSize(width: .max, height: .max)
    #expect(huge.area == .max)
    let box = PixelSize(width: .max - 1, height: .max - 1)
    #expect(huge.scaled(into: box, mode: .fill).width <= .max)
    #expect(huge.scaled(into: PixelSize(width: 10, height: 10), mode: .fit) == PixelSize(width: 10, height: 10))
  }
}
