#if !canImport(Darwin)
  internal import CWebP
  import Pixels

  /// Decodes one WebP frame into memory of the caller's, at its own size or scaled by the library.
  enum WebPFrameDecoder {
    /// Compressed bytes handed over between two questions whether to go on.
    private static let step = 1 << 16

    /// Writes straight RGBA at `size` to `target`, rows `bytesPerRow` apart.
    static func decode(
      _ frame: UnsafeRawBufferPointer, size: PixelSize, isScaled: Bool, into target: UnsafeMutablePointer<UInt8>,
      bytesPerRow: Int, isCancelled: () -> Bool
    ) throws {
      guard let start = frame.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw CodecError.empty }
      var config = WebPDecoderConfig()
      // 0 where the library installed is not the one compiled against.
      guard WebPInitDecoderConfig(&config) != 0 else { throw CodecError.unsupportedVariant(of: .webp) }
      config.output.colorspace = MODE_RGBA
      config.output.is_external_memory = 1
      config.output.u.RGBA = WebPRGBABuffer(
        rgba: target, stride: Int32(clamping: bytesPerRow), size: bytesPerRow * (size.height - 1) + size.width * 4)
      if isScaled {
        config.options.use_scaling = 1
        config.options.scaled_width = Int32(clamping: size.width)
        config.options.scaled_height = Int32(clamping: size.height)
      }
      // The decoder keeps the address of `config`, so that its whole life lies within this closure.
      try withUnsafeMutablePointer(to: &config) { config in
        guard let decoder = WebPIDecode(nil, 0, config) else { throw CodecError.outOfMemory(for: size) }
        defer { WebPIDelete(decoder) }
        var status = VP8_STATUS_SUSPENDED
        var given = 0
        while status == VP8_STATUS_SUSPENDED, given < frame.count {
          if isCancelled() { throw CancellationError() }
          given = min(frame.count, given + step)
          status = WebPIUpdate(decoder, start, given)
        }
        try WebPStatus.check(status)
      }
    }
  }
#endif
