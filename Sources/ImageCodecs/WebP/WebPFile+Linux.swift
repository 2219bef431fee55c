#if !canImport(Darwin)
  internal import CWebP
  import Pixels

  /// A WebP file checked to be whole, with the one frame that is decoded: the picture, or an animation's first.
  ///
  /// Unsafe: the bytes must outlive the value and the `frame` within it.
  struct WebPFile {
    /// The bytes to decode: the file, or within it the first frame's.
    let frame: UnsafeRawBufferPointer
    /// Where the frame lies on the canvas.
    let rect: PixelRect
    let canvas: PixelSize
    let hasAlpha: Bool
    let isLossless: Bool

    var coversCanvas: Bool { rect.size == canvas }
    /// Both keep every pixel in memory inside the library, however small the result.
    var isHeldWhole: Bool { isLossless || hasAlpha || !coversCanvas }
    var libraryBytesPerPixel: Int { Self.libraryBytesPerPixel(isLossless: isLossless, hasAlpha: hasAlpha) }

    /// What libwebp holds beside the pixels that it writes: those of a lossless picture anew, or alpha unpacked and packed;
    /// of lossy colours a few rows.
    static func libraryBytesPerPixel(isLossless: Bool, hasAlpha: Bool) -> Int { isLossless ? 4 : hasAlpha ? 5 : 0 }

    /// - Parameter isPartial: whether what is behind the frame may be missing.
    init(_ bytes: UnsafeRawBufferPointer, info: ImageInfo, isPartial: Bool = false) throws {
      guard let length = WebPHeader.declaredLength(ByteReader(bytes)), isPartial || UInt64(bytes.count) >= length else {
        throw CodecError.truncated(.webp)
      }
      var file = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(clamping: length)))
      var origin = (x: 0, y: 0)
      var features = try Self.features(of: file)
      if features.has_animation != 0 {
        var frames = try WebPFrames(info, AnimationInfo(loopCount: 0), in: file)
        guard let first = try frames.scanFrame(in: file) else { throw CodecError.corrupt(.webp, "no frame") }
        origin = (first.rect.x, first.rect.y)
        file = file.part(first.bytes)
        features = try Self.features(of: file)
      }
      frame = file
      rect = PixelRect(
        x: origin.x, y: origin.y, size: PixelSize(width: Int(features.width), height: Int(features.height)))
      canvas = info.storedSize
      hasAlpha = features.has_alpha != 0
      isLossless = Self.isLossless(features)
      guard rect.clipped(to: canvas) == rect else {
        throw CodecError.corrupt(.webp, "a frame outside the picture")
      }
    }

    static func isLossless(_ features: WebPBitstreamFeatures) -> Bool { features.format == 2 }

    static func features(of bytes: UnsafeRawBufferPointer) throws -> WebPBitstreamFeatures {
      var features = WebPBitstreamFeatures()
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      try WebPStatus.check(WebPGetFeatures(start, bytes.count, &features))
      return features
    }
  }

  /// libwebp's statuses as errors.
  enum WebPStatus {
    /// The file's length has been checked before, so that data missing inside it is damage.
    static func check(_ status: VP8StatusCode) throws {
      switch status {
      case VP8_STATUS_OK: return
      case VP8_STATUS_OUT_OF_MEMORY:
        throw CodecError(.tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")
      case VP8_STATUS_UNSUPPORTED_FEATURE: throw CodecError.unsupportedVariant(of: .webp)
      case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA:
        throw CodecError.corrupt(.webp, "a frame that ends too early")
      default: throw CodecError.corrupt(.webp)
      }
    }
  }
#endif
