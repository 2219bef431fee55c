#if !canImport(Darwin)
  import Pixels

  extension ImageDecoder {
    /// Decodes through libjpeg-turbo, libpng and libwebp.
    static func bitmap(
      from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits,
      isCancelled: () -> Bool
    ) throws -> Bitmap {
      let color = ColorTreatment(.toSRGB(of: bytes, info, limits: limits), policy: plan.colors)
      switch info.format {
      case .jpeg:
        // Inks are no colours to be averaged: their rows are converted before they are scaled.
        let isInk = info.colorModel == .cmyk
        let source = try JPEGRowSource(bytes, plan: plan, limits: limits, inks: isInk ? color.transform : nil)
        return try bitmap(source, plan, isOpaque: true, color: isInk ? .none : color, isCancelled)
      case .png:
        let source = try PNGRowSource(bytes, info: info, limits: limits)
        return try bitmap(source, plan, isOpaque: !info.hasAlpha, color: color, isCancelled)
      case .webp:
        let file = try WebPFile(bytes, info: info)
        return try bitmap(file, plan, limits: limits, color: color, isCancelled)
      case .avif:
        #if AVIF
          // libavif does not miss the frames of a sequence when it decodes the picture beside them.
          guard !info.isAnimated || HEIFHeader.endsWithBox(bytes) else { throw CodecError.truncated(.avif) }
          let decoder = try AVIFDecoder(bytes, .picture, size: plan.source, limits: limits)
          let color = ColorTreatment(decoder.colorTransform(limits), policy: plan.colors)
          let source = try AVIFRowSource(decoder, size: plan.source)
          return try bitmap(source, plan, isOpaque: source.isOpaque, color: color, isCancelled)
        #else
          throw CodecError.leftOut(.avif, trait: "AVIF")
        #endif
      case .heic:
        #if HEIC
          return try heicBitmap(bytes, info, plan, limits: limits, isCancelled)
        #else
          throw CodecError.leftOut(.heic, trait: "HEIC")
        #endif
      case .tiff:
        #if TIFF
          let isInk = info.colorModel == .cmyk
          let source = try TIFFRowSource(bytes, limits: limits, inks: isInk ? color.transform : nil)
          return try bitmap(source, plan, isOpaque: !info.hasAlpha, color: isInk ? .none : color, isCancelled)
        #else
          throw CodecError.leftOut(.tiff, trait: "TIFF")
        #endif
      case .jxl:
        #if JXL
          let decoder = try JXLDecoder(bytes, limits: limits)
          let color = ColorTreatment(decoder.transform, policy: plan.colors)
          let source = JXLRowSource(decoder, of: bytes, mustBeWhole: true)
          return try bitmap(source, plan, isOpaque: source.isOpaque, color: color, isCancelled)
        #else
          throw CodecError.leftOut(.jxl, trait: "JXL")
        #endif
      case .svg:
        #if SVG
          return try drawing(bytes, plan, limits, isCancelled)
        #else
          throw CodecError.leftOut(.svg, trait: "SVG")
        #endif
      case .gif, .bmp, .ico:
        return try ownBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      }
    }

    #if HEIC
      private static func heicBitmap(
        _ bytes: UnsafeRawBufferPointer, _ info: ImageInfo, _ plan: DecodePlan, limits: DecodeLimits,
        _ isCancelled: () -> Bool
      ) throws -> Bitmap {
        try withoutActuallyEscaping(isCancelled) { isCancelled in
          let source = try HEICRowSource(
            HEICFile(bytes, info, limits: limits), limits: limits, isCancelled: isCancelled)
          let color = ColorTreatment(source.colorTransform(limits), policy: plan.colors)
          return try bitmap(source, plan, isOpaque: source.isOpaque, color: color, isCancelled)
        }
      }
    #endif

    /// The picture of a WebP, or an animation's first frame on its canvas.
    static func bitmap(
      _ file: WebPFile, _ plan: DecodePlan, limits: DecodeLimits, color: ColorTreatment, _ isCancelled: () -> Bool
    ) throws -> Bitmap {
      let isOpaque = !file.hasAlpha && file.coversCanvas
      if !plan.isScaled, plan.orientation == .up, file.coversCanvas {
        try limits.checkHeld(plan.output, bytesPerPixel: file.libraryBytesPerPixel)
        return try bitmap(file, size: plan.output, isOpaque: isOpaque, color: color, isCancelled)
      }
      let rows = try WebPRowSource(file, plan: plan, limits: limits)
      guard !file.coversCanvas else { return try bitmap(rows, plan, isOpaque: isOpaque, color: color, isCancelled) }
      let source = PlacedRowSource(rows, at: file.rect, canvas: file.canvas)
      return try bitmap(source, plan, isOpaque: false, color: color, isCancelled)
    }

    /// A WebP that needs neither scaling nor turning, decoded straight into the bitmap.
    private static func bitmap(
      _ file: WebPFile, size: PixelSize, isOpaque: Bool, color: ColorTreatment, _ isCancelled: () -> Bool
    ) throws -> Bitmap {
      var bitmap = try Bitmap(size: size, isOpaque: isOpaque) { bytes in
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count == size.area * 4 else {
          throw CodecError.outOfMemory(for: size)
        }
        var decoder = try WebPFrameDecoder(file.frame, size: size, isScaled: false, into: start)
        try decoder.finish(isCancelled: isCancelled)
        if file.hasAlpha { Alpha.premultiply(start, count: size.area) }
        if decoder.hasUntoldAlpha { Alpha.makeOpaque(start, count: size.area) }
        try color.transform?.apply(bytes, size: size, isOpaque: isOpaque, isCancelled: isCancelled)
      }
      bitmap.colorProfile = color.profile
      return bitmap
    }
  }
#endif
