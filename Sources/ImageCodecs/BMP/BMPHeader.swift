import Pixels

/// The headers of a BMP file, or of the bitmap inside an icon, which has none for the file (Microsoft, "Bitmap Header
/// Types"; OS/2 2.0, BITMAPINFOHEADER2).
struct BMPHeader {
  enum Compression {
    case none
    /// Runs of pixels of 8 or 4 bits.
    case runs
    /// Pixels whose channels are where masks say.
    case masks
  }

  private(set) var size: PixelSize
  private(set) var isTopDown = false
  private(set) var bitsPerPixel: Int
  private(set) var compression = Compression.none
  /// Where each channel is in a pixel of 16 or 32 bits; all 0 for others.
  private(set) var red: UInt32 = 0
  private(set) var green: UInt32 = 0
  private(set) var blue: UInt32 = 0
  private(set) var alpha: UInt32 = 0
  private(set) var colorSpace = ColorSpaceSummary.untagged
  /// The bytes of the file that are the palette, without what the file claims of it beyond the beginning of the pixels.
  private(set) var palette = 0..<0
  /// 4, or 3 in the oldest files: blue, green, red and nothing.
  private(set) var bytesPerColor = 4
  /// Where the pixels begin.
  private(set) var pixels = 0

  /// Rows are padded to a multiple of four bytes.
  var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }
  var isIndexed: Bool { bitsPerPixel <= 8 }

  var bitDepth: Int {
    guard bitsPerPixel > 8, bitsPerPixel != 24 else { return 8 }
    return [red, green, blue].map(\.nonzeroBitCount).max() ?? 8
  }

  /// - Returns: `nil` when the bytes end within a header.
  static func file(_ bytes: UnsafeRawBufferPointer) throws -> BMPHeader? {
    var reader = ByteReader(bytes, at: 10)
    guard let pixels = reader.uint32(.little) else { return nil }
    return try BMPHeader(bytes, at: 14, pixels: Int(pixels))
  }

  /// - Parameters:
  ///   - offset: where the header of the bitmap begins.
  ///   - pixels: where the file says that the pixels begin; 0 where it does not, or they follow the palette.
  ///   - isIcon: whether the height is that of two pictures, and the fourth byte of 32-bit pixels is alpha.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, pixels: Int, isIcon: Bool = false) throws {
    var reader = ByteReader(bytes, at: offset)
    guard let length = reader.uint32(.little) else { return nil }
    guard Self.lengths.contains(length) else { throw CodecError.corrupt(.bmp, "a header of unknown length") }
    let fields = length == 12 ? Self.coreFields(&reader) : Self.fields(&reader)
    guard let fields else { return nil }
    size = fields.size
    isTopDown = fields.isTopDown
    bitsPerPixel = fields.bitsPerPixel
    if isIcon { size.height /= 2 }
    guard !size.isEmpty else { throw CodecError.corrupt(.bmp, "a header without a size") }
    guard [1, 2, 4, 8, 16, 24, 32].contains(bitsPerPixel) else { throw CodecError.unsupportedVariant(of: .bmp) }

    var code: UInt32 = 0
    var claimedColors: UInt32 = 0
    if length >= 40 {
      guard let compression = reader.uint32(.little), reader.skip(12), let colors = reader.uint32(.little),
        reader.skip(4)
      else { return nil }
      (code, claimedColors) = (compression, colors)
    }
    compression = try Self.compression(code, bitsPerPixel: bitsPerPixel, headerLength: length)
    guard readMasks(&reader, code: code, headerLength: length, isIcon: isIcon) else { return nil }
    if length >= 108 {
      guard let space = Self.colorSpace(&reader) else { return nil }
      colorSpace = space
    }
    // The masks of the shorter headers stand behind them.
    let end = max(offset + Int(length), length == 40 || length == 52 ? reader.offset : 0)
    guard bytes.count >= end else { return nil }
    try placePalette(at: end, claimed: claimedColors, headerLength: length, pixels: pixels)
  }

  /// OS/2's headers of version 2 may be cut after any field, and are seen at these two lengths.
  private static let lengths: Set<UInt32> = [12, 16, 40, 52, 56, 64, 108, 124]

  private struct Fields {
    var size: PixelSize
    var isTopDown: Bool
    var bitsPerPixel: Int
  }

  private static func coreFields(_ reader: inout ByteReader) -> Fields? {
    guard let width = reader.uint16(.little), let height = reader.uint16(.little), reader.skip(2),
      let depth = reader.uint16(.little)
    else { return nil }
    return Fields(
      size: PixelSize(width: Int(width), height: Int(height)), isTopDown: false, bitsPerPixel: Int(depth))
  }

  /// A negative height tells that rows come from the top.
  private static func fields(_ reader: inout ByteReader) -> Fields? {
    guard let width = reader.uint32(.little), let height = reader.uint32(.little), reader.skip(2),
      let depth = reader.uint16(.little)
    else { return nil }
    let signedHeight = Int(Int32(bitPattern: height))
    let size = PixelSize(width: Int(Int32(bitPattern: width)), height: abs(signedHeight))
    return Fields(size: size, isTopDown: signedHeight < 0, bitsPerPixel: Int(depth))
  }

  private static func compression(
    _ code: UInt32, bitsPerPixel: Int, headerLength: UInt32
  ) throws -> Compression {
    switch (code, bitsPerPixel) {
    case (0, _): return .none
    case (1, 8), (2, 4): return .runs
    // In OS/2's header 3 and 4 mean other things.
    case (3, 16), (3, 32), (6, 16), (6, 32): if headerLength != 64 { return .masks }
    case (1, _), (2, _), (3, _), (6, _):
      if headerLength != 64 { throw CodecError.corrupt(.bmp, "a compression that its pixels cannot have") }
    default: break
    }
    throw CodecError.unsupportedVariant(of: .bmp)
  }

  /// Reads the masks of files that have any, and sets those that others are known to have.
  /// - Returns: `false` when the bytes end before the masks do.
  private mutating func readMasks(
    _ reader: inout ByteReader, code: UInt32, headerLength: UInt32, isIcon: Bool
  ) -> Bool {
    let hasAlphaMask = headerLength >= 56 && headerLength != 64 || code == 6
    var masks: [UInt32] = []
    if compression == .masks || headerLength >= 52 && headerLength != 64 {
      for _ in 0..<(hasAlphaMask ? 4 : 3) {
        guard let mask = reader.uint32(.little) else { return false }
        masks.append(mask)
      }
    }
    switch (compression, bitsPerPixel) {
    case (.masks, _):
      (red, green, blue) = (masks[0], masks[1], masks[2])
      alpha = hasAlphaMask ? masks[3] : 0
    case (.none, 16): (red, green, blue) = (0x7C00, 0x03E0, 0x001F)
    case (.none, 32):
      (red, green, blue) = (0xFF_0000, 0xFF00, 0xFF)
      alpha = isIcon ? 0xFF00_0000 : 0
    default: break
    }
    return true
  }

  /// Of version 4 and 5. A profile is somewhere in the file, and not looked for.
  private static func colorSpace(_ reader: inout ByteReader) -> ColorSpaceSummary? {
    // Behind the kind are the end points of the primaries (36 bytes) and a gamma for each channel.
    guard let kind = reader.uint32(.little), reader.skip(36), let gamma = reader.uint32(.little) else { return nil }
    switch kind {
    case 0x7352_4742, 0x5769_6E20: return .sRGB  // sRGB; "Win ", which is sRGB by definition
    case 0x4D42_4544, 0x4C49_4E4B: return .profile(name: nil)  // MBED, LINK
    default: return gamma == 0 ? .untagged : .parameters
    }
  }

  private mutating func placePalette(at start: Int, claimed: UInt32, headerLength: UInt32, pixels: Int) throws {
    guard pixels == 0 || pixels >= start else { throw CodecError.corrupt(.bmp, "pixels inside the header") }
    bytesPerColor = headerLength == 12 ? 3 : 4
    // Pixels with colours of their own may be followed by a palette for displays that need one.
    var count = Int(claimed)
    if isIndexed { count = claimed == 0 ? 1 << bitsPerPixel : min(count, 1 << bitsPerPixel) }
    if pixels > 0 { count = min(count, (pixels - start) / bytesPerColor) }
    palette = start..<start + count * bytesPerColor
    self.pixels = pixels > 0 ? pixels : palette.upperBound
  }
}
