#if !canImport(Darwin) && AVIF
  internal import CAVIF
  import Pixels

  /// libavif's decoder of one file: of its picture, or of the sequence beside it. Unsafe: the bytes must outlive it.
  final class AVIFDecoder {
    enum Content {
      case picture, sequence
    }

    private let bytes: UnsafeRawBufferPointer
    private let decoder: UnsafeMutablePointer<avifDecoder>

    /// - Parameter size: as the header tells it.
    init(_ bytes: UnsafeRawBufferPointer, _ content: Content, size: PixelSize, limits: DecodeLimits) throws {
      try limits.checkFull(size)
      guard let decoder = avifDecoderCreate() else { throw CodecError.outOfMemory(for: size) }
      self.bytes = bytes
      self.decoder = decoder
      // Some encoders leave out pixi or write a senseless clap, of which nothing here depends.
      decoder.pointee.strictFlags = AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue
      decoder.pointee.ignoreExif = 1
      decoder.pointee.ignoreXMP = 1
      decoder.pointee.imageSizeLimit = UInt32(clamping: limits.maximumFullPixels)
      decoder.pointee.imageDimensionLimit = UInt32(clamping: limits.longestSide)
      // One more, so that too many are told from those that are allowed.
      decoder.pointee.imageCountLimit = UInt32(clamping: limits.maximumFrames).addingReportingOverflow(1).partialValue
      let source = content == .picture ? AVIF_DECODER_SOURCE_PRIMARY_ITEM : AVIF_DECODER_SOURCE_TRACKS
      try check(avifDecoderSetSource(decoder, source))
      try check(avifDecoderSetIOMemory(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
      try check(avifDecoderParse(decoder))
      try limits.checkHeld(size, bytesPerPixel: bytesPerPixel)
    }

    deinit { avifDecoderDestroy(decoder) }

    var isOpaque: Bool { decoder.pointee.alphaPresent == 0 }

    /// The picture last decoded; what the file says of it before that.
    var image: UnsafeMutablePointer<avifImage> { decoder.pointee.image }

    /// Planes at most, twice: those of a grid's cells are put together in others.
    private var bytesPerPixel: Int {
      let planes = (image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? 1 : 3) + (isOpaque ? 0 : 1)
      return 2 * planes * (image.pointee.depth > 8 ? 2 : 1)
    }

    /// How many pictures there are.
    var count: Int { Int(decoder.pointee.imageCount) }

    func decode(_ number: Int) throws { try check(avifDecoderNthImage(decoder, UInt32(clamping: number))) }

    /// In seconds.
    func duration(of number: Int) throws -> Double {
      var timing = avifImageTiming()
      try check(avifDecoderNthImageTiming(decoder, UInt32(clamping: number), &timing))
      return timing.duration
    }

    /// What brings the rows to sRGB, by what the file says of its colours.
    func colorTransform(_ limits: DecodeLimits) -> ColorTransform? {
      let model: ColorModel = image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .grey : .rgb
      return sourceColor(limits).flatMap { ColorTransform.toSRGB(from: $0, model: model) }
    }

    private func sourceColor(_ limits: DecodeLimits) -> SourceColor? {
      let image = image.pointee
      if image.icc.size > 0, let data = image.icc.data {
        guard image.icc.size <= limits.maximumProfileBytes else { return nil }
        return .profile(ColorProfile(Array(UnsafeBufferPointer(start: data, count: image.icc.size))))
      }
      return CodingPoints(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics)).color
    }

    func check(_ result: avifResult) throws {
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
        guard HEIFHeader.isWhole(bytes) else { throw CodecError.truncated(.avif) }
        throw CodecError.corrupt(.avif, String(cString: avifResultToString(result)))
      }
    }
  }
#endif
