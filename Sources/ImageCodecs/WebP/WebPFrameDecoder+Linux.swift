#if !canImport(Darwin)
  import Pixels

  /// Decodes a WebP frame that is here as a whole, part by part, so that there are not many rows at a time.
  ///
  /// Unsafe: the bytes and the memory must outlive the decoder.
  struct WebPFrameDecoder {
    private let frame: UnsafeRawBufferPointer
    private let decoder: WebPIncrementalDecoder
    /// Whether the pixels may have alpha of which the frame says that there is none. Browsers do not look at it.
    let hasUntoldAlpha: Bool
    /// Compressed bytes handed over at a time.
    private let step: Int
    private var given = 0

    /// A part of so many brings about so many of the rows. More of them save no memory: libwebp holds some itself.
    private static let lossyParts = 128
    private static let minimumLossyStep = 1 << 11
    /// Of lossless pictures libwebp holds all, and begins again where a part ends.
    private static let losslessStep = 1 << 16

    /// - Parameter target: `size.area * 4` bytes, for straight RGBA.
    init(
      _ frame: UnsafeRawBufferPointer, size: PixelSize, isScaled: Bool, into target: UnsafeMutablePointer<UInt8>
    ) throws {
      self.frame = frame
      decoder = try WebPIncrementalDecoder(size: size, isScaled: isScaled, into: target)
      let features = try WebPFile.features(of: frame)
      let isLossless = WebPFile.isLossless(features)
      hasUntoldAlpha = isLossless && features.has_alpha == 0
      step = isLossless ? Self.losslessStep : max(Self.minimumLossyStep, frame.count / Self.lossyParts)
    }

    /// How many rows are here.
    var rows: Int { decoder.rows }

    /// Decodes the next part. The file's length has been checked before, so that more than there is means damage.
    mutating func advance() throws {
      guard given < frame.count else { throw CodecError.corrupt(.webp, "a frame that ends too early") }
      given = min(frame.count, given + step)
      try decoder.absorb(UnsafeRawBufferPointer(rebasing: frame.prefix(given)))
    }

    /// Decodes all that is left.
    mutating func finish(isCancelled: () -> Bool = { false }) throws {
      while !decoder.isDone {
        if isCancelled() { throw CancellationError() }
        try advance()
      }
    }
  }
#endif
