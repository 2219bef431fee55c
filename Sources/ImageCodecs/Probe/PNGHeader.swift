import Pixels

/// The chunks of a PNG file (PNG specification, third edition, sections 5.3 and 11).
///
/// eXIf may stand in front of the image data or behind it; the latter is found when the bytes reach that far, and is
/// not waited for. Everything else that is read stands in front.
enum PNGHeader {
  private typealias Kind = PNGChunk.Kind

  static func read(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws -> ImageInfo? {
    var chunks = PNGChunks()
    guard let header = try chunks.next(in: bytes) else { return nil }
    guard header.type == Kind.header, header.content.count == 13 else {
      throw CodecError.corrupt(.png, "it does not begin with its header")
    }
    guard chunks.offset <= bytes.count, var info = try imageHeader(ByteReader(bytes, at: header.content.lowerBound))
    else { return nil }
    var (colorRank, metadataBytes) = (0, 0)
    while let chunk = try chunks.next(in: bytes) {
      if chunk.type == Kind.imageData {
        info.orientation = lateOrientation(&chunks, bytes) ?? info.orientation
        return info
      }
      guard chunk.type != Kind.end else { return info }
      if chunk.type == Kind.exif {
        metadataBytes += chunk.content.count
        try limits.checkMetadata(metadataBytes)
      }
      guard chunks.offset <= bytes.count else { return nil }
      note(chunk.type, ByteReader(bytes, at: chunk.content.lowerBound).prefix(chunk.content.count), &info, &colorRank)
    }
    return nil
  }

  private static func note(_ type: UInt32, _ content: ByteReader, _ info: inout ImageInfo, _ colorRank: inout Int) {
    switch type {
    case Kind.transparency: info.hasAlpha = true
    case Kind.exif: info.orientation = ExifOrientation.read(content) ?? .up
    case Kind.animationControl: info.animation = animation(content)
    default:
      guard let color = colorSpace(type, content), color.rank > colorRank else { break }
      (info.colorSpace, colorRank) = (color.summary, color.rank)
    }
  }

  /// Behind the image data only orientation is looked for, and as far as there are bytes.
  private static func lateOrientation(_ chunks: inout PNGChunks, _ bytes: UnsafeRawBufferPointer) -> Orientation? {
    while let chunk = try? chunks.next(in: bytes), chunk.type != Kind.end, chunk.content.upperBound <= bytes.count {
      guard chunk.type == Kind.exif else { continue }
      return ExifOrientation.read(ByteReader(bytes, at: chunk.content.lowerBound).prefix(chunk.content.count))
    }
    return nil
  }

  /// Section 11.2.1.
  private static func imageHeader(_ content: ByteReader) throws -> ImageInfo? {
    var content = content
    guard let width = content.uint32(.big), let height = content.uint32(.big), let depth = content.uint8(),
      let colorType = content.uint8()
    else { return nil }
    let sides: ClosedRange<UInt32> = 1...0x7FFF_FFFF
    guard sides.contains(width), sides.contains(height) else {
      throw CodecError.corrupt(.png, "a header without a size")
    }
    let model: ColorModel =
      switch colorType {
      case 0, 4: .grey
      case 3: .indexed
      default: .rgb
      }
    return ImageInfo(
      format: .png, storedSize: PixelSize(width: Int(width), height: Int(height)),
      hasAlpha: colorType == 4 || colorType == 6, bitDepth: model == .indexed ? 8 : Int(depth), colorModel: model)
  }

  /// Section 11.3.2; where there are several the one of the highest rank holds (section 4.3).
  private static func colorSpace(
    _ type: UInt32, _ content: ByteReader
  ) -> (summary: ColorSpaceSummary, rank: Int)? {
    switch type {
    case Kind.gamma, Kind.chromaticities: return (.parameters, 1)
    case Kind.standardRGB: return (.sRGB, 2)
    case Kind.profile:
      var content = content
      var name: [UInt8] = []
      // At most 79 bytes of Latin-1 before a zero.
      while name.count < 80, let byte = content.uint8(), byte != 0 { name.append(byte) }
      return (.profile(name: String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) }))), 3)
    case Kind.codingPoints: return (.parameters, 4)
    default: return nil
    }
  }

  /// Section 11.3.6.1. A count of no frames is no animation.
  private static func animation(_ content: ByteReader) -> AnimationInfo? {
    var content = content
    guard let frames = content.uint32(.big), let plays = content.uint32(.big), frames > 0 else { return nil }
    return AnimationInfo(loopCount: Int(plays), frameCount: Int(frames))
  }
}
