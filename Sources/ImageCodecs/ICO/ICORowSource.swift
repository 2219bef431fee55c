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
  private let isTopDown: Bool
  private var rowsRead = 0

  private static func bytesPerMaskRow(_ width: Int) -> Int { (width + 31) / 32 * 4 }

  /// - Parameter bytes: the picture's own.
  init(_ header: BMPHeader, bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
    self.bytes = bytes
    size = header.size
    isTopDown = header.isTopDown
    pixels = try BMPRowSource(header, bytes: bytes, limits: limits)
    mask = pixels.isOpaque ? try Self.mask(header, bytes) : nil
  }

  /// A picture may end where its mask would begin, and not within it.
  private static func mask(_ header: BMPHeader, _ bytes: UnsafeRawBufferPointer) throws -> Int? {
    let start = header.pixels + header.bytesPerRow * header.size.height
    guard start < bytes.count else { return nil }
    guard bytes.count - start >= bytesPerMaskRow(header.size.width) * header.size.height else {
      throw CodecError.corrupt(.ico, "a mask that ends too early")
    }
    return start
  }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    try pixels.readRow(into: row)
    defer { rowsRead += 1 }
    guard let mask else { return }
    let y = isTopDown ? rowsRead : size.height - 1 - rowsRead
    let bits = mask + y * Self.bytesPerMaskRow(size.width)
    for x in 0..<size.width where bytes[bits + x / 8] & 0x80 >> UInt8(x % 8) != 0 {
      (row + x * 4).update(repeating: 0, count: 4)
    }
  }
}
