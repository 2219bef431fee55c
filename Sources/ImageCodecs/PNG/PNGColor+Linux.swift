#if !canImport(Darwin)
  import Pixels

  /// What a PNG says of its colours: of cICP, iCCP, sRGB, and gAMA with cHRM, the first that is there and makes sense (PNG
  /// specification, third edition, section 4.3).
  struct PNGColor {
    private var codingPoints: CodingPoints?
    private var profile: ColorProfile?
    private var hasProfile = false
    private var isStandard = false
    private var exponent: Double?
    private var chromaticities: Chromaticities?

    /// - Parameter maximum: bytes; a longer profile counts as none.
    static func read(_ bytes: UnsafeRawBufferPointer, maximum: Int) -> SourceColor? {
      var color = PNGColor()
      var chunks = PNGChunks()
      while let chunk = try? chunks.next(in: bytes), chunk.type != PNGChunk.Kind.imageData,
        chunk.content.upperBound <= bytes.count
      {
        color.note(chunk.type, UnsafeRawBufferPointer(rebasing: bytes[chunk.content]), maximum: maximum)
      }
      return color.source
    }

    private var source: SourceColor? {
      if let codingPoints { return codingPoints.color }
      if let profile { return .profile(profile) }
      if isStandard || exponent == nil && chromaticities == nil { return nil }
      return .parameters(chromaticities ?? .sRGB, exponent.map { .gamma($0) } ?? .sRGB)
    }

    private mutating func note(_ type: UInt32, _ content: UnsafeRawBufferPointer, maximum: Int) {
      var reader = ByteReader(content)
      switch type {
      case PNGChunk.Kind.codingPoints:
        // Primaries, transfer, matrix (0 for RGB), range.
        guard content.count == 4, content[2] == 0 else { return }
        codingPoints = CodingPoints(primaries: Int(content[0]), transfer: Int(content[1]))
      case PNGChunk.Kind.profile:
        // There may be one. Each more would be another few megabytes to unpack.
        if !hasProfile { profile = Self.inflated(content, maximum: maximum) }
        hasProfile = true
      case PNGChunk.Kind.standardRGB:
        isStandard = true
      case PNGChunk.Kind.gamma:
        guard let value = reader.uint32(.big), (1_000...10_000_000).contains(value) else { return }
        exponent = 100_000 / Double(value)
      case PNGChunk.Kind.chromaticities:
        let values = (0..<8).compactMap { _ in reader.uint32(.big).map { Double($0) / 100_000 } }
        guard values.count == 8 else { return }
        let points = Chromaticities(
          white: SIMD2(values[0], values[1]), red: SIMD2(values[2], values[3]), green: SIMD2(values[4], values[5]),
          blue: SIMD2(values[6], values[7]))
        if points.isUsable { chromaticities = points }
      default: break
      }
    }

    /// Section 11.3.2.3: a name, a zero, the method (0), and the profile in zlib's format.
    private static func inflated(_ content: UnsafeRawBufferPointer, maximum: Int) -> ColorProfile? {
      guard let end = content.prefix(80).firstIndex(of: 0), end + 2 < content.count, content[end + 1] == 0 else {
        return nil
      }
      return Inflate.bytes(UnsafeRawBufferPointer(rebasing: content[(end + 2)...]), maximum: maximum)
        .map(ColorProfile.init)
    }
  }
#endif
