import Pixels

/// The chunks of a WebP file (RFC 9649, section 2; VP8: RFC 6386, section 9.1).
enum WebPHeader {
  /// The number of bytes that the RIFF header claims for the whole file; `nil` when there is no whole header.
  static func declaredLength(_ file: ByteReader) -> UInt64? {
    var reader = file
    guard reader.skip(4), let size = reader.uint32(.little) else { return nil }
    return UInt64(size) + 8
  }

  static func read(_ file: ByteReader, limits: DecodeLimits) throws -> ImageInfo? {
    var reader = file
    guard let end = declaredLength(file), reader.skip(12) else { return nil }
    guard let type = reader.uint32(.big), let length = reader.uint32(.little) else { return nil }
    switch type {
    case ChunkType.lossy: return try lossy(&reader)
    case ChunkType.lossless: return try lossless(&reader)
    case ChunkType.extended:
      guard length >= 10 else { throw CodecError.corrupt(.webp, "a header that is too short") }
      guard let content = reader.take(length) else { return nil }
      let isWhole = UInt64(reader.remaining) + 20 + UInt64(length) >= end
      return try extended(content, chunks: &reader, isWhole: isWhole, limits: limits)
    default: throw CodecError.corrupt(.webp, "it does not begin with its header")
    }
  }

  private typealias ChunkType = WebPChunk.Kind

  private static func lossy(_ reader: inout ByteReader) throws -> ImageInfo? {
    guard let tag = reader.uint24LittleEndian(), let startCode = reader.uint24LittleEndian() else { return nil }
    guard tag & 1 == 0, startCode == 0x2A019D else { throw CodecError.corrupt(.webp, "no key frame") }
    guard let width = reader.uint16(.little), let height = reader.uint16(.little) else { return nil }
    return try info(width: UInt32(width & 0x3FFF), height: UInt32(height & 0x3FFF), hasAlpha: false)
  }

  private static func lossless(_ reader: inout ByteReader) throws -> ImageInfo? {
    guard let signature = reader.uint8(), let bits = reader.uint32(.little) else { return nil }
    guard signature == 0x2F else { throw CodecError.corrupt(.webp, "no lossless signature") }
    return try info(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1, hasAlpha: bits >> 28 & 1 == 1)
  }

  private static func extended(
    _ header: ByteReader, chunks: inout ByteReader, isWhole: Bool, limits: DecodeLimits
  ) throws -> ImageInfo? {
    var reader = header
    guard let flags = reader.uint8(), reader.skip(3), let width = reader.uint24LittleEndian(),
      let height = reader.uint24LittleEndian()
    else { return nil }
    var info = try info(width: width + 1, height: height + 1, hasAlpha: flags & 0x10 != 0)
    var awaited = Set<UInt32>()
    if flags & 0x02 != 0 {
      awaited.insert(ChunkType.animation)
      info.animation = AnimationInfo(loopCount: 0)
    }
    if flags & 0x08 != 0 { awaited.insert(ChunkType.exif) }
    if flags & 0x20 != 0 {
      awaited.insert(ChunkType.profile)
      info.colorSpace = .profile(name: nil)
    }
    while !awaited.isEmpty, let type = chunks.uint32(.big), let length = chunks.uint32(.little) {
      if awaited.remove(type) != nil {
        if type == ChunkType.exif { try limits.checkMetadata(Int(length)) }
        guard let content = chunks.take(length) else { return isWhole ? info : nil }
        note(type, content, &info)
      } else {
        guard chunks.skip(length) else { break }
      }
      guard chunks.skip(length & 1) else { break }
    }
    return awaited.isEmpty || isWhole ? info : nil
  }

  private static func note(_ type: UInt32, _ content: ByteReader, _ info: inout ImageInfo) {
    switch type {
    case ChunkType.exif: info.orientation = ExifOrientation.read(content) ?? .up
    case ChunkType.profile: info.colorSpace = .profile(name: ICCProfile.name(content))
    default:
      // Four bytes of background colour, which browsers do not show.
      var content = content.dropping(4)
      info.animation?.loopCount = content.uint16(.little).map(Int.init) ?? 0
    }
  }

  private static func info(width: UInt32, height: UInt32, hasAlpha: Bool) throws -> ImageInfo {
    guard width > 0, height > 0 else { throw CodecError.corrupt(.webp, "a header without a size") }
    let size = PixelSize(width: Int(width), height: Int(height))
    return ImageInfo(format: .webp, storedSize: size, hasAlpha: hasAlpha)
  }
}
