#if !canImport(Darwin) && HEIC
  internal import CDE265
  import Pixels

  /// libde265's decoder of one coded picture.
  ///
  /// It is given nothing but parameter sets that have been looked at and the slices of one picture that depends on no other,
  /// and memory for one picture of the size they say.
  final class HEVCDecoder {
    private let context: UnsafeMutableRawPointer
    private let samples: HEVCParameterSet
    private let memory: HEVCMemory
    private var image: OpaquePointer?
    private var parameterSets = 0

    /// - Parameter samples: what the picture must be made of.
    init(_ samples: HEVCParameterSet) throws {
      guard let context = de265_new_decoder() else { throw CodecError.outOfMemory(for: samples.size) }
      self.context = context
      self.samples = samples
      memory = HEVCMemory(samples)
      de265_set_parameter_bool(context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1)
      // Until the slices are decoded: it takes memory that is not our own for a picture that is to be smoothed.
      de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 1)
      memory.serve(context)
    }

    deinit { de265_free_decoder(context) }

    /// ITU-T H.265, table A.8: of the highest level. Each takes libde265 some kilobytes.
    private static let maximumSlices = 600

    /// What noise takes without loss, twice over: libde265 keeps a copy of a picture's data.
    private static func maximumBytes(_ samples: HEVCParameterSet) -> Int { samples.planeBytes * 2 + (64 << 10) }

    /// - Parameter data: NAL units with their lengths before them.
    func decode(
      _ configuration: HEVCConfiguration, _ data: UnsafeRawBufferPointer, isCancelled: () -> Bool
    ) throws {
      guard data.count <= Self.maximumBytes(samples) else { throw CodecError.corrupt(.heic, "more data than samples") }
      for unit in configuration.parameterSets.lazy.compactMap({ HEVCUnit($0) }) {
        try decode(parameterSet: unit, isCancelled)
      }
      var reader = ByteReader(data)
      var slices = 0
      while reader.remaining > 0 {
        guard let length = reader.uint(configuration.lengthBytes), let bytes = reader.take(UInt32(length)),
          let unit = HEVCUnit(bytes.rest)
        else { throw CodecError.corrupt(.heic, "a unit of impossible length") }
        if unit.isParameterSet { try decode(parameterSet: unit, isCancelled) }
        guard unit.isSlice else { continue }
        guard unit.isStill else { throw CodecError.unsupportedVariant(of: .heic) }
        // An item has one picture.
        if unit.beginsPicture, slices > 0 { break }
        guard unit.beginsPicture || slices > 0 else { throw CodecError.corrupt(.heic, "its beginning is not there") }
        slices += 1
        guard slices <= Self.maximumSlices else { throw CodecError.corrupt(.heic, "more slices than any level allows") }
        try decode(unit, isCancelled)
      }
      try finish()
    }

    private func decode(parameterSet unit: HEVCUnit, _ isCancelled: () -> Bool) throws {
      parameterSets += 1
      guard parameterSets <= HEVCConfiguration.maximumParameterSets,
        !unit.isSequenceParameterSet || HEVCParameterSet(unit.bytes) == samples
      else { throw CodecError.corrupt(.heic, "parameters that make no sense") }
      try decode(unit, isCancelled)
    }

    private func decode(_ unit: HEVCUnit, _ isCancelled: () -> Bool) throws {
      try check(de265_push_NAL(context, unit.bytes.baseAddress, Int32(clamping: unit.bytes.count), 0, nil))
      var more: Int32 = 0
      repeat {
        if isCancelled() { throw CancellationError() }
        let result = de265_decode(context, &more)
        if result == DE265_ERROR_WAITING_FOR_INPUT_DATA { return }
        try check(result)
      } while more != 0
    }

    private func finish() throws {
      guard memory.isFilled else { throw CodecError.corrupt(.heic, "a part of it is not there") }
      de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 0)
      try check(de265_flush_data(context))
      var more: Int32 = 0
      repeat {
        try check(de265_decode(context, &more))
        image = de265_get_next_picture(context)
      } while image == nil && more != 0
      // What is said of a fault that did not end it.
      try check(de265_get_warning(context))
      guard let image, de265_get_chroma_format(image) == samples.layout.format,
        de265_get_bits_per_pixel(image, 0) == samples.bitDepth
      else { throw CodecError.corrupt(.heic, "its data make no picture") }
    }

    private func check(_ result: de265_error) throws {
      switch result {
      case DE265_OK: return
      case DE265_ERROR_OUT_OF_MEMORY where !memory.wasRefused, DE265_WARNING_CANNOT_APPLY_SAO_OUT_OF_MEMORY:
        throw CodecError.outOfMemory(for: samples.size)
      case DE265_ERROR_NOT_IMPLEMENTED_YET: throw CodecError.unsupportedVariant(of: .heic)
      default: throw CodecError.corrupt(.heic, String(cString: de265_get_error_text(result)))
      }
    }

    /// What the coded data say of the colours.
    var numbers: HEIFColor.Numbers? {
      guard let image else { return nil }
      return HEIFColor.Numbers(
        points: CodingPoints(
          primaries: Int(de265_get_image_colour_primaries(image)),
          transfer: Int(de265_get_image_transfer_characteristics(image))),
        matrix: Int(de265_get_image_matrix_coefficients(image)),
        isFullRange: de265_get_image_full_range_flag(image) != 0)
    }

    /// Calls `body` with each row of a plane, from the top, once the picture is decoded.
    /// - Parameter shown: how much of it is wanted, of its upper left.
    func forEachRow(ofPlane plane: Int, shown: PixelSize, _ body: (_ row: Int, UnsafeRawBufferPointer) -> Void) {
      memory.forEachRow(ofPlane: plane, shown: shown, body)
    }
  }

  extension ChromaLayout {
    fileprivate var format: de265_chroma {
      switch self {
      case .grey: de265_chroma_mono
      case .quarter: de265_chroma_420
      case .half: de265_chroma_422
      case .full: de265_chroma_444
      }
    }
  }
#endif
