import Pixels

/// Rows of the BMP inside an icon, with its mask: a bit for each pixel, 1 for transparent.
///
/// The mask does not count where pixels have alpha of their own. Unsafe: the bytes must outlive the source.
final class ICORowSource: RowSource {
  let size: PixelSize
  private let pixels: BMPRowSource
  private let bytes: UnsafeRawBufferPointer
  /// Where the mask begins; `nil` where there is none.
  private let mask: Int?
  /// How many rows of it are there, in the order of the file.
  private let maskRows: Int
  private let isTopDown: Bool
  private var rowsRead = 0

  private static func bytesPerMaskRow(_ width: Int) -> Int { (width + 31) / 32 * 4 }

  /// - Parameters:
  ///   - bytes: the picture's own.
  ///   - wholeLength: how many they would be if all were there; rows that are not, or whose mask is not, are transparent
  ///     then. `nil` for a picture that has to be whole.
  init(_ header: BMPHeader, bytes: UnsafeRawBufferPointer, limits: DecodeLimits, wholeLength: Int? = nil) throws {
    self.bytes = bytes
    size = header.size
    isTopDown = header.isTopDown
    pixels = try BMPRowSource(header, bytes: bytes, limits: limits, isPartial: wholeLength != nil)
    let start = header.pixels + header.bytesPerRow * header.size.height
    // A picture may end where its mask would begin, and not within it.
    guard pixels.isOpaque, start < wholeLength ?? bytes.count else {
      (mask, maskRows) = (nil, 0)
      return
    }
    mask = start
    maskRows = min(size.height, max(0, bytes.count - start) / Self.bytesPerMaskRow(size.width))
    guard maskRows == size.height || wholeLength != nil && maskRows > 0 else {
      throw CodecError.corrupt(.ico, "a mask that ends too early")
    }
  }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    try pixels.readRow(into: row)
    defer { rowsRead += 1 }
    guard let mask else { return }
    let y = isTopDown ? rowsRead : size.height - 1 - rowsRead
    guard y < maskRows else {
      row.update(repeating: 0, count: size.width * 4)
      return
    }
    let bits = mask + y * Self.bytesPerMaskRow(size.width)
    for x in 0..<size.width where bytes[bits + x / 8] & 0x80 >> UInt8(x % 8) != 0 {
      (row + x * 4).update(repeating: 0, count: 4)
    }
  }
}
