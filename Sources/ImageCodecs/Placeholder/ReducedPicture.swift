import Pixels

/// What a placeholder is made from: a picture scaled down until nothing is left that a placeholder could keep.
struct ReducedPicture {
  /// No side is longer, in pixels. ThumbHash's own bound; more would not change a BlurHash either.
  static let maximumSide = 100

  let size: PixelSize
  /// Whether any pixel is less than opaque.
  let hasAlpha: Bool
  /// Straight red, green and blue, and alpha, row by row from the top.
  private let pixels: [SIMD4<UInt8>]

  /// - Throws: `body.empty` for a bitmap without pixels, `image.tooManyPixels` where one is too long to be scaled.
  init(_ bitmap: Bitmap) throws {
    guard !bitmap.size.isEmpty else {
      throw CodecError(.empty, "A bitmap without pixels has no placeholder. Give it a size of at least 1x1.")
    }
    let box = PixelSize(width: Self.maximumSide, height: Self.maximumSide)
    let small = try BitmapScaler.scale(bitmap, to: bitmap.size.scaled(into: box, mode: .fit)) { false }
      .convertedToSRGB()
    size = small.size
    pixels = (0..<small.size.height).flatMap { y in (0..<small.size.width).map { Self.straight(small[$0, y]) } }
    hasAlpha = pixels.contains { $0.w < 255 }
  }

  private static func straight(_ pixel: (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)) -> SIMD4<UInt8> {
    func divided(_ value: UInt8) -> UInt8 {
      pixel.alpha == 0 ? 0 : UInt8(min(255, (Int(value) * 255 + Int(pixel.alpha) / 2) / Int(pixel.alpha)))
    }
    return SIMD4(divided(pixel.red), divided(pixel.green), divided(pixel.blue), pixel.alpha)
  }

  var alpha: [Double] { pixels.map { Double($0.w) / 255 } }

  /// The colours over the picture's own average colour, as that shows least.
  /// - Parameter value: from a byte to the scale of the result.
  func colours(_ value: (UInt8) -> Double) -> [SIMD3<Double>] {
    let table = (0...255).map { value(UInt8($0)) }
    func colour(_ pixel: SIMD4<UInt8>) -> SIMD3<Double> {
      SIMD3(table[Int(pixel.x)], table[Int(pixel.y)], table[Int(pixel.z)])
    }
    guard hasAlpha else { return pixels.map(colour) }
    var sum = SIMD3<Double>.zero
    var weight = 0.0
    for pixel in pixels {
      let alpha = Double(pixel.w) / 255
      sum += colour(pixel) * alpha
      weight += alpha
    }
    let average = weight > 0 ? sum / weight : .zero
    return pixels.map { pixel in
      let alpha = Double(pixel.w) / 255
      return average * (1 - alpha) + colour(pixel) * alpha
    }
  }
}
