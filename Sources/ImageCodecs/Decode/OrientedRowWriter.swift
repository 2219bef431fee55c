import Pixels

/// Puts stored rows, given from the top, where a bitmap shows them: the only place where orientation is applied.
///
/// Rows that stay rows are written in place and reversed there if need be. Rows that become columns are collected in
/// strips and written as short runs, because single pixels a whole row apart would miss the cache each time.
/// Unsafe: `bytes` must outlive the writer, and no more rows are committed than `stored` has.
final class OrientedRowWriter {
  private let pixels: UnsafeMutablePointer<UInt32>
  private let stored: PixelSize
  private let orientation: Orientation
  private let strip: ScratchMemory<UInt32>?
  private let stripRows: Int
  private var row = 0

  private static let maximumStripRows = 16
  private static let maximumStripPixels = 1 << 18

  /// - Parameter stored: the size of the rows that come; turned, it is the size of the bitmap behind `bytes`.
  init(_ bytes: UnsafeMutableRawBufferPointer, stored: PixelSize, orientation: Orientation) throws {
    guard let base = bytes.baseAddress, bytes.count == stored.area * 4 else {
      throw CodecError.outOfMemory(for: stored)
    }
    pixels = base.bindMemory(to: UInt32.self, capacity: stored.area)
    self.stored = stored
    self.orientation = orientation
    stripRows = max(1, min(Self.maximumStripRows, Self.maximumStripPixels / stored.width))
    strip = orientation.swapsAxes ? try ScratchMemory(count: stripRows * stored.width) : nil
  }

  /// Where the next row is to be written, `stored.width * 4` bytes.
  var nextRow: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(nextPixels).assumingMemoryBound(to: UInt8.self)
  }

  private var nextPixels: UnsafeMutablePointer<UInt32> {
    if let strip { return strip.start + row % stripRows * stored.width }
    let isFlipped = orientation == .down || orientation == .downMirrored
    return pixels + (isFlipped ? stored.height - 1 - row : row) * stored.width
  }

  /// Takes the row written to `nextRow`.
  func commitRow() {
    assert(row < stored.height, "more rows than the picture has")
    if orientation == .upMirrored || orientation == .down {
      var pixels = UnsafeMutableBufferPointer(start: nextPixels, count: stored.width)
      pixels.reverse()
    }
    row += 1
    guard let strip, row % stripRows == 0 || row == stored.height else { return }
    let count = (row - 1) % stripRows + 1
    writeColumns(strip.start, first: row - count, count: count)
  }

  /// Writes stored rows `first..<first + count` as columns of the bitmap.
  private func writeColumns(_ strip: UnsafeMutablePointer<UInt32>, first: Int, count: Int) {
    let width = stored.width
    let isRightToLeft = orientation == .right || orientation == .rightMirrored
    let isBottomUp = orientation == .left || orientation == .rightMirrored
    let firstColumn = isRightToLeft ? stored.height - 1 - first : first
    let step = isRightToLeft ? -1 : 1
    for x in 0..<width {
      let target = pixels + (isBottomUp ? width - 1 - x : x) * stored.height + firstColumn
      for index in 0..<count { target[index * step] = strip[index * width + x] }
    }
  }
}
