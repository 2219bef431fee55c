import Pixels

extension ImageDecoder {
  /// What is there of a damaged file in one of the formats whose decoders are this package's own.
  /// - Returns: `nil` for a format that is only decoded as a whole.
  /// - Throws: also where no row is there.
  static func ownPartialBitmap(
    from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits, isCancelled: () -> Bool
  ) throws -> Bitmap? {
    switch info.format {
    case .gif:
      guard let file = try GIFFile(bytes) else { return nil }
      let image = try GIFRowSource(file.first, of: file.screen, bytes: bytes, limits: limits, isPartial: true)
      let source = PlacedRowSource(PartialRowSource(image), at: file.first.rect, canvas: file.screen.size)
      return try bitmap(source, plan, isOpaque: false, isCancelled)
    case .bmp:
      guard let header = try BMPHeader.file(bytes) else { return nil }
      let source = try BMPRowSource(header, bytes: bytes, limits: limits, isPartial: true)
      return try bitmap(source, plan, isOpaque: false, isCancelled)
    case .ico: return try IconDecoder(bytes, limits: limits)?.partialBitmap(plan, isCancelled: isCancelled)
    case .jpeg, .png, .webp, .avif, .heic, .tiff, .jxl, .svg: return nil
    }
  }
}
