#if !canImport(Darwin)
  import Pixels

  extension ImageDecoder {
    /// Decodes through libjpeg-turbo, libpng and libwebp.
    static func bitmap(
      from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits,
      isCancelled: () -> Bool
    ) throws -> Bitmap {
      switch info.format {
      case .jpeg:
        return try bitmap(JPEGRowSource(bytes, plan: plan, limits: limits), plan, isOpaque: true, isCancelled)
      case .png:
        let source = try PNGRowSource(bytes, info: info, limits: limits)
        return try bitmap(source, plan, isOpaque: !info.hasAlpha, isCancelled)
      case .webp:
        let file = try WebPFile(bytes, info: info)
        let isOpaque = !file.hasAlpha && file.coversCanvas
        if !plan.isScaled, plan.orientation == .up, file.coversCanvas {
          return try bitmap(file, size: plan.output, isOpaque: isOpaque, isCancelled)
        }
        let source = try WebPRowSource(file, plan: plan, limits: limits)
        return try bitmap(source, plan, isOpaque: isOpaque, isCancelled)
      case .gif, .bmp, .ico:
        return try ownBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      }
    }

    /// A WebP that needs neither scaling nor turning, decoded straight into the bitmap.
    private static func bitmap(
      _ file: WebPFile, size: PixelSize, isOpaque: Bool, _ isCancelled: () -> Bool
    ) throws -> Bitmap {
      try Bitmap(size: size, isOpaque: isOpaque) { bytes in
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count == size.area * 4 else {
          throw CodecError.outOfMemory(for: size)
        }
        try WebPFrameDecoder.decode(
          file.frame, size: size, isScaled: false, into: start, bytesPerRow: size.width * 4, isCancelled: isCancelled)
        if file.hasAlpha { Alpha.premultiply(start, count: size.area) }
      }
    }
  }
#endif
