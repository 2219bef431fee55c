#if !canImport(Darwin)
  internal import CWebP
  import Pixels

  /// A still WebP drawn as far as its rows are here; the rest is transparent.
  final class WebPPreview: PartialPreview {
    private let size: PixelSize
    private let hasAlpha: Bool
    private let pixels: ScratchMemory<UInt8>
    private let decoder: Incremental
    private var rowsDrawn = 0

    /// Less than this part of the height more is not worth a preview.
    private static let leastPart = 16

    init(_ info: ImageInfo, plan: DecodePlan, limits: DecodeLimits) throws {
      size = info.hasAlpha ? info.storedSize : WebPRowSource.scaledSize(plan)
      hasAlpha = info.hasAlpha
      try DecodePlan.checkFull(size, limits)
      pixels = try ScratchMemory<UInt8>(count: size.area * 4)
      decoder = try Incremental(size: size, isScaled: size != info.storedSize, into: pixels.start)
    }

    private var rowsHere: Int { decoder.rows }
    var isEmpty: Bool { rowsHere == 0 }

    func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool {
      if isCancelled() { throw CancellationError() }
      try decoder.absorb(bytes)
      return rowsHere - rowsDrawn >= max(1, size.height / Self.leastPart)
    }

    func render(_ plan: DecodePlan, color: ColorTransform?, isCancelled: () -> Bool) throws -> Bitmap {
      let rows = Rows(pixels, size: size, count: rowsHere, hasAlpha: hasAlpha)
      let bitmap = try ImageDecoder.bitmap(rows, plan, isOpaque: false, color: color, isCancelled)
      rowsDrawn = rowsHere
      return bitmap
    }

    private final class Rows: RowSource {
      let size: PixelSize
      private let pixels: ScratchMemory<UInt8>
      private let count: Int
      private let hasAlpha: Bool
      private var rowsRead = 0

      init(_ pixels: ScratchMemory<UInt8>, size: PixelSize, count: Int, hasAlpha: Bool) {
        self.pixels = pixels
        self.size = size
        self.count = count
        self.hasAlpha = hasAlpha
      }

      func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
        if rowsRead < count {
          row.update(from: pixels.start + rowsRead * size.width * 4, count: size.width * 4)
          if hasAlpha { Alpha.premultiply(row, count: size.width) }
        } else {
          row.update(repeating: 0, count: size.width * 4)
        }
        rowsRead += 1
      }
    }

    /// libwebp's decoder, which keeps the address of its configuration.
    private final class Incremental {
      private let config: UnsafeMutablePointer<WebPDecoderConfig>
      private let decoder: OpaquePointer
      private let height: Int
      /// How many rows are here.
      private(set) var rows = 0

      init(size: PixelSize, isScaled: Bool, into target: UnsafeMutablePointer<UInt8>) throws {
        height = size.height
        config = .allocate(capacity: 1)
        config.initialize(to: WebPDecoderConfig())
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

      func absorb(_ bytes: UnsafeRawBufferPointer) throws {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let status = WebPIUpdate(decoder, start, bytes.count)
        var last: Int32 = 0
        if status == VP8_STATUS_OK {
          rows = height
        } else if WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil {
          rows = min(Int(last), height)
        }
        if status != VP8_STATUS_SUSPENDED { try WebPStatus.check(status) }
      }
    }
  }
#endif
