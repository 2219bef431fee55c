import Pixels

/// Unpacks run lengths (RLE8 and RLE4: Microsoft, "Bitmap Compression") to one byte a pixel, as a whole.
///
/// Pixels that the file passes over have colour 0, and runs that go on beyond their row are cut at its end.
struct BMPRunLengths {
  private let bytes: UnsafeRawBufferPointer
  private let size: PixelSize
  private let isNibbles: Bool
  private let target: UnsafeMutablePointer<UInt8>
  private var at: Int
  private var x = 0
  /// The row that comes next, or is not all there.
  private(set) var y = 0

  /// - Parameter target: zeroed memory for `size`, in which rows come in the order of the file.
  init(_ header: BMPHeader, bytes: UnsafeRawBufferPointer, target: UnsafeMutablePointer<UInt8>) {
    self.bytes = bytes
    self.target = target
    size = header.size
    isNibbles = header.bitsPerPixel == 4
    at = min(header.pixels, bytes.count)
  }

  /// - Throws: `body.truncated` where the bytes end before the picture does.
  mutating func unpack(isCancelled: () -> Bool) throws {
    var row = y
    if isCancelled() { throw CancellationError() }
    while let count = next(), let value = next() {
      if count > 0 {
        fill(count, value)
      } else {
        switch value {
        case 0: (x, y) = (0, y + 1)
        case 1: return
        case 2:
          guard let right = next(), let down = next() else { throw CodecError.truncated(.bmp) }
          (x, y) = (x + right, y + down)
        default: try copy(value)
        }
      }
      // What follows the last row could only be the end.
      if y >= size.height { return }
      if y != row {
        row = y
        if isCancelled() { throw CancellationError() }
      }
    }
    // Some encoders leave out the end where all is said.
    guard y == size.height - 1, x >= size.width else { throw CodecError.truncated(.bmp) }
  }

  private mutating func next() -> Int? {
    guard at < bytes.count else { return nil }
    defer { at += 1 }
    return Int(bytes[at])
  }

  /// So many pixels of one colour, or of two in turn.
  private mutating func fill(_ count: Int, _ value: Int) {
    for index in 0..<visible(count) { put(isNibbles ? nibble(value, index) : value, index) }
    x += count
  }

  /// How many of the next pixels lie within the row: a file may say on and on what no one sees.
  private func visible(_ count: Int) -> Int { min(count, max(0, size.width - x)) }

  /// So many pixels as they are, in an even number of bytes.
  private mutating func copy(_ count: Int) throws {
    let length = isNibbles ? (count + 1) / 2 : count
    guard bytes.count - at >= length else { throw CodecError.truncated(.bmp) }
    for index in 0..<visible(count) {
      put(isNibbles ? nibble(Int(bytes[at + index / 2]), index) : Int(bytes[at + index]), index)
    }
    x += count
    at += (length + 1) & ~1
  }

  private func nibble(_ byte: Int, _ index: Int) -> Int { index & 1 == 0 ? byte >> 4 : byte & 15 }

  private func put(_ index: Int, _ offset: Int) {
    target[y * size.width + x + offset] = UInt8(truncatingIfNeeded: index)
  }
}
