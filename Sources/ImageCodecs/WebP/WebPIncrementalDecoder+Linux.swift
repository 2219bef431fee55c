#if !canImport(Darwin)
  internal import CWebP
  import Pixels

  /// libwebp's decoder of one frame whose bytes come by and by, at its own size or scaled by the library.
  ///
  /// Writes straight RGBA to memory of the caller's, rows in order, each once, and reads none of them back.
  /// Unsafe: the memory must outlive the decoder.
  final class WebPIncrementalDecoder {
    /// libwebp keeps its address.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private let height: Int
    /// How many rows are here.
    private(set) var rows = 0
    /// Whether the frame is whole.
    private(set) var isDone = false

    /// - Parameter target: `size.area * 4` bytes.
    init(size: PixelSize, isScaled: Bool, into target: UnsafeMutablePointer<UInt8>) throws {
      height = size.height
      config = .allocate(capacity: 1)
      config.initialize(to: WebPDecoderConfig())
      // 0 where the library installed is not the one compiled against.
      guard WebPInitDecoderConfig(config) != 0 else {
        config.deallocate()
        throw CodecError.unsupportedVariant(of: .webp)
      }
      config.pointee.output.colorspace = MODE_RGBA
      config.pointee.output.is_external_memory = 1
      config.pointee.output.u.RGBA = WebPRGBABuffer(
        rgba: target, stride: Int32(clamping: size.width * 4), size: size.area * 4)
      if isScaled {
        config.pointee.options.use_scaling = 1
        config.pointee.options.scaled_width = Int32(clamping: size.width)
        config.pointee.options.scaled_height = Int32(clamping: size.height)
      }
      guard let decoder = WebPIDecode(nil, 0, config) else {
        config.deallocate()
        throw CodecError.outOfMemory(for: size)
      }
      self.decoder = decoder
    }

    deinit {
      WebPIDelete(decoder)
      config.deallocate()
    }

    /// - Parameter bytes: all that has come, which may lie elsewhere each time.
    func absorb(_ bytes: UnsafeRawBufferPointer) throws {
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      let status = WebPIUpdate(decoder, start, bytes.count)
      isDone = status == VP8_STATUS_OK
      var last: Int32 = 0
      if isDone {
        rows = height
      } else if WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil {
        rows = min(Int(last), height)
      }
      if status != VP8_STATUS_SUSPENDED { try WebPStatus.check(status) }
    }
  }
#endif
