#if !canImport(Darwin) && HEIC
  /// What stands in the `hvcC` of an item: how its coded data are divided, and its parameter sets (ISO/IEC 14496-15, section
  /// 8.3.3.1.2).
  struct HEVCConfiguration {
    /// Bytes before each NAL unit that say its length.
    let lengthBytes: Int
    let parameterSets: [UnsafeRawBufferPointer]

    /// More are in no file, and each costs a decoder time.
    static let maximumParameterSets = 32

    init?(_ content: ByteReader) {
      var reader = content.dropping(21)
      guard let lengths = reader.uint8(), lengths & 3 != 2, var kinds = reader.uint8() else { return nil }
      lengthBytes = Int(lengths & 3) + 1
      var sets: [UnsafeRawBufferPointer] = []
      while kinds > 0 {
        guard reader.skip(1), let count = reader.uint16(.big) else { return nil }
        for _ in 0..<count {
          guard sets.count < Self.maximumParameterSets, let length = reader.uint16(.big),
            let unit = reader.take(UInt32(length))
          else { return nil }
          sets.append(unit.rest)
        }
        kinds -= 1
      }
      parameterSets = sets.filter { HEVCUnit($0)?.isParameterSet == true }
    }
  }

  /// A NAL unit by its header (ITU-T H.265, section 7.3.1.2 and table 7-1).
  struct HEVCUnit {
    let bytes: UnsafeRawBufferPointer
    private let kind: UInt8
    private let layer: UInt8

    /// - Returns: `nil` for less than a header.
    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count > 2 else { return nil }
      self.bytes = bytes
      kind = bytes[0] >> 1 & 0x3F
      layer = (bytes[0] & 1) << 5 | bytes[1] >> 3
    }

    /// Of the picture itself, not of another layer of it.
    private var isBase: Bool { layer == 0 }
    var isParameterSet: Bool { isBase && (32...34).contains(kind) }
    /// Of sizes and samples.
    var isSequenceParameterSet: Bool { isBase && kind == 33 }
    var isSlice: Bool { isBase && kind < 32 }
    /// Of a picture that depends on no other.
    var isStill: Bool { isBase && (16...21).contains(kind) }
    var beginsPicture: Bool { bytes[2] & 0x80 != 0 }
  }
#endif
