import Pixels

/// Finds tag 0x0112 in a block of EXIF data (CIPA DC-008, sections 4.5 and 4.6.4; TIFF 6.0, section 2).
enum ExifOrientation {
  private static let orientationTag: UInt16 = 0x0112
  private static let shortType: UInt16 = 3

  /// - Parameter block: EXIF data with or without the six bytes `Exif\0\0` in front.
  /// - Returns: `nil` when the block does not hold a valid orientation.
  static func read(_ block: ByteReader) -> Orientation? {
    var tiff = block
    if block.starts(with: "Exif\0\0") { tiff.skip(6) }
    var reader = tiff
    guard let order = byteOrder(&reader), reader.uint16(order) == 42, let offset = reader.uint32(order) else {
      return nil
    }
    var directory = tiff
    guard directory.skip(offset), let count = directory.uint16(order) else { return nil }
    for _ in 0..<count {
      guard var entry = directory.take(12) else { return nil }
      guard entry.uint16(order) == orientationTag else { continue }
      guard entry.uint16(order) == shortType, entry.uint32(order) == 1, let value = entry.uint16(order) else {
        return nil
      }
      return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
    }
    return nil
  }

  private static func byteOrder(_ reader: inout ByteReader) -> ByteReader.ByteOrder? {
    switch reader.uint16(.big) {
    case 0x4949: .little
    case 0x4D4D: .big
    default: nil
    }
  }
}
