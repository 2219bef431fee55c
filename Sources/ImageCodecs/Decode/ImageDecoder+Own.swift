import Pixels

extension ImageDecoder {
  /// Decodes the formats whose decoders are this package's own, the same on every platform.
  static func ownBitmap(
    from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits, isCancelled: () -> Bool
  ) throws -> Bitmap {
    switch info.format {
    case .gif:
      guard let file = try GIFFile(bytes) else { throw CodecError.truncated(.gif) }
      let image = try GIFRowSource(file.first, of: file.screen, bytes: bytes, limits: limits)
      let source = PlacedRowSource(image, at: file.first.rect, canvas: file.screen.size)
      let bitmap = try bitmap(source, plan, isOpaque: file.isOpaque, isCancelled)
      try file.checkWhole(bytes)
      return bitmap
    case .bmp:
      guard let header = try BMPHeader.file(bytes) else { throw CodecError.truncated(.bmp) }
      let source = try BMPRowSource(header, bytes: bytes, limits: limits)
      return try bitmap(source, plan, isOpaque: source.isOpaque, isCancelled)
    case .ico:
      guard let icon = try IconDecoder(bytes, limits: limits) else { throw CodecError.truncated(.ico) }
      return try icon.bitmap(plan, isCancelled: isCancelled)
    case .jpeg, .png, .webp, .avif, .heic, .tiff, .jxl, .svg:
      throw CodecError.unsupported(info.format.displayName)
    }
  }

  /// The pixels of a source at the size of the plan.
  static func bitmap(
    _ source: some RowSource, _ plan: DecodePlan, isOpaque: Bool, color: ColorTreatment = .none,
    _ isCancelled: () -> Bool
  ) throws -> Bitmap {
    var bitmap = try Bitmap(size: plan.output, isOpaque: isOpaque) { bytes in
      try source.render(plan, isOpaque: isOpaque, into: bytes, isCancelled: isCancelled)
      try color.transform?.apply(bytes, size: plan.output, isOpaque: isOpaque, isCancelled: isCancelled)
    }
    bitmap.colorProfile = color.profile
    return bitmap
  }
}
