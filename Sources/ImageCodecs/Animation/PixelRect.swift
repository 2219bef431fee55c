import Pixels

/// A rectangle of whole pixels, counted from the upper left.
struct PixelRect: Hashable {
  var x: Int
  var y: Int
  var size: PixelSize

  init(x: Int, y: Int, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }

  init(_ size: PixelSize) { self.init(x: 0, y: 0, size: size) }

  var columns: Range<Int> { x..<x + size.width }
  var rows: Range<Int> { y..<y + size.height }

  /// The part inside a picture of `bounds`; empty, at its edge, where there is none.
  func clipped(to bounds: PixelSize) -> PixelRect {
    let columns = columns.clamped(to: 0..<bounds.width)
    let rows = rows.clamped(to: 0..<bounds.height)
    return PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
  }

  func covers(_ bounds: PixelSize) -> Bool { clipped(to: bounds).size == bounds }
}
