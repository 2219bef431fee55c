import Foundation
import Pixels

/// How much of each pixel lies within a rectangle whose corners are quarter circles: the exact area, from the integral of
/// the circle's equation.
///
/// A pixel loses what lies outside each corner it touches; in the middle row or column of an odd size that is two of them.
/// Invariants: the radius is within half the shorter side; pixels further than it from two edges are never touched.
struct CornerMask {
  private let size: PixelSize
  private let radius: Double
  /// The pixels on a side that a corner touches.
  private let reach: Int
  /// For the row in hand: the area each of the first `reach` pixels loses.
  private var lost: [Double]

  init(size: PixelSize, radius: Double) {
    self.size = size
    self.radius = min(radius, Double(min(size.width, size.height)) / 2)
    reach = Int(self.radius.rounded(.up))
    lost = Array(repeating: 0, count: reach)
  }

  /// Scales the premultiplied pixels of row `y` by their share of the shape. Unsafe: `row` holds `size.width` pixels.
  mutating func apply(to row: UnsafeMutablePointer<UInt8>, y: Int) {
    let (above, below) = (y, size.height - 1 - y)
    guard min(above, below) < reach else { return }
    for x in 0..<reach {
      lost[x] =
        (above < reach ? areaOutside(x, above) : 0) + (below < reach ? areaOutside(x, below) : 0)
    }
    for x in 0..<reach where lost[x] > 0 {
      let mirrored = size.width - 1 - x
      if x == mirrored {
        Self.scale(row + x * 4, by: 1 - 2 * lost[x])
      } else {
        Self.scale(row + x * 4, by: 1 - lost[x])
        Self.scale(row + mirrored * 4, by: 1 - lost[x])
      }
    }
  }

  private static func scale(_ pixel: UnsafeMutablePointer<UInt8>, by share: Double) {
    let share = min(1, max(0, share))
    for channel in 0..<4 { pixel[channel] = UInt8((Double(pixel[channel]) * share).rounded()) }
  }

  /// The area outside the circle of the pixel in column `x` and row `y` of a corner, counted from the edges. Of a pixel
  /// that reaches over the circle's centre only the part on this side counts.
  private func areaOutside(_ x: Int, _ y: Int) -> Double {
    // Distances from the centre; the far ends are towards the corner.
    let (farX, farY) = (radius - Double(x), radius - Double(y))
    let (nearX, nearY) = (max(0, farX - 1), max(0, farY - 1))
    if farX * farX + farY * farY <= radius * radius { return 0 }
    let area = (farX - nearX) * (farY - nearY)
    if nearX * nearX + nearY * nearY >= radius * radius { return area }
    return max(0, area - areaInside(nearX...farX, nearY...farY))
  }

  /// The area of a rectangle in the circle's first quarter that lies under y = √(r² − x²).
  private func areaInside(_ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>) -> Double {
    // Up to the first of these the circle is above the rectangle, from the second on below.
    let full = min(max(height(at: ys.upperBound), xs.lowerBound), xs.upperBound)
    let end = min(max(height(at: ys.lowerBound), xs.lowerBound), xs.upperBound)
    let whole = (full - xs.lowerBound) * (ys.upperBound - ys.lowerBound)
    return whole + integral(end) - integral(full) - ys.lowerBound * (end - full)
  }

  private func height(at x: Double) -> Double { max(0, radius * radius - x * x).squareRoot() }

  /// ∫₀ˣ √(r² − t²) dt
  private func integral(_ x: Double) -> Double {
    (x * height(at: x) + radius * radius * asin(min(1, x / radius))) / 2
  }
}
