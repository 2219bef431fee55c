import Foundation
import ImageCodecs
import Pixels

/// A decoded, scaled picture as it is kept under its source's cache entry: a header that says what the source was, and
/// the encoded pixels.
///
/// The header's 16 bytes, integers little-endian: `VGT1`; the source's format, orientation (1 to 8 as in EXIF), whether
/// it has alpha, 0; its stored width and height. Anything else is no thumbnail: the source is decoded instead.
enum Thumbnail {
  private static let magic = Data("VGT1".utf8)
  private static let headerCount = 16
  private static let formats: [ImageFormat] = [.jpeg, .png, .webp]

  /// The attachment's name for a target; `nil` for the full picture, which is its own source.
  static func name(for target: DecodeTarget) -> String? {
    guard case .box(let size, let mode) = target else { return nil }
    return "thumbnail-1/\(size.width)x\(size.height)/\(mode.rawValue)"
  }

  /// Whether decoding the source again would cost much more than decoding a thumbnail.
  static func isWorthwhile(_ image: DecodedImage, sourceBytes: Int) -> Bool {
    image.info.storedSize.area >= 4 * image.bitmap.size.area && sourceBytes >= 32 << 10
  }

  /// - Throws: `CodecError`.
  static func encode(_ image: DecodedImage) throws -> Data {
    guard let format = formats.firstIndex(of: image.info.format) else { return Data() }
    var data = magic
    data.append(contentsOf: [UInt8(format), image.info.orientation.rawValue, image.info.hasAlpha ? 1 : 0, 0])
    for side in [image.info.storedSize.width, image.info.storedSize.height] {
      withUnsafeBytes(of: UInt32(clamping: side).littleEndian) { data.append(contentsOf: $0) }
    }
    data.append(try ThumbnailEncoding.encode(image.bitmap))
    return data
  }

  /// `nil` where the bytes are no thumbnail. Throws `CancellationError` when the last argument answers `true`.
  static func decode(_ data: Data, isCancelled: @Sendable () -> Bool) throws -> DecodedImage? {
    let header = Array(data.prefix(headerCount))
    guard header.count == headerCount, header.prefix(4).elementsEqual(magic), formats.indices ~= Int(header[4]),
      let orientation = Orientation(rawValue: header[5])
    else { return nil }
    let stored = PixelSize(width: side(header[8..<12]), height: side(header[12..<16]))
    let info = ImageInfo(
      format: formats[Int(header[4])], storedSize: stored, orientation: orientation, hasAlpha: header[6] != 0)
    do {
      let decoded = try ImageDecoder().decode(Data(data.dropFirst(headerCount)), isCancelled: isCancelled)
      return DecodedImage(bitmap: decoded.bitmap, info: info)
    } catch is CodecError {
      return nil
    }
  }

  private static func side(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
