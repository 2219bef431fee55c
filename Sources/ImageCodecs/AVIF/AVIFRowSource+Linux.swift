#if !canImport(Darwin) && AVIF
  internal import CAVIF
  import Pixels

  /// Rows of an AVIF through libavif, which decodes the whole picture to its own planes; they become RGBA a few rows at a
  /// time. Unsafe: the bytes must outlive the source.
  final class AVIFRowSource: RowSource {
    let size: PixelSize
    let isOpaque: Bool
    private let bytes: UnsafeRawBufferPointer
    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let strip: ScratchMemory<UInt8>
    private var stripRows = 0..<0
    private var rowsRead = 0

    /// Rows converted at a time, and the rows around them whose colours they share. Even, as chroma is.
    private static let rowsPerStrip = 32
    private static let margin = 2

    init(_ bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: DecodeLimits) throws {
      try limits.checkFull(plan.source)
      guard let decoder = avifDecoderCreate() else { throw CodecError.outOfMemory(for: plan.source) }
      var isReady = false
      defer { if !isReady { avifDecoderDestroy(decoder) } }
      // Some encoders leave out pixi or write a senseless clap, of which nothing here depends.
      decoder.pointee.strictFlags = AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue
      decoder.pointee.ignoreExif = 1
      decoder.pointee.ignoreXMP = 1
      decoder.pointee.imageSizeLimit = UInt32(clamping: limits.maximumFullPixels)
      decoder.pointee.imageDimensionLimit = UInt32(clamping: limits.longestSide)
      try Self.check(avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_PRIMARY_ITEM), bytes)
      try Self.check(
        avifDecoderSetIOMemory(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count), bytes)
      try Self.check(avifDecoderParse(decoder), bytes)
      try limits.checkHeld(plan.source, bytesPerPixel: Self.bytesPerPixel(decoder.pointee))
      size = plan.source
      isOpaque = decoder.pointee.alphaPresent == 0
      strip = try ScratchMemory(count: (Self.rowsPerStrip + 2 * Self.margin) * size.width * 4)
      self.decoder = decoder
      self.bytes = bytes
      isReady = true
    }

    deinit { avifDecoderDestroy(decoder) }

    /// Planes at most, twice: those of a grid's cells are put together in others.
    private static func bytesPerPixel(_ decoder: avifDecoder) -> Int {
      let image = decoder.image.pointee
      let planes = (image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? 1 : 3) + (decoder.alphaPresent == 0 ? 0 : 1)
      return 2 * planes * (image.depth > 8 ? 2 : 1)
    }

    /// What is done with the rows, by what the file says of its colours.
    func color(_ plan: DecodePlan, _ limits: DecodeLimits) -> ColorTreatment {
      let image = decoder.pointee.image.pointee
      let model: ColorModel = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .grey : .rgb
      let transform = Self.sourceColor(image, limits).flatMap { ColorTransform.toSRGB(from: $0, model: model) }
      return ColorTreatment(transform, policy: plan.colors)
    }

    private static func sourceColor(_ image: avifImage, _ limits: DecodeLimits) -> SourceColor? {
      if image.icc.size > 0, let data = image.icc.data {
        guard image.icc.size <= limits.maximumProfileBytes else { return nil }
        return .profile(ColorProfile(Array(UnsafeBufferPointer(start: data, count: image.icc.size))))
      }
      return CodingPoints(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics)).color
    }

    func prepare(isCancelled: () -> Bool) throws {
      if isCancelled() { throw CancellationError() }
      try Self.check(avifDecoderNextImage(decoder), bytes)
      let image = decoder.pointee.image.pointee
      guard Int(image.width) == size.width, Int(image.height) == size.height else {
        throw CodecError.corrupt(.avif, "its size is not the one it announces")
      }
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      if !stripRows.contains(rowsRead) { try convertStrip(from: rowsRead) }
      row.update(from: strip.start + (rowsRead - stripRows.lowerBound) * size.width * 4, count: size.width * 4)
      if !isOpaque { Alpha.premultiply(row, count: size.width) }
      rowsRead += 1
      if rowsRead == stripRows.upperBound - Self.margin, rowsRead < size.height { stripRows = 0..<0 }
    }

    /// Converts a view of the planes, with margins so that chroma is interpolated across its edges as within.
    private func convertStrip(from first: Int) throws {
      let rows = max(0, first - Self.margin)..<min(size.height, first + Self.rowsPerStrip + Self.margin)
      guard let view = avifImageCreateEmpty() else { throw CodecError.outOfMemory(for: size) }
      defer { avifImageDestroy(view) }
      var rectangle = avifCropRect(
        x: 0, y: UInt32(rows.lowerBound), width: UInt32(size.width), height: UInt32(rows.count))
      try Self.check(avifImageSetViewRect(view, decoder.pointee.image, &rectangle), bytes)
      var target = avifRGBImage()
      avifRGBImageSetDefaults(&target, view)
      target.depth = 8
      // libyuv is fast, but up to three levels off where there are more than 8 bits.
      target.avoidLibYUV = view.pointee.depth > 8 ? 1 : 0
      target.format = AVIF_RGB_FORMAT_RGBA
      target.pixels = strip.start
      target.rowBytes = UInt32(size.width * 4)
      try Self.check(avifImageYUVToRGB(view, &target), bytes)
      stripRows = rows
    }

    private static func check(_ result: avifResult, _ bytes: UnsafeRawBufferPointer) throws {
      switch result {
      case AVIF_RESULT_OK: return
      case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR, AVIF_RESULT_WAITING_ON_IO:
        throw CodecError.truncated(.avif)
      case AVIF_RESULT_UNSUPPORTED_DEPTH, AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_NOT_IMPLEMENTED,
        AVIF_RESULT_REFORMAT_FAILED, AVIF_RESULT_NO_CONTENT, AVIF_RESULT_NO_AV1_ITEMS_FOUND:
        throw CodecError.unsupportedVariant(of: .avif)
      case AVIF_RESULT_OUT_OF_MEMORY:
        throw CodecError(.tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")
      default:
        // libavif tells a file that is cut off by what it misses first.
        guard AVIFHeader.isWhole(bytes) else { throw CodecError.truncated(.avif) }
        throw CodecError.corrupt(.avif, String(cString: avifResultToString(result)))
      }
    }
  }
#endif
