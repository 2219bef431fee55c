import Pixels

/// The boxes at the top of a HEIF file, of which AVIF and HEIC are kinds (AVIF 1.1; ISO/IEC 23008-12).
enum HEIFHeader {
  static func read(_ file: ByteReader, as format: ImageFormat, limits: DecodeLimits) throws -> ImageInfo? {
    var boxes = BoxReader(file, format)
    var isSequence = false
    var info: ImageInfo?
    var isAtEnd = false
    while var box = try boxes.next() {
      switch box.type {
      // Of a HEIC sequence the still picture beside it is shown.
      case HEIFBoxType.fileType: isSequence = format == .avif && namesSequence(box.content)
      case HEIFBoxType.movie:
        // Of a sequence without a still picture beside it nothing is decoded.
        guard info != nil else { throw CodecError.unsupported("\(format.displayName) sequence") }
        try limits.checkMetadata(box.length)
        guard box.isWhole else { return nil }
        info?.animation = try sampleCount(box.content, format).map { AnimationInfo(loopCount: 0, frameCount: $0) }
        return info
      case HEIFBoxType.meta where info == nil:
        try limits.checkMetadata(box.length)
        guard box.isWhole else { return nil }
        _ = box.versionAndFlags()
        info = try HEIFMeta(box.content, format).info(limits)
        if !isSequence { return info }
      default: break
      }
      guard box.isWhole else { return nil }
      isAtEnd = box.type == HEIFBoxType.data && boxes.remaining == 0
    }
    // The brand alone makes no sequence; whether there is one is known at the end.
    return isAtEnd ? info : nil
  }

  /// The items of a file whose header has been read.
  static func meta(_ file: ByteReader, _ format: ImageFormat) throws -> HEIFMeta? {
    var boxes = BoxReader(file, format)
    while var box = try boxes.next() {
      guard box.type == HEIFBoxType.meta else { continue }
      _ = box.versionAndFlags()
      return try HEIFMeta(box.content, format)
    }
    return nil
  }

  /// Whether one of the brands is that of sequences.
  private static func namesSequence(_ content: ByteReader) -> Bool {
    var reader = content
    while let brand = reader.uint32(.big) {
      if brand == 0x6176_6973 { return true }
    }
    return false
  }

  /// How many pictures the first track has that says so; `nil` for less than two.
  private static func sampleCount(_ movie: ByteReader, _ format: ImageFormat) throws -> Int? {
    var content = movie
    for type in HEIFBoxType.sampleSizes {
      var boxes = BoxReader(content, format)
      var found: ByteReader?
      while found == nil, let box = try boxes.next() { if box.type == type { found = box.content } }
      guard let found else { return nil }
      content = found
    }
    // A full box: version and flags, the one size of all or 0, and their number.
    guard content.skip(8), let count = content.uint32(.big), count > 1 else { return nil }
    return Int(count)
  }

  /// Whether the file ends where a box does, as far as its boxes can be read.
  static func endsWithBox(_ bytes: UnsafeRawBufferPointer) -> Bool { ending(bytes).isAtBox }

  /// Whether the file has a box of data and does not end within a box.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool { ending(bytes) == (true, true) }

  private static func ending(_ bytes: UnsafeRawBufferPointer) -> (hasData: Bool, isAtBox: Bool) {
    var boxes = BoxReader(ByteReader(bytes), .heic)
    var (hasData, remaining) = (false, bytes.count)
    while let box = try? boxes.next() {
      guard box.isWhole else { return (hasData, false) }
      hasData = hasData || box.type == HEIFBoxType.data
      remaining = boxes.remaining
    }
    return (hasData, remaining == 0)
  }
}
