import Pixels

/// How a wanted box is rounded up, so that a window dragged to and fro asks a resizing service for few different sizes
/// and its caches are hit.
///
/// Sides climb a ladder of multiples of `unit`: each rung is the largest multiple within `growth` times the one below,
/// and at least one `unit` above it. By default 64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 960, 1152, 1408, 1728,
/// 2112, 2624, 3264, 4032, 4096 pixels. Invariants: never smaller than wanted, except that no side exceeds `maximum`;
/// rounding twice changes nothing.
public struct SizeSteps: Hashable, Sendable {
  /// Pixels, 1...maximum.
  public let unit: Int
  /// Ratio of neighbouring rungs, as far as `unit` allows; 1 (every multiple) or 1.01...16.
  public let growth: Double
  /// The longest side ever asked for, in pixels, 1...65,535.
  public let maximum: Int
  /// Whether the other side follows in proportion, for a service that crops to the box: only a box of the same shape
  /// shows the same part of the picture. Costs more different sizes. Default false.
  public var keepsShape: Bool

  /// - Parameters:
  ///   - unit: pixels; default 64.
  ///   - growth: default 1.25, at most 56 % more pixels than wanted on boxes beyond 256 pixels.
  ///   - maximum: pixels; default 4,096.
  public init(unit: Int = 64, growth: Double = 1.25, maximum: Int = 4_096, keepsShape: Bool = false) {
    self.maximum = min(max(1, maximum), 65_535)
    self.unit = min(max(1, unit), self.maximum)
    // Also what is not a number becomes 1. Closer rungs than 1 % are none worth having, and long to climb.
    self.growth = growth > 1 ? min(max(growth, 1.01), 16) : 1
    self.keepsShape = keepsShape
  }

  /// The ladder above.
  public static let standard = SizeSteps()
  /// Every size as wanted, to 65,535 pixels.
  public static let exact = SizeSteps(unit: 1, growth: 1, maximum: 65_535)

  /// The box to ask for. A side of 0 stays 0.
  public func rounded(_ wanted: PixelSize) -> PixelSize {
    guard keepsShape, !wanted.isEmpty else {
      return PixelSize(width: rounded(wanted.width), height: rounded(wanted.height))
    }
    let long = max(wanted.width, wanted.height)
    let short = min(wanted.width, wanted.height)
    let newLong = rounded(long)
    // Rounded up, so that the short side too is no smaller than wanted.
    let exact = (Double(short) * Double(newLong) / Double(long)).rounded(.up)
    let newShort = min(newLong, max(1, Int(exactly: exact) ?? newLong))
    return wanted.width >= wanted.height
      ? PixelSize(width: newLong, height: newShort) : PixelSize(width: newShort, height: newLong)
  }

  private func rounded(_ side: Int) -> Int {
    guard side > 0 else { return 0 }
    guard side < maximum else { return maximum }
    var rung = unit
    if growth == 1 {
      rung = (side + unit - 1) / unit * unit
    } else {
      while rung < side { rung = max(rung + unit, Int(Double(rung) * growth) / unit * unit) }
    }
    return min(rung, maximum)
  }
}
