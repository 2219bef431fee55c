import Pixels

/// The chunks of a PNG file (PNG specification, third edition, sections 5.3 and 11).
///
/// eXIf may stand in front of the image data or behind it; the latter is found when the bytes reach that far, and is
/// not waited for.
enum PNGHeader {
  private static let maximumLength: UInt32 = 0x7FFF_FFFF

  static func read(_ file: ByteReader) throws -> ImageInfo? {
    var reader = file
    reader.skip(8)
    guard var info = try imageHeader(&reader) else { return nil }
    var isPastData = false
    while let length = reader.uint32(.big), let type = reader.uint32(.big) {
      guard length <= maximumLength else {
        if isPastData { return info }
        throw CodecError.corrupt(.png, "a chunk of impossible length")
      }
      switch type {
      case ChunkType.imageData: isPastData = true
      case ChunkType.end: return info
      case ChunkType.transparency where !isPastData: info.hasAlpha = true
      case ChunkType.exif:
        let content = reader.prefix(Int(length))
        guard content.remaining == length else { return isPastData ? info : nil }
        info.orientation = ExifOrientation.read(content) ?? .up
      default: break
      }
      guard reader.skip(length), reader.skip(4) else { break }
    }
    return isPastData ? info : nil
  }

  private enum ChunkType {
    static let header: UInt32 = 0x4948_4452  // IHDR
    static let imageData: UInt32 = 0x4944_4154  // IDAT
    static let end: UInt32 = 0x4945_4E44  // IEND
    static let transparency: UInt32 = 0x7452_4E53  // tRNS
    static let exif: UInt32 = 0x6558_4966  // eXIf
  }

  /// Section 11.2.1: the first chunk, 13 bytes and a checksum.
  private static func imageHeader(_ reader: inout ByteReader) throws -> ImageInfo? {
    guard let length = reader.uint32(.big), let type = reader.uint32(.big) else { return nil }
    guard length == 13, type == ChunkType.header else {
      throw CodecError.corrupt(.png, "it does not begin with its header")
    }
    guard var content = reader.take(13), reader.skip(4) else { return nil }
    guard let width = content.uint32(.big), let height = content.uint32(.big), content.skip(1),
      let colorType = content.uint8()
    else { return nil }
    guard (1...maximumLength).contains(width), (1...maximumLength).contains(height) else {
      throw CodecError.corrupt(.png, "a header without a size")
    }
    let size = PixelSize(width: Int(width), height: Int(height))
    return ImageInfo(format: .png, storedSize: size, hasAlpha: colorType == 4 || colorType == 6)
  }
}
