#if canImport(Darwin)
  import Pixels

  extension ImageDecoder {
    /// What is there of a damaged file. ImageIO does not say how far it came, so that its formats are all or nothing.
    static func partialBitmap(
      from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits,
      isCancelled: () -> Bool
    ) throws -> Bitmap? {
      try ownPartialBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
    }
  }
#endif
