/// A chunk of a PNG file: its type and where its content is (PNG specification, third edition, section 5.3).
struct PNGChunk {
  var type: UInt32
  /// The bytes of the file that are the content. They may lie behind its end: the length is what the file claims.
  var content: Range<Int>

  /// The content with its type before it and its checksum behind it.
  var whole: Range<Int> { content.lowerBound - 8..<content.upperBound + 4 }

  enum Kind {
    static let header: UInt32 = 0x4948_4452  // IHDR
    static let palette: UInt32 = 0x504C_5445  // PLTE
    static let imageData: UInt32 = 0x4944_4154  // IDAT
    static let end: UInt32 = 0x4945_4E44  // IEND
    static let transparency: UInt32 = 0x7452_4E53  // tRNS
    static let exif: UInt32 = 0x6558_4966  // eXIf
    static let gamma: UInt32 = 0x6741_4D41  // gAMA
    static let chromaticities: UInt32 = 0x6348_524D  // cHRM
    static let standardRGB: UInt32 = 0x7352_4742  // sRGB
    static let profile: UInt32 = 0x6943_4350  // iCCP
    static let codingPoints: UInt32 = 0x6349_4350  // cICP
    static let animationControl: UInt32 = 0x6163_544C  // acTL
    static let frameControl: UInt32 = 0x6663_544C  // fcTL
    static let frameData: UInt32 = 0x6664_4154  // fdAT
  }
}

/// A walk over the chunks of a PNG file that keeps its place between calls, and no pointer. Checksums are not looked at.
struct PNGChunks {
  /// Where the next chunk begins.
  private(set) var offset: Int

  /// Behind the signature, or where an earlier walk ended.
  init(at offset: Int = 8) { self.offset = offset }

  private static let maximumLength: UInt32 = 0x7FFF_FFFF

  /// The next chunk, whose content may not all be there; `nil` when the bytes end within its length or its type.
  /// - Throws: `image.corrupt` for a length that no chunk has.
  mutating func next(in bytes: UnsafeRawBufferPointer) throws -> PNGChunk? {
    var reader = ByteReader(bytes, at: offset)
    guard let length = reader.uint32(.big), let type = reader.uint32(.big) else { return nil }
    guard length <= Self.maximumLength else { throw CodecError.corrupt(.png, "a chunk of impossible length") }
    let content = reader.offset..<reader.offset + Int(length)
    offset = content.upperBound + 4
    return PNGChunk(type: type, content: content)
  }

  /// Throws unless the chunks are there up to the last. Of each only its length and type are looked at.
  static func checkWhole(_ bytes: UnsafeRawBufferPointer) throws {
    var chunks = PNGChunks()
    while true {
      guard let chunk = try chunks.next(in: bytes), chunks.offset <= bytes.count else {
        throw CodecError.truncated(.png)
      }
      if chunk.type == PNGChunk.Kind.end { return }
    }
  }
}
