import Pixels

/// One picture of an icon: a PNG file, or a BMP without the header of a file and with a mask behind its pixels.
enum ICOPicture {
  case png(ImageInfo)
  case bmp(BMPHeader)

  /// - Parameter bytes: the picture's own.
  /// - Returns: `nil` when they end within its header.
  init?(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
    switch Signature.match(bytes) {
    case .supported(.png):
      guard var info = try ImageProbe.probe(bytes, limits: limits) else { return nil }
      // Icons are neither turned nor animated.
      (info.orientation, info.animation) = (.up, nil)
      self = .png(info)
    case .incomplete: return nil
    default:
      guard let header = try BMPHeader(bytes, at: 0, pixels: 0, isIcon: true) else { return nil }
      guard header.compression != .runs else { throw CodecError.unsupportedVariant(of: .ico) }
      self = .bmp(header)
    }
  }

  /// What is said of the icon whose largest picture this is. Its others may have alpha where this one has none.
  var info: ImageInfo {
    switch self {
    case .png(var info):
      (info.format, info.hasAlpha) = (.ico, true)
      return info
    case .bmp(let header):
      return ImageInfo(
        format: .ico, storedSize: header.size, hasAlpha: true, bitDepth: header.bitDepth,
        colorModel: header.isIndexed ? .indexed : .rgb)
    }
  }
}
