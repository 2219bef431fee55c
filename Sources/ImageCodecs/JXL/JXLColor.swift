/// What a JPEG XL codestream says of its colours (ISO/IEC 18181-1, ColourEncoding).
struct JXLColor {
  private enum Space: UInt32 {
    case rgb = 0
    case grey, xyb, unknown
  }

  private(set) var isGrey = false
  /// Whether an ICC profile, which is packed like pictures are, says it.
  private(set) var hasProfile = false
  /// `nil` for sRGB, and where a profile says it.
  private(set) var source: SourceColor?

  /// sRGB.
  init() {}

  init(_ reader: inout JXLBitReader) throws {
    if try reader.bool() { return }
    hasProfile = try reader.bool()
    let space = Space(rawValue: try reader.enumeration())
    isGrey = space == .grey
    if hasProfile { return }
    guard let space, space != .unknown else { throw CodecError.corrupt(.jxl, "colours that are not told") }
    // The format's own space is fixed, and so is what decoders make of it.
    if space != .xyb { source = try Self.parameters(&reader, isGrey: isGrey) }
    // The rendering intent.
    _ = try reader.enumeration()
  }

  var summary: ColorSpaceSummary { hasProfile ? .profile(name: nil) : source == nil ? .sRGB : .parameters }

  private static func parameters(_ reader: inout JXLBitReader, isGrey: Bool) throws -> SourceColor? {
    var points = Chromaticities.sRGB
    switch try reader.enumeration() {
    case 1: break
    case 2: points.white = try point(&reader)
    case 10: points.white = SIMD2(1.0 / 3, 1.0 / 3)
    case 11: points.white = Chromaticities.dciP3.white
    default: throw CodecError.corrupt(.jxl, "an unknown white point")
    }
    if !isGrey { try readPrimaries(&reader, &points) }
    let transfer = try transfer(&reader)
    return points == .sRGB && transfer == .sRGB ? nil : .parameters(points, transfer)
  }

  private static func readPrimaries(_ reader: inout JXLBitReader, _ points: inout Chromaticities) throws {
    let known: Chromaticities
    switch try reader.enumeration() {
    case 1: return
    case 2:
      points.red = try point(&reader)
      points.green = try point(&reader)
      points.blue = try point(&reader)
      return
    case 9: known = .rec2020
    case 11: known = .displayP3
    default: throw CodecError.corrupt(.jxl, "unknown primaries")
    }
    (points.red, points.green, points.blue) = (known.red, known.green, known.blue)
  }

  /// In millionths.
  private static func point(_ reader: inout JXLBitReader) throws -> SIMD2<Double> {
    let (x, y) = (try reader.signed(), try reader.signed())
    return SIMD2(Double(x), Double(y)) / 1e6
  }

  private static func transfer(_ reader: inout JXLBitReader) throws -> TransferFunction {
    if try reader.bool() {
      // Of light to numbers, in ten millionths.
      let exponent = Double(try reader.bits(24)) / 1e7
      guard exponent > 1e-4, exponent <= 1 else { throw CodecError.corrupt(.jxl, "an impossible gamma") }
      return .gamma(1 / exponent)
    }
    let code = try reader.enumeration()
    // SMPTE ST 428-1, as in digital cinemas.
    if code == 17 { return .gamma(2.6) }
    guard let transfer = TransferFunction(code: Int(code)) else {
      throw CodecError.corrupt(.jxl, "an unknown transfer function")
    }
    return transfer
  }
}
