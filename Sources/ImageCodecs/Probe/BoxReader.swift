/// A walk over the boxes of an ISO base media file, or of a box that holds boxes (ISO/IEC 14496-12, section 4.2).
struct BoxReader {
  struct Box {
    var type: UInt32
    /// Without size and type; only the part that is there.
    var content: ByteReader
    var isWhole: Bool
    /// Bytes of the content as the file claims them.
    var length: Int

    /// The version and flags before the content of a full box.
    mutating func versionAndFlags() -> (version: UInt8, flags: UInt32)? {
      content.uint32(.big).map { (UInt8($0 >> 24), $0 & 0xFF_FFFF) }
    }
  }

  private var reader: ByteReader
  private let format: ImageFormat

  /// - Parameter format: of the file, for errors.
  init(_ reader: ByteReader, _ format: ImageFormat) {
    self.reader = reader
    self.format = format
  }

  /// Bytes not yet walked over.
  var remaining: Int { reader.remaining }

  /// `nil` when the bytes end within size and type.
  /// - Throws: `image.corrupt` for a size that no box has.
  mutating func next() throws -> Box? {
    let remaining = reader.remaining
    guard let short = reader.uint32(.big), let type = reader.uint32(.big) else { return nil }
    var length: UInt64
    switch short {
    case 0: length = UInt64(remaining)
    case 1:
      guard let high = reader.uint32(.big), let low = reader.uint32(.big) else { return nil }
      length = UInt64(high) << 32 | UInt64(low)
    default: length = UInt64(short)
    }
    let header = UInt64(remaining - reader.remaining)
    guard length >= header else { throw CodecError.corrupt(format, "a box of impossible length") }
    length -= header
    let isWhole = length <= UInt64(reader.remaining)
    let content = reader.prefix(Int(clamping: length))
    reader.skip(UInt32(clamping: length))
    return Box(type: type, content: content, isWhole: isWhole, length: Int(clamping: length))
  }
}
