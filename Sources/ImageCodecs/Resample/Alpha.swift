/// Conversions of whole rows between straight and premultiplied alpha. Unsafe: a row holds `count` RGBA pixels.
enum Alpha {
  /// Multiplies each colour by its alpha, rounded to nearest.
  static func premultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = row
    for _ in 0..<count {
      let alpha = UInt32(pixel[3])
      if alpha != 255 {
        pixel[0] = scaled(pixel[0], by: alpha)
        pixel[1] = scaled(pixel[1], by: alpha)
        pixel[2] = scaled(pixel[2], by: alpha)
      }
      pixel += 4
    }
  }

  /// Divides each colour by its alpha, rounded to nearest; transparent pixels become transparent black.
  static func unpremultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = row
    for _ in 0..<count {
      let alpha = UInt32(pixel[3])
      if alpha != 255 {
        for channel in 0..<3 {
          let value = alpha == 0 ? 0 : (UInt32(pixel[channel]) * 255 + alpha / 2) / alpha
          pixel[channel] = UInt8(min(255, value))
        }
      }
      pixel += 4
    }
  }

  /// Lowers each colour to its alpha, of which premultiplied ones are never above it.
  static func clamp(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = row
    for _ in 0..<count {
      for channel in 0..<3 { pixel[channel] = min(pixel[channel], pixel[3]) }
      pixel += 4
    }
  }

  static func makeOpaque(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    for pixel in 0..<count { row[pixel &* 4 &+ 3] = 255 }
  }

  /// Draws a premultiplied row over another one.
  static func blend(_ row: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, count: Int) {
    var (source, target) = (row, target)
    for _ in 0..<count {
      let alpha = source[3]
      if alpha == 255 {
        target.update(from: source, count: 4)
      } else if alpha > 0 {
        let rest = UInt32(255 - alpha)
        for channel in 0..<4 { target[channel] = source[channel] &+ scaled(target[channel], by: rest) }
      }
      source += 4
      target += 4
    }
  }

  /// `value * factor / 255`, rounded to nearest, without a division.
  @inline(__always)
  static func scaled(_ value: UInt8, by factor: UInt32) -> UInt8 {
    let product = UInt32(value) &* factor &+ 128
    return UInt8(truncatingIfNeeded: (product &+ product >> 8) >> 8)
  }
}
