#if !canImport(Darwin)
  extension ProgressiveDecoder {
    /// - Returns: `nil` where nothing can be drawn before the file is whole.
    static func source(
      for info: ImageInfo, in bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: DecodeLimits
    ) throws -> (any PreviewSource)? {
      switch info.format {
      case .jpeg: try JPEGPreview(plan: plan, limits: limits)
      case .png: info.isAnimated || !PNGPreview.isInterlaced(bytes) ? nil : try PNGPreview(info, limits: limits)
      case .webp: info.isAnimated ? nil : try WebPPreview(bytes, info, plan: plan, limits: limits)
      case .gif, .bmp, .ico, .avif, .heic, .tiff, .jxl, .svg: nil
      }
    }
  }
#endif
