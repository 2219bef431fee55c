#if !canImport(Darwin)
  import Pixels

  /// The rows of one frame of an animation, by the format's library. Unsafe: the bytes must outlive them.
  enum StillRows {
    /// - Parameter bytes: a PNG file.
    static func make(
      _ bytes: UnsafeRawBufferPointer, info: ImageInfo, limits: DecodeLimits
    ) throws -> any RowSource {
      try PNGRowSource(bytes, info: info, limits: limits)
    }

    /// - Parameter bytes: the chunks of a frame that are its picture, without a file around them.
    static func webPFrame(
      _ bytes: UnsafeRawBufferPointer, size: PixelSize, isOpaque: Bool
    ) throws -> any RowSource {
      let features = try WebPFile.features(of: bytes)
      guard PixelSize(width: Int(features.width), height: Int(features.height)) == size else {
        throw CodecError.corrupt(.webp, "a frame of another size than it says")
      }
      return try WebPRowSource(bytes, size: size, isScaled: false, hasAlpha: !isOpaque)
    }
  }
#endif
