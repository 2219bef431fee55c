import Pixels

/// Rows of a BMP, from the top whichever way they are stored.
///
/// Rows are where their number says, so that one at a time is read. Only run lengths are unpacked as a whole first, a
/// byte a pixel. Unsafe: the bytes must outlive the source.
final class BMPRowSource: RowSource {
  let size: PixelSize
  /// Whether every pixel is opaque: no alpha channel, or one that is 0 throughout, as written by programs that do not
  /// know it.
  let isOpaque: Bool
  private let header: BMPHeader
  private let bytes: UnsafeRawBufferPointer
  private let convert: (UnsafeRawPointer, UnsafeMutablePointer<UInt8>) -> Void
  private let limits: DecodeLimits
  private let isPartial: Bool
  private var indices: ScratchMemory<UInt8>?
  /// In the order of the file.
  private var rowsHere: Int
  private var rowsRead = 0

  /// - Parameter isPartial: whether rows may be missing, which are transparent then; one at least has to be there.
  init(_ header: BMPHeader, bytes: UnsafeRawBufferPointer, limits: DecodeLimits, isPartial: Bool = false) throws {
    self.isPartial = isPartial
    self.header = header
    self.bytes = bytes
    self.limits = limits
    size = header.size
    if header.compression == .runs {
      try limits.checkHeld(size, bytesPerPixel: 1)
      rowsHere = size.height
    } else {
      rowsHere = Self.rows(header, in: bytes)
      guard rowsHere >= (isPartial ? 1 : size.height) else { throw CodecError.truncated(.bmp) }
    }
    isOpaque = header.alpha == 0 || Self.isTransparentThroughout(header, bytes, rows: rowsHere)
    convert = try BMPRowConverter.make(header, bytes: bytes, isOpaque: isOpaque)
  }

  /// How many rows the bytes hold. The padding of the last one may be missing.
  private static func rows(_ header: BMPHeader, in bytes: UnsafeRawBufferPointer) -> Int {
    let row = (header.size.width * header.bitsPerPixel + 7) / 8
    let rest = bytes.count - header.pixels - row
    return rest < 0 ? 0 : min(header.size.height, rest / header.bytesPerRow + 1)
  }

  /// Mostly answered by the first row.
  private static func isTransparentThroughout(
    _ header: BMPHeader, _ bytes: UnsafeRawBufferPointer, rows: Int
  ) -> Bool {
    for y in 0..<rows {
      var row = bytes.part(header.pixels + y * header.bytesPerRow..<bytes.count)
      row = row.part(0..<header.size.width * header.bitsPerPixel / 8)
      let seen =
        header.bitsPerPixel == 16
        ? UInt32(union(of: row, as: UInt16.self).littleEndian) : union(of: row, as: UInt32.self).littleEndian
      if seen & header.alpha != 0 { return false }
    }
    return true
  }

  /// Every bit that is set in any of the numbers.
  private static func union<Number: FixedWidthInteger & BitwiseCopyable>(
    of row: UnsafeRawBufferPointer, as: Number.Type
  ) -> Number {
    let length = MemoryLayout<Number>.size
    return stride(from: 0, through: row.count - length, by: length).reduce(0) {
      $0 | row.loadUnaligned(fromByteOffset: $1, as: Number.self)
    }
  }

  func prepare(isCancelled: () -> Bool) throws {
    guard header.compression == .runs else { return }
    let indices = try ScratchMemory<UInt8>(count: size.area)
    var runs = BMPRunLengths(header, bytes: bytes, target: indices.start)
    do {
      try runs.unpack(isCancelled: isCancelled)
    } catch let error as CodecError where isPartial && error.isDamage && runs.y > 0 {
      rowsHere = runs.y
    }
    self.indices = indices
  }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    let y = header.isTopDown ? rowsRead : size.height - 1 - rowsRead
    rowsRead += 1
    if y >= rowsHere {
      row.update(repeating: 0, count: size.width * 4)
    } else if let indices {
      convert(UnsafeRawPointer(indices.start + y * size.width), row)
    } else if let start = bytes.baseAddress {
      convert(start + header.pixels + y * header.bytesPerRow, row)
    }
  }
}
