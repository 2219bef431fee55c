/// One channel of a pixel of 16 or 32 bits: which bits it is, and the bytes that their values stand for.
struct BMPChannel {
  private let mask: UInt32
  private let shift: UInt32
  private let maximum: UInt32
  /// The byte for each value of up to eight bits, so that pixels take no division.
  private let bytes: [UInt8]

  /// - Parameter absent: what a channel of no bits is.
  /// - Throws: `image.corrupt` for a mask with gaps.
  init(mask: UInt32, absent: UInt8 = 0) throws {
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    let maximum = mask >> shift
    guard maximum & (maximum &+ 1) == 0 else { throw CodecError.corrupt(.bmp, "a channel in several pieces") }
    self.mask = mask
    self.maximum = maximum
    bytes = maximum == 0 ? [absent] : (0...min(maximum, 255)).map { Self.byte($0, of: min(maximum, 255)) }
  }

  /// Whether the channel is eight bits from bit `offset` on.
  func isByte(at offset: UInt32) -> Bool { mask == 0xFF << offset }

  @inline(__always)
  func value(in pixel: UInt32) -> UInt8 {
    let value = (pixel & mask) >> shift
    return maximum <= 255 ? bytes[Int(value)] : Self.byte(value, of: maximum)
  }

  /// `value / maximum` as a part of 255, to the nearest.
  private static func byte(_ value: UInt32, of maximum: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt64(value) * 255 + UInt64(maximum) / 2) / UInt64(maximum))
  }
}
