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
      return try iconBitmap(from: bytes, plan: plan, limits: limits, isCancelled: isCancelled)
    case .jpeg, .png, .webp, .avif: throw CodecError.unsupported(info.format.displayName)
    }
  }

  /// Decodes the smallest picture of an icon that need not be enlarged, or the largest.
  private static func iconBitmap(
    from bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: DecodeLimits, isCancelled: () -> Bool
  ) throws -> Bitmap {
    guard let directory = try ICODirectory(bytes) else { throw CodecError.truncated(.ico) }
    try directory.checkWhole(bytes)
    for entry in directory.covering(plan.output) {
      let part = bytes.part(entry.bytes)
      // One that is not what the directory says is passed over: it might be smaller, or anything.
      guard let picture = try? ICOPicture(part), picture.info.storedSize == entry.size else { continue }
      return try iconBitmap(picture, part, of: plan, limits: limits, isCancelled: isCancelled)
    }
    let part = bytes.part(directory.largest.bytes)
    guard let picture = try ICOPicture(part) else { throw CodecError.corrupt(.ico, "a picture that ends too early") }
    return try iconBitmap(picture, part, of: plan, limits: limits, isCancelled: isCancelled)
  }

  private static func iconBitmap(
    _ picture: ICOPicture, _ bytes: UnsafeRawBufferPointer, of icon: DecodePlan, limits: DecodeLimits,
    isCancelled: () -> Bool
  ) throws -> Bitmap {
    let plan = DecodePlan(source: picture.info.storedSize, output: icon.output, colors: icon.colors)
    do {
      switch picture {
      case .png(let info):
        return try bitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      case .bmp(let header):
        let source = try ICORowSource(header, bytes: bytes, limits: limits)
        return try bitmap(source, plan, isOpaque: false, isCancelled)
      }
    } catch let error as CodecError where error.code == .truncated {
      // The file is whole; what is cut is what the directory says of this picture, or the picture itself.
      throw CodecError.corrupt(.ico, "a picture that ends too early")
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
