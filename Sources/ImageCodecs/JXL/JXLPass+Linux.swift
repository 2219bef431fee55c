#if !canImport(Darwin) && JXL
  internal import CJXL
  import Pixels

  /// One way through a codestream by libjxl, which decodes forwards only, and puts frames together itself.
  ///
  /// It is given the pieces that `JXLPictures` has found, one at a time, and keeps what it needs of them: no pointer to the
  /// codestream outlives a call. The first error ends it. Debian's build of libjxl 0.7 writes a line about damage on
  /// standard error, which it has no switch for.
  final class JXLPass {
    /// Where the frames begin, in the codestream.
    let start: Int
    /// What the pixels mean as they come; `nil` for sRGB.
    let color: SourceColor?
    private let header: JXLHeader
    private let decoder: OpaquePointer

    /// - Throws: `body.truncated`, `image.corrupt`.
    init(_ codestream: UnsafeRawBufferPointer, _ header: JXLHeader, limits: DecodeLimits) throws {
      guard let decoder = JxlDecoderCreate(nil) else { throw CodecError.outOfMemory(for: header.size) }
      var isReady = false
      defer { if !isReady { JxlDecoderDestroy(decoder) } }
      self.decoder = decoder
      self.header = header
      // Rows are turned here, by what the header says.
      try Self.check(JxlDecoderSetKeepOrientation(decoder, 1))
      let events = JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
      try Self.check(JxlDecoderSubscribeEvents(decoder, Int32(events)))
      try Self.check(JxlDecoderSetInput(decoder, Self.start(of: codestream), codestream.count))
      switch JxlDecoderProcessInput(decoder) {
      case JXL_DEC_COLOR_ENCODING: start = codestream.count - JxlDecoderReleaseInput(decoder)
      case JXL_DEC_NEED_MORE_INPUT: throw CodecError.truncated(.jxl)
      default: throw CodecError.corrupt(.jxl, "an unreadable header")
      }
      try Self.checkSize(decoder, header)
      color = try Self.color(decoder, header, limits)
      isReady = true
    }

    deinit { JxlDecoderDestroy(decoder) }

    private static func check(_ status: JxlDecoderStatus) throws {
      guard status == JXL_DEC_SUCCESS else { throw CodecError.corrupt(.jxl) }
    }

    private static func start(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    private static func checkSize(_ decoder: OpaquePointer, _ header: JXLHeader) throws {
      var info = JxlBasicInfo()
      try check(JxlDecoderGetBasicInfo(decoder, &info))
      guard Int(info.xsize) == header.size.width, Int(info.ysize) == header.size.height else {
        throw CodecError.corrupt(.jxl, "its size is not the one it announces")
      }
    }

    // MARK: Colours

    private static func color(
      _ decoder: OpaquePointer, _ header: JXLHeader, _ limits: DecodeLimits
    ) throws -> SourceColor? {
      var encoding = JxlColorEncoding()
      if header.isXYB {
        try check(JxlDecoderGetColorAsEncodedProfile(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &encoding))
      }
      guard encoding.transfer_function == JXL_TRANSFER_FUNCTION_LINEAR else {
        return header.color.hasProfile ? profile(decoder, maximum: limits.maximumProfileBytes) : header.color.source
      }
      // Here it may choose, and where it cannot give the colours of the file it has chosen light itself, of which eight
      // bits are too few.
      encoding.transfer_function = JXL_TRANSFER_FUNCTION_SRGB
      try check(JxlDecoderSetPreferredColorProfile(decoder, &encoding))
      guard case .parameters(let points, .linear) = header.color.source, points != .sRGB else { return nil }
      return .parameters(points, .sRGB)
    }

    /// - Returns: `nil` where it is longer than `maximum`.
    private static func profile(_ decoder: OpaquePointer, maximum: Int) -> SourceColor? {
      var count = 0
      let target = JXL_COLOR_PROFILE_TARGET_DATA
      guard JxlDecoderGetICCProfileSize(decoder, nil, target, &count) == JXL_DEC_SUCCESS, (1...maximum) ~= count else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: count)
      guard JxlDecoderGetColorAsICCProfile(decoder, nil, target, &bytes, count) == JXL_DEC_SUCCESS else { return nil }
      return .profile(ColorProfile(bytes))
    }

    // MARK: Pixels

    /// Bytes behind the pixels into which vectors may reach.
    static let margin = 64

    /// Decodes the next picture.
    /// - Parameter pixels: RGBA of the whole picture as the file has it, and `margin` bytes more.
    func decode(
      _ picture: JXLPictures.Picture, of codestream: UnsafeRawBufferPointer, into pixels: UnsafeMutablePointer<UInt8>,
      isCancelled: () -> Bool
    ) throws {
      for (index, piece) in picture.pieces.enumerated() {
        if isCancelled() { throw CancellationError() }
        let bytes = UnsafeRawBufferPointer(rebasing: codestream[piece])
        try Self.check(JxlDecoderSetInput(decoder, Self.start(of: bytes), bytes.count))
        let isComplete = try process(into: pixels)
        let rest = JxlDecoderReleaseInput(decoder)
        if isComplete {
          guard index == picture.pieces.count - 1 else { throw CodecError.corrupt(.jxl, "data behind its end") }
          return
        }
        guard rest == 0 else { throw CodecError.corrupt(.jxl) }
      }
      throw CodecError.truncated(.jxl)
    }

    /// - Returns: whether the picture is complete; `false` where another piece is needed.
    private func process(into pixels: UnsafeMutablePointer<UInt8>) throws -> Bool {
      var format = JxlPixelFormat(num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
      while true {
        switch JxlDecoderProcessInput(decoder) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          try Self.check(JxlDecoderSetImageOutBuffer(decoder, &format, pixels, header.size.area * 4))
        case JXL_DEC_FULL_IMAGE: return true
        case JXL_DEC_NEED_MORE_INPUT: return false
        default: throw CodecError.corrupt(.jxl)
        }
      }
    }
  }
#endif
