/// The headers of a BMP file as what they say of its picture.
enum BMPInfo {
  static func read(_ bytes: UnsafeRawBufferPointer) throws -> ImageInfo? {
    guard let header = try BMPHeader.file(bytes) else { return nil }
    return ImageInfo(
      format: .bmp, storedSize: header.size, hasAlpha: header.alpha != 0, bitDepth: header.bitDepth,
      colorModel: header.isIndexed ? .indexed : .rgb, colorSpace: header.colorSpace)
  }
}
