import Foundation
import ImageCodecs
import Pixels

/// A decoded, scaled picture as it is kept under its source's cache entry: a header that says what the source was, and
/// the encoded pixels.
///
/// The header's 32 bytes, integers little-endian: `VGT1`; the source's format, orientation (1 to 8 as in EXIF), whether
/// it has alpha, 0; its stored width and height; its length in bytes and their hash. Anything else is no thumbnail: the
/// source is decoded instead.
struct Thumbnail {
  var image: DecodedImage
  /// Of the source.
  var contents: ContentID

  private static let magic = Data("VGT1".utf8)
  private static let headerCount = 32
  private static let formats: [ImageFormat] = [.jpeg, .png, .webp, .gif, .bmp, .ico, .avif, .heic, .tiff, .jxl, .svg]

  /// The attachment's name for a target; `nil` for the full picture, which is its own source.
  ///
  /// Two pipelines with one store may differ in what they do with colours, and neither is given the other's.
  static func name(for target: DecodeTarget, colors: ColorPolicy) -> String? {
    guard case .box(let size, let mode) = target else { return nil }
    let name = "thumbnail-1/\(size.width)x\(size.height)/\(mode.rawValue)"
    return colors == .sRGB ? name : "\(name)/\(colors.rawValue)"
  }

  init(image: DecodedImage, contents: ContentID) {
    self.image = image
    self.contents = contents
  }

  /// A longer colour profile would outweigh the picture, in bytes.
  private static let maximumProfile = 64 << 10

  /// Whether decoding the source again would cost much more than decoding a thumbnail, and a thumbnail is all of it: an
  /// animation is asked for its other frames.
  static func isWorthwhile(_ image: DecodedImage, sourceBytes: Int) -> Bool {
    !image.info.isAnimated && image.info.storedSize.area >= 4 * image.bitmap.size.area && sourceBytes >= 32 << 10
      && image.bitmap.colorProfile?.bytes.count ?? 0 <= maximumProfile
  }

  /// - Throws: `CodecError`.
  func encoded() throws -> Data {
    guard let format = Self.formats.firstIndex(of: image.info.format) else { return Data() }
    var data = Self.magic
    data.append(contentsOf: [UInt8(format), image.info.orientation.rawValue, image.info.hasAlpha ? 1 : 0, 0])
    data.append(integer: UInt32(clamping: image.info.storedSize.width))
    data.append(integer: UInt32(clamping: image.info.storedSize.height))
    data.append(integer: UInt64(clamping: contents.count))
    data.append(integer: contents.hash)
    data.append(try ThumbnailEncoding.encode(image.bitmap))
    return data
  }

  /// `nil` where the bytes are no thumbnail. Throws `CancellationError` when the last argument answers `true`.
  init?(_ data: Data, colors: ColorPolicy, isCancelled: @Sendable () -> Bool) throws {
    let header = Array(data.prefix(Self.headerCount))
    guard header.count == Self.headerCount, header.prefix(4).elementsEqual(Self.magic),
      Self.formats.indices ~= Int(header[4]), let orientation = Orientation(rawValue: header[5])
    else { return nil }
    let stored = PixelSize(
      width: Int(Self.integer(header[8..<12])), height: Int(Self.integer(header[12..<16])))
    let info = ImageInfo(
      format: Self.formats[Int(header[4])], storedSize: stored, orientation: orientation, hasAlpha: header[6] != 0)
    do {
      let decoded = try ImageDecoder(colors: colors).decode(
        Data(data.dropFirst(Self.headerCount)), isCancelled: isCancelled)
      image = DecodedImage(bitmap: decoded.bitmap, info: info)
    } catch is CodecError {
      return nil
    }
    contents = ContentID(
      count: Int(clamping: Self.integer(header[16..<24])), hash: Self.integer(header[24..<32]))
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Data {
  fileprivate mutating func append(integer: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
  }
}
