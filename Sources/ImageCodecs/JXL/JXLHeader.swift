import Pixels

/// The header of a JPEG XL codestream: what is said of all of its frames (ISO/IEC 18181-1, SizeHeader and ImageMetadata).
struct JXLHeader {
  /// Of one displayed frame, in ticks.
  struct Animation {
    var ticksPerSecond: Double
    /// 0 for without end.
    var loopCount: Int
    var hasTimecodes: Bool
  }

  /// A channel beside those of colour.
  struct ExtraChannel {
    enum Kind: UInt32 {
      case alpha = 0
      case spotColor = 2
      case black = 4
      case colorFilter = 5
    }

    /// `nil` for those that are not looked at.
    var kind: Kind? = .alpha
    /// Stored at a size that is halved so many times.
    var halvings = 0
    /// Whether the colours are premultiplied by it.
    var isPremultiplied = false
  }

  private(set) var size: PixelSize
  private(set) var orientation = Orientation.up
  /// Of the picture that comes before the first frame.
  private(set) var previewSize: PixelSize?
  private(set) var animation: Animation?
  private(set) var bitDepth = 8
  private(set) var extraChannels: [ExtraChannel] = []
  /// Whether colours are stored in the format's own space, of which decoders make any other.
  private(set) var isXYB = true
  private(set) var color = JXLColor()

  /// - Returns: `nil` when the bytes end within the header.
  /// - Throws: `image.corrupt`, `image.tooMuchMetadata`.
  static func read(_ file: UnsafeRawBufferPointer, limits: DecodeLimits) throws -> JXLHeader? {
    var reader = JXLBitReader(file: file)
    do {
      guard try reader.bits(16) == 0x0AFF || reader.hasEnded else {
        throw CodecError.corrupt(.jxl, "no codestream in it")
      }
      let header = try JXLHeader(&reader, limits)
      return reader.hasEnded ? nil : header
    } catch  where reader.hasEnded {
      // What was read behind the end.
      return nil
    }
  }

  private init(_ reader: inout JXLBitReader, _ limits: DecodeLimits) throws {
    size = try Self.size(&reader)
    if try !reader.bool() { try readMetadata(&reader, limits) }
    try Self.skipTransforms(&reader, isXYB: isXYB)
    if color.hasProfile {
      // As it is packed. It grows little when it is unpacked.
      try limits.checkMetadata(Int(clamping: try reader.long()))
    }
  }

  private mutating func readMetadata(_ reader: inout JXLBitReader, _ limits: DecodeLimits) throws {
    let hasMore = try reader.bool()
    if hasMore {
      orientation = Orientation(rawValue: UInt8(try reader.bits(3)) + 1) ?? .up
      // The size at which the picture would like to be shown.
      if try reader.bool() { _ = try Self.size(&reader) }
      if try reader.bool() { previewSize = try Self.previewSize(&reader) }
      if try reader.bool() { animation = try Self.animation(&reader) }
    }
    bitDepth = try Self.bitDepth(&reader)
    // Whether 16 bits are enough to decode it.
    _ = try reader.bool()
    try readExtraChannels(&reader, limits)
    isXYB = try reader.bool()
    color = try JXLColor(&reader)
    if hasMore, try !reader.bool() {
      // Three levels of brightness, and of what one of them is relative to.
      try reader.skip(16 * 3 + 1)
    }
    try reader.skipExtensions()
  }

  // MARK: Sizes

  private static func size(_ reader: inout JXLBitReader) throws -> PixelSize {
    let isSmall = try reader.bool()
    return try size(&reader) { reader in
      isSmall
        ? try (reader.bits(5) + 1) * 8
        : try reader.number(.bits(9, plus: 1), .bits(13, plus: 1), .bits(18, plus: 1), .bits(30, plus: 1))
    }
  }

  private static func previewSize(_ reader: inout JXLBitReader) throws -> PixelSize {
    let isOfBlocks = try reader.bool()
    return try size(&reader) { reader in
      isOfBlocks
        ? try reader.number(.value(16), .value(32), .bits(5, plus: 1), .bits(9, plus: 33)) * 8
        : try reader.number(.bits(6, plus: 1), .bits(8, plus: 65), .bits(10, plus: 321), .bits(12, plus: 1345))
    }
  }

  /// The height, and the width or what it is to the height.
  private static func size(
    _ reader: inout JXLBitReader, side: (inout JXLBitReader) throws -> UInt32
  ) throws -> PixelSize {
    let height = Int(try side(&reader))
    let width =
      switch try reader.bits(3) {
      case 0: Int(try side(&reader))
      case 1: height
      case 2: height * 12 / 10
      case 3: height * 4 / 3
      case 4: height * 3 / 2
      case 5: height * 16 / 9
      case 6: height * 5 / 4
      default: height * 2
      }
    return PixelSize(width: width, height: height)
  }

  // MARK: Fields

  private static func animation(_ reader: inout JXLBitReader) throws -> Animation {
    let ticks = try reader.number(.value(100), .value(1000), .bits(10, plus: 1), .bits(30, plus: 1))
    let seconds = try reader.number(.value(1), .value(1001), .bits(8, plus: 1), .bits(10, plus: 1))
    let loopCount = try reader.number(.value(0), .bits(3), .bits(16), .bits(32))
    return Animation(
      ticksPerSecond: Double(ticks) / Double(seconds), loopCount: Int(loopCount), hasTimecodes: try reader.bool())
  }

  private static func bitDepth(_ reader: inout JXLBitReader) throws -> Int {
    guard try reader.bool() else {
      let depth = Int(try reader.number(.value(8), .value(10), .value(12), .bits(6, plus: 1)))
      guard depth <= 31 else { throw CodecError.corrupt(.jxl, "an impossible depth") }
      return depth
    }
    let depth = Int(try reader.number(.value(32), .value(16), .value(24), .bits(6, plus: 1)))
    let exponent = Int(try reader.bits(4)) + 1
    guard (2...8).contains(exponent), (2...23).contains(depth - exponent - 1) else {
      throw CodecError.corrupt(.jxl, "an impossible depth")
    }
    return depth
  }

  private mutating func readExtraChannels(_ reader: inout JXLBitReader, _ limits: DecodeLimits) throws {
    let count = try reader.number(.value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1))
    var nameBytes = 0
    for _ in 0..<count where !reader.hasEnded {
      extraChannels.append(try Self.extraChannel(&reader, nameBytes: &nameBytes))
      try limits.checkMetadata(nameBytes)
    }
  }

  private static func extraChannel(_ reader: inout JXLBitReader, nameBytes: inout Int) throws -> ExtraChannel {
    var channel = ExtraChannel()
    if try reader.bool() { return channel }
    channel.kind = ExtraChannel.Kind(rawValue: try reader.enumeration())
    _ = try bitDepth(&reader)
    channel.halvings = Int(try reader.number(.value(0), .value(3), .value(4), .bits(3, plus: 1)))
    nameBytes += try reader.skipName()
    switch channel.kind {
    case .alpha: channel.isPremultiplied = try reader.bool()
    case .spotColor: try reader.skipHalves(4)
    case .colorFilter: _ = try reader.number(.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19))
    case .black, nil: break
    }
    return channel
  }

  /// Matrices of the format's own space, and weights of enlargements.
  private static func skipTransforms(_ reader: inout JXLBitReader, isXYB: Bool) throws {
    if try reader.bool() { return }
    if isXYB, try !reader.bool() { try reader.skipHalves(9 + 3 + 4) }
    let weights = try reader.bits(3)
    for (bit, count) in [15, 55, 210].enumerated() where weights >> bit & 1 == 1 { try reader.skipHalves(count) }
  }
}

extension JXLHeader {
  var hasAlpha: Bool { extraChannels.contains { $0.kind == .alpha } }

  var info: ImageInfo {
    let hasInk = extraChannels.contains { $0.kind == .black }
    return ImageInfo(
      format: .jxl, storedSize: size, orientation: orientation, hasAlpha: hasAlpha, bitDepth: bitDepth,
      colorModel: color.isGrey ? .grey : hasInk ? .cmyk : .rgb, colorSpace: color.summary,
      animation: animation.map { AnimationInfo(loopCount: $0.loopCount) })
  }
}
