#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
  /// Linear light, 0...1, of each byte.
  static let linear: [Double] = (0...255).map { light(of: Double($0) / 255) }

  /// The nearest byte; what is beyond 0...1 is clamped.
  static func byte(linear value: Double) -> UInt8 {
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high) / 2
      if value < upperBounds[middle] { high = middle } else { low = middle + 1 }
    }
    return UInt8(low)
  }

  /// Below which light the byte is at most its index.
  private static let upperBounds: [Double] = (0...255).map { light(of: (Double($0) + 0.5) / 255) }

  /// Linear light of a value of 0...1.
  static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
