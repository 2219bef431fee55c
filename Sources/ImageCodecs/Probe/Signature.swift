/// Formats by the bytes that every file of theirs begins with.
///
/// Detection goes by these bytes alone, never by a name or a declared media type, and needs the whole signature:
/// two bytes that happen to match are no picture.
enum Signature {
  enum Match: Hashable {
    case supported(ImageFormat)
    /// A picture that this library does not decode, with the name people know it by.
    case unsupported(String)
    /// The bytes so far are the beginning of at least one signature.
    case incomplete
    case none
  }

  static func match(_ bytes: UnsafeRawBufferPointer) -> Match {
    var isIncomplete = false
    for (pattern, result) in table {
      guard zip(pattern, bytes).allSatisfy({ $0 == nil || $0 == $1 }) else { continue }
      guard bytes.count >= pattern.count else {
        isIncomplete = true
        continue
      }
      if isCompatible(bytes, with: ["avif"]) { return .supported(.avif) }
      guard !lacksBrands(bytes) else { return .incomplete }
      return isCompatible(bytes, with: heicBrands) ? .supported(.heic) : result
    }
    return isIncomplete ? .incomplete : .none
  }

  /// The format of a file that may be cut off anywhere; `nil` when too little of it is there.
  static func format(of bytes: UnsafeRawBufferPointer) -> ImageFormat? {
    guard case .supported(let format) = match(bytes) else { return nil }
    return format
  }

  /// `nil` stands for any byte.
  private typealias Pattern = [UInt8?]

  private static let table: [(Pattern, Match)] =
    [
      ([0xFF, 0xD8, 0xFF], .supported(.jpeg)),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .supported(.png)),
      (text("RIFF") + any(4) + text("WEBP"), .supported(.webp)),
      (text("GIF87a"), .supported(.gif)),
      (text("GIF89a"), .supported(.gif)),
      // BITMAPFILEHEADER: the reserved fields are zero, and the size of the header behind it is below 256.
      (text("BM") + any(4) + [0, 0, 0, 0] + any(4) + [nil, 0, 0, 0], .supported(.bmp)),
      (text("II") + [0x2A, 0], .supported(.tiff)),
      (text("MM") + [0, 0x2A], .supported(.tiff)),
      (text("II") + [0x2B, 0], .supported(.tiff)),
      (text("MM") + [0, 0x2B], .supported(.tiff)),
      ([0xFF, 0x0A], .supported(.jxl)),
      ([0, 0, 0, 0x0C] + text("JXL ") + [0x0D, 0x0A, 0x87, 0x0A], .supported(.jxl)),
      ([0, 0, 0, 0x0C] + text("jP  ") + [0x0D, 0x0A, 0x87, 0x0A], .unsupported("JPEG 2000")),
      // ICONDIR: 1 for icons and 2 for cursors, then fewer than 256 pictures; the first one's reserved byte is 0.
      ([0, 0, 1, 0, nil, 0] + any(3) + [0], .supported(.ico)),
      ([0, 0, 2, 0, nil, 0] + any(3) + [0], .supported(.ico)),
      (text("8BPS"), .unsupported("Photoshop")),
    ] + brands.map { (any(4) + text("ftyp") + text($0), $1) }

  /// Major brands of the ISO base media file format (ISO/IEC 23008-12, AVIF 1.1).
  private static let brands: [(StaticString, Match)] =
    [
      ("avif", .supported(.avif)), ("avis", .unsupported("AVIF sequence")), ("mif1", .unsupported("HEIF")),
      ("msf1", .unsupported("HEIF")),
    ] + heicBrands.map { ($0, .supported(.heic)) }

  /// Of still pictures in HEVC and of sequences of them (ISO/IEC 23008-12, annex B.4).
  private static let heicBrands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx"]

  /// Whether a file of a general brand, such as mif1, says that it is also of another (ISO/IEC 14496-12, section 4.3).
  private static func isCompatible(_ bytes: UnsafeRawBufferPointer, with wanted: [StaticString]) -> Bool {
    var reader = ByteReader(bytes)
    guard let length = reader.uint32(.big), reader.starts(with: "ftyp") else { return false }
    // The major brand, its version, and the others.
    var brands = reader.dropping(4).prefix(min(Int(length), maximumFileType) - 8)
    while brands.remaining >= 4 {
      if wanted.contains(where: { brands.starts(with: $0) }) { return true }
      brands.skip(4)
    }
    return false
  }

  /// Whether there are brands yet to come.
  private static func lacksBrands(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes)
    guard let length = reader.uint32(.big), reader.starts(with: "ftyp") else { return false }
    return bytes.count < min(Int(length), maximumFileType)
  }

  /// Bytes of the box of brands that are looked at: more than any file has.
  private static let maximumFileType = 512

  private static func text(_ string: StaticString) -> Pattern {
    (0..<string.utf8CodeUnitCount).map { string.utf8Start[$0] }
  }

  private static func any(_ count: Int) -> Pattern { Pattern(repeating: nil, count: count) }
}
