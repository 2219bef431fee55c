import Pixels

/// The marker segments of a JPEG file up to its first scan (ITU-T T.81, annex B).
enum JPEGHeader {
  private static let app1: UInt8 = 0xE1
  private static let app2: UInt8 = 0xE2
  private static let startOfScan: UInt8 = 0xDA
  private static let endOfImage: UInt8 = 0xD9

  static func read(_ file: ByteReader, limits: DecodeLimits) throws -> ImageInfo? {
    var reader = file
    var metadataBytes = 0
    var frame: ImageInfo?
    var orientation: Orientation?
    var colorSpace = ColorSpaceSummary.untagged
    reader.skip(2)
    while let marker = nextMarker(&reader) {
      if isStandalone(marker) { continue }
      if marker == endOfImage { throw CodecError.corrupt(.jpeg, "it ends before a picture begins") }
      guard let length = reader.uint16(.big) else { return nil }
      guard length >= 2 else { throw CodecError.corrupt(.jpeg, "a segment of impossible length") }
      guard let segment = reader.take(UInt32(length - 2)) else { return nil }
      if marker == startOfScan {
        guard var info = frame else { throw CodecError.corrupt(.jpeg, "a scan without a frame") }
        info.orientation = orientation ?? .up
        info.colorSpace = colorSpace
        return info
      }
      if isStartOfFrame(marker) {
        frame = try frameHeader(segment)
      } else if marker == app1, orientation == nil, segment.starts(with: "Exif\0\0") {
        metadataBytes += segment.remaining
        try limits.checkMetadata(metadataBytes)
        orientation = ExifOrientation.read(segment)
      } else if marker == app2, segment.starts(with: "ICC_PROFILE\0\u{1}") {
        // The first of the segments that hold the profile, after 14 bytes that number it.
        colorSpace = .profile(name: ICCProfile.name(segment.dropping(14)))
      }
    }
    return nil
  }

  /// The code after the next 0xFF. Stray bytes between segments are passed over, as libjpeg does.
  static func nextMarker(_ reader: inout ByteReader) -> UInt8? {
    while let byte = reader.uint8() {
      guard byte == 0xFF else { continue }
      while let code = reader.uint8() {
        if code == 0xFF { continue }
        if code == 0 { break }
        return code
      }
    }
    return nil
  }

  /// TEM, RST0 to RST7 and SOI have no length.
  static func isStandalone(_ marker: UInt8) -> Bool {
    marker == 0x01 || (0xD0...0xD8).contains(marker)
  }

  /// SOF0 to SOF15 without DHT, JPG and DAC, which lie between them.
  private static func isStartOfFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  /// Section B.2.2: precision, height, width, and the number of components.
  private static func frameHeader(_ segment: ByteReader) throws -> ImageInfo {
    var reader = segment
    guard let precision = reader.uint8(), let height = reader.uint16(.big), let width = reader.uint16(.big),
      width > 0, height > 0
    else { throw CodecError.corrupt(.jpeg, "a frame without a size") }
    let model: ColorModel =
      switch reader.uint8() {
      case 1: .grey
      case 4: .cmyk
      default: .rgb
      }
    let size = PixelSize(width: Int(width), height: Int(height))
    return ImageInfo(format: .jpeg, storedSize: size, bitDepth: Int(precision), colorModel: model)
  }
}
