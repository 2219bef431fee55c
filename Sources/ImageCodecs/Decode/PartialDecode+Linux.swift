#if !canImport(Darwin)
  import Pixels

  /// A preview that can be drawn of a damaged file, too.
  protocol PartialPreview: PreviewSource {
    /// Whether there is nothing to draw. Known also after `absorb` has thrown.
    var isEmpty: Bool { get }
  }

  extension ImageDecoder {
    /// What is there of a damaged file: its rows up to the fault where they come one after the other, else what its
    /// preview shows.
    static func partialBitmap(
      from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits,
      isCancelled: () -> Bool
    ) throws -> Bitmap? {
      let color = ColorTreatment(.toSRGB(of: bytes, info, limits: limits), policy: plan.colors)
      switch info.format {
      case .jpeg:
        let isInk = info.colorModel == .cmyk
        let source = try JPEGRowSource(bytes, plan: plan, limits: limits, inks: isInk ? color.transform : nil)
        guard !source.isMultiScan else {
          return try drawn(JPEGPreview(plan: plan, limits: limits), bytes, plan, color, isCancelled)
        }
        return try bitmap(PartialRowSource(source), plan, isOpaque: false, color: isInk ? .none : color, isCancelled)
      case .png:
        guard !PNGPreview.isInterlaced(bytes) else {
          return try drawn(PNGPreview(info, limits: limits), bytes, plan, color, isCancelled)
        }
        let source = PartialRowSource(try PNGRowSource(bytes, info: info, limits: limits, isPartial: true))
        return try bitmap(source, plan, isOpaque: false, color: color, isCancelled)
      case .webp:
        guard !info.isAnimated else {
          // The first frame, where all of it is there.
          let file = try WebPFile(bytes, info: info, isPartial: true)
          return try bitmap(file, plan, limits: limits, color: color, isCancelled)
        }
        return try drawn(WebPPreview(bytes, info, plan: plan, limits: limits), bytes, plan, color, isCancelled)
      #if TIFF
        case .tiff:
          let isInk = info.colorModel == .cmyk
          let source = try TIFFRowSource(bytes, limits: limits, inks: isInk ? color.transform : nil, isPartial: true)
          return try bitmap(PartialRowSource(source), plan, isOpaque: false, color: isInk ? .none : color, isCancelled)
      #else
        case .tiff: return nil
      #endif
      case .gif, .bmp, .ico, .avif, .heic, .jxl, .svg:
        return try ownPartialBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      }
    }

    /// - Returns: `nil` where there is nothing to see.
    private static func drawn(
      _ source: some PartialPreview, _ bytes: UnsafeRawBufferPointer, _ plan: DecodePlan, _ color: ColorTreatment,
      _ isCancelled: () -> Bool
    ) throws -> Bitmap? {
      do {
        for end in stride(from: min(step, bytes.count), through: bytes.count + step - 1, by: step) {
          _ = try source.absorb(UnsafeRawBufferPointer(rebasing: bytes.prefix(end)), isCancelled: isCancelled)
        }
      } catch let error as CodecError where error.isDamage {
        // What came before the fault is there.
      }
      return source.isEmpty ? nil : try source.render(plan, color: color, isCancelled: isCancelled)
    }

    /// Bytes handed over between two questions whether to go on.
    private static let step = 1 << 16
  }
#endif
