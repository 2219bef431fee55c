import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Orientation is applied once, on every path", .timeLimit(.minutes(5)))
struct OrientationTests {
  /// A way of decoding a file; `nil` where it gives no picture.
  enum Path: String, CaseIterable, Sendable {
    case full, scaled, filled, preview, arrived, animation, scaledAnimation, partial, source

    /// - Parameter swaps: whether the box is turned with the picture.
    func decode(_ data: Data, swaps: Bool) throws -> Bitmap? {
      func box(_ mode: ScalingMode) -> DecodeTarget {
        let size = PixelSize(width: 15, height: 11)
        return .box(swaps ? PixelSize(width: size.height, height: size.width) : size, mode)
      }
      switch self {
      case .full: return try ImageDecoder().decode(data).bitmap
      case .scaled: return try ImageDecoder().decode(data, target: box(.fit)).bitmap
      case .filled: return try ImageDecoder().decode(data, target: box(.fill)).bitmap
      case .source: return try ImageDecoder(colors: .source).decode(data).bitmap
      case .animation: return try last(AnimationDecoder(data))
      case .scaledAnimation: return try last(AnimationDecoder(data, target: box(.fit)))
      case .partial: return try? ImageDecoder(damage: .lenient).decode(data.dropLast(data.count / 4)).bitmap
      case .preview: return try arriving(data).preview
      case .arrived: return try arriving(data).picture
      }
    }

    private func last(_ decoder: AnimationDecoder) throws -> Bitmap? {
      try decoder.frame(at: decoder.frameCount() - 1)?.bitmap
    }

    private func arriving(_ data: Data) throws -> (preview: Bitmap?, picture: Bitmap) {
      let decoder = ProgressiveDecoder(minimumInterval: 0)
      var preview: Bitmap?
      for start in stride(from: 0, to: data.count, by: 50) {
        preview = try decoder.append(data[start..<min(start + 50, data.count)])?.bitmap ?? preview
      }
      return (preview, try decoder.finish().bitmap)
    }
  }

  /// Pictures of each kind of file and of decoder behind it, none of which says an orientation.
  private static let files = [
    "420.jpg", "progressive.jpg", "grey.jpg", "cmyk.jpg", "rgb8.png", "rgba8-interlaced.png", "palette4.png",
    "animated-keep-over.png", "animated-rgb.png", "lossy.webp", "lossless-alpha.webp", "animated-keep-over.webp",
  ]

  @Test("EXIF in a JPEG, PNG or WebP, in either byte order", arguments: files, Path.allCases)
  func exif(file: String, path: Path) throws {
    let plain = try Files.fixture(file)
    for value in UInt8(1)...8 {
      let turned = try #require(Exif.file(plain, orientation: value, isBigEndian: value % 2 == 0))
      let info = try ImageDecoder().probe(turned)
      #expect(info?.orientation.rawValue == value)
      try check(path, plain: cutAlike(plain, turned, path), turned, value)
    }
  }

  #if AVIF || canImport(Darwin)
    @Test("irot and imir in an AVIF", arguments: Path.allCases)
    func avif(path: Path) throws {
      let plain = try Files.fixture("avif-orientation1.avif")
      for value in UInt8(1)...8 {
        try check(path, plain: plain, Files.fixture("avif-orientation\(value).avif"), value)
      }
    }
  #endif

  #if HEIC || canImport(Darwin)
    @Test("irot and imir in a HEIC", arguments: Path.allCases)
    func heic(path: Path) throws {
      let plain = try Files.fixture("heic-orientation1.heic")
      for value in UInt8(1)...8 {
        try check(path, plain: plain, Files.fixture("heic-orientation\(value).heic"), value)
      }
    }
  #endif

  #if TIFF || canImport(Darwin)
    @Test("the tag of a TIFF", arguments: Path.allCases)
    func tiff(path: Path) throws {
      let plain = try Files.fixture("tiff-orientation1.tiff")
      for value in UInt8(1)...8 {
        try check(path, plain: plain, Files.fixture("tiff-orientation\(value).tiff"), value)
      }
    }
  #endif

  #if JXL
    @Test("the codestream of a JPEG XL, whatever EXIF beside it says", arguments: Path.allCases)
    func jxl(path: Path) throws {
      let plain = try Files.fixture("jxl-orientation1.jxl")
      for value in UInt8(1)...8 {
        try check(path, plain: plain, Files.fixture("jxl-orientation\(value).jxl"), value)
      }
    }
  #endif

  private func check(_ path: Path, plain: Data, _ turned: Data, _ value: UInt8) throws {
    let upright = try path.decode(plain, swaps: value >= 5)
    let shown = try path.decode(turned, swaps: false)
    guard let upright, let shown else {
      #expect(path == .preview || path == .partial, "orientation \(value)")
      return
    }
    let expected = Turned(upright, value)
    #expect(shown.size == expected.size, "orientation \(value)")
    #expect(shown.bytes == expected.bytes, "orientation \(value)")
  }

  /// With the orientation 1 in the same place, so that both files are cut at the same pixel and come in the same pieces.
  private func cutAlike(_ plain: Data, _ turned: Data, _ path: Path) throws -> Data {
    guard path == .partial || path == .preview else { return plain }
    return try #require(Exif.file(plain, orientation: 1, isBigEndian: true))
  }
}

/// A picture as it is shown where its file says an orientation, by what Exif says of the stored 0th row and 0th column
/// (CIPA DC-008, section 4.6.4): the visual side on which each of them lies.
private struct Turned {
  var size: PixelSize
  var bytes: [UInt8]

  init(_ stored: Bitmap, _ value: UInt8) {
    let (width, height) = (stored.size.width, stored.size.height)
    let swaps = value >= 5
    size = swaps ? PixelSize(width: height, height: width) : stored.size
    bytes = [UInt8](repeating: 0, count: stored.byteCount)
    let pixels = stored.bytes
    for y in 0..<height {
      for x in 0..<width {
        // 1 top left, 2 top right, 3 bottom right, 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left bottom.
        let (column, row) =
          switch value {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (height - 1 - y, x)
          case 7: (height - 1 - y, width - 1 - x)
          case 8: (y, width - 1 - x)
          default: (x, y)
          }
        let (from, to) = ((y * width + x) * 4, (row * size.width + column) * 4)
        bytes.replaceSubrange(to..<to + 4, with: pixels[from..<from + 4])
      }
    }
  }
}

/// Files with an orientation put in.
private enum Exif {
  static func file(_ plain: Data, orientation: UInt8, isBigEndian: Bool) -> Data? {
    let exif = block(orientation, isBigEndian)
    switch plain.first {
    case 0xFF:
      let content = Array("Exif\0\0".utf8) + exif
      return plain.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + plain.dropFirst(2)
    case 0x89: return plain.prefix(33) + chunk("eXIf", exif) + plain.dropFirst(33)
    default: return webP(plain, exif)
    }
  }

  /// A TIFF header and a directory of one entry.
  private static func block(_ orientation: UInt8, _ isBigEndian: Bool) -> [UInt8] {
    func short(_ value: UInt8) -> [UInt8] { isBigEndian ? [0, value] : [value, 0] }
    func long(_ value: UInt8) -> [UInt8] { isBigEndian ? [0, 0, 0, value] : [value, 0, 0, 0] }
    let tag: [UInt8] = isBigEndian ? [0x01, 0x12] : [0x12, 0x01]
    let entry = tag + short(3) + long(1) + short(orientation) + [0, 0]
    return Array((isBigEndian ? "MM" : "II").utf8) + short(42) + long(8) + short(1) + entry + long(0)
  }

  private static func chunk(_ kind: String, _ content: [UInt8]) -> Data {
    let body = Array(kind.utf8) + content
    var checksum = ~UInt32(0)
    for byte in body {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return Data(bigEndian(UInt32(content.count)) + body + bigEndian(~checksum))
  }

  /// In the extended form, which an animation has already.
  private static func webP(_ plain: Data, _ exif: [UInt8]) -> Data? {
    guard let info = try? ImageDecoder().probe(plain) else { return nil }
    var chunks = Data(plain.dropFirst(12))
    if !chunks.starts(with: Data("VP8X".utf8)) {
      var header: [UInt8] = [info.hasAlpha ? 0x10 : 0, 0, 0, 0]
      for side in [info.storedSize.width, info.storedSize.height] { header += littleEndian(UInt32(side - 1)).prefix(3) }
      chunks = Data(Array("VP8X".utf8) + littleEndian(10) + header) + chunks
    }
    chunks[8] |= 0x08
    chunks += Array("EXIF".utf8) + littleEndian(UInt32(exif.count)) + exif
    return Data(Array("RIFF".utf8) + littleEndian(UInt32(chunks.count + 4)) + Array("WEBP".utf8)) + chunks
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
  private static func littleEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
