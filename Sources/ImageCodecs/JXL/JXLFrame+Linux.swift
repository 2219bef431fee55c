#if !canImport(Darwin) && JXL
  import Pixels

  /// One frame of a codestream: where it lies and what decoding it takes (ISO/IEC 18181-1, FrameHeader and TOC).
  ///
  /// libjxl allocates whatever size a frame claims, and ends the process where it cannot, so that all frames are looked at
  /// here before it is given any.
  struct JXLFrame {
    enum Kind: UInt32 {
      case regular = 0
      /// An eighth of the size or less, of which another frame's coarsest values are.
      case lowFrequency
      /// To be copied from, and not shown.
      case reference
      case skipProgressive
    }

    private(set) var kind = Kind.regular
    /// Whether pixels are predicted from their neighbours; else they are made of waves.
    private(set) var isModular = false
    private(set) var hasNoise = false
    /// In pixels of the picture.
    private(set) var size: PixelSize
    /// How much smaller it is stored.
    private(set) var upsampling = 1
    private(set) var passes = 1
    /// Of a frame of low frequencies: how many times it is an eighth of the picture.
    private(set) var level = 0
    /// In ticks.
    private(set) var duration: UInt32 = 0
    private(set) var isLast = true
    /// In which of four places it is kept for later frames; `nil` where it is not kept.
    private(set) var place: Int?
    /// The header and the list of sections, in the codestream.
    private(set) var headerBytes: Range<Int>
    /// In bytes; `nil` where they are in another order, which only decoding tells.
    private(set) var sections: [Int]?

    /// Whether a picture is complete with it.
    var isShown: Bool { isVisible && (isLast || duration > 0) }
    private var isVisible: Bool { kind == .regular || kind == .skipProgressive }

    private var usesLowFrequencies = false
    private var groupSizeShift = 1
    private var horizontalHalvings = 0
    private var verticalHalvings = 0

    /// - Parameter size: of a frame that says none.
    /// - Returns: `nil` where the bytes end within the header or the list.
    /// - Throws: `image.corrupt`, `image.tooManyPixels`.
    static func read(
      _ codestream: UnsafeRawBufferPointer, at start: Int, _ header: JXLHeader, size: PixelSize, limits: DecodeLimits
    ) throws -> JXLFrame? {
      var reader = JXLBitReader(ByteReader(codestream, at: start))
      do {
        var frame = JXLFrame(size: size, headerBytes: start..<start)
        try frame.readHeader(&reader, header)
        // The list of a large frame is long.
        try limits.checkSource(frame.size)
        try limits.checkFull(frame.size)
        try frame.readSections(&reader)
        frame.headerBytes = start..<start + reader.bitsRead / 8
        return reader.hasEnded ? nil : frame
      } catch  where reader.hasEnded {
        return nil
      }
    }

    private init(size: PixelSize, headerBytes: Range<Int>) {
      self.size = size
      self.headerBytes = headerBytes
    }

    // MARK: Header

    private mutating func readHeader(_ reader: inout JXLBitReader, _ header: JXLHeader) throws {
      if try reader.bool() { return }
      kind = Kind(rawValue: try reader.bits(2)) ?? .regular
      isModular = try reader.bool()
      let flags = try reader.long()
      hasNoise = flags & 1 != 0
      usesLowFrequencies = flags & 32 != 0
      let isYCbCr = try !header.isXYB && reader.bool()
      if isYCbCr, !usesLowFrequencies { try readSubsampling(&reader) }
      if !usesLowFrequencies {
        upsampling = 1 << Int(try reader.bits(2))
        for _ in header.extraChannels { _ = try reader.bits(2) }
      }
      if isModular {
        groupSizeShift = Int(try reader.bits(2))
      } else if header.isXYB {
        // Scales of two quantization matrices.
        _ = try reader.bits(6)
      }
      if kind != .reference { try readPasses(&reader) }
      if kind == .lowFrequency { try readLevel(&reader) }
      let isPartial = try kind != .lowFrequency && readPlace(&reader)
      let replaces = try isVisible && readBlending(&reader, header, isPartial: isPartial)
      try readReference(&reader, replacesAll: replaces && !isPartial)
      _ = try reader.skipName()
      try skipFilters(&reader)
      try reader.skipExtensions()
    }

    /// What colours of JPEGs are halved by.
    private mutating func readSubsampling(_ reader: inout JXLBitReader) throws {
      for _ in 0..<3 {
        let mode = try reader.bits(2)
        if mode == 1 || mode == 2 { horizontalHalvings = 1 }
        if mode == 1 || mode == 3 { verticalHalvings = 1 }
      }
    }

    private mutating func readPasses(_ reader: inout JXLBitReader) throws {
      passes = Int(try reader.number(.value(1), .value(2), .value(3), .bits(3, plus: 4)))
      guard passes > 1 else { return }
      let previews = Int(try reader.number(.value(0), .value(1), .value(2), .bits(1, plus: 3)))
      guard previews <= passes else { throw CodecError.corrupt(.jxl, "more previews than passes") }
      for _ in 1..<passes { _ = try reader.bits(2) }
      for _ in 0..<previews { _ = try reader.bits(2) }
      for _ in 0..<previews { _ = try reader.number(.value(0), .value(1), .value(2), .bits(3)) }
    }

    private mutating func readLevel(_ reader: inout JXLBitReader) throws {
      level = Int(try reader.bits(2)) + 1
      let side = 1 << (3 * level)
      size = PixelSize(width: (size.width + side - 1) / side, height: (size.height + side - 1) / side)
    }

    /// - Returns: whether there are pixels of the picture that the frame does not cover.
    private mutating func readPlace(_ reader: inout JXLBitReader) throws -> Bool {
      guard try reader.bool() else { return false }
      func number() throws -> Int {
        Int(try reader.number(.bits(8), .bits(11, plus: 256), .bits(14, plus: 2304), .bits(30, plus: 18_688)))
      }
      let picture = size
      var origin = (x: 0, y: 0)
      if isVisible { origin = (Self.signed(try number()), Self.signed(try number())) }
      size = PixelSize(width: try number(), height: try number())
      guard !size.isEmpty || reader.hasEnded else { throw CodecError.corrupt(.jxl, "a frame without a size") }
      return isVisible
        && (origin.x > 0 || origin.y > 0 || origin.x + size.width < picture.width
          || origin.y + size.height < picture.height)
    }

    private static func signed(_ packed: Int) -> Int { packed & 1 == 0 ? packed / 2 : -(packed / 2) - 1 }

    /// - Returns: whether the colours take the place of what is there.
    private mutating func readBlending(
      _ reader: inout JXLBitReader, _ header: JXLHeader, isPartial: Bool
    ) throws -> Bool {
      let replaces = try Self.blending(&reader, header, isPartial: isPartial)
      for _ in header.extraChannels where !reader.hasEnded {
        _ = try Self.blending(&reader, header, isPartial: isPartial)
      }
      if let animation = header.animation {
        duration = try reader.number(.value(0), .value(1), .bits(8), .bits(32))
        if animation.hasTimecodes { _ = try reader.bits(32) }
      }
      isLast = try reader.bool()
      return replaces
    }

    private static func blending(
      _ reader: inout JXLBitReader, _ header: JXLHeader, isPartial: Bool
    ) throws -> Bool {
      // Replacing, adding, blending, adding by alpha, and multiplying.
      let mode = try reader.number(.value(0), .value(1), .value(2), .bits(2, plus: 3))
      guard mode <= 4 else { throw CodecError.corrupt(.jxl, "an unknown way of blending") }
      let hasAlpha = !header.extraChannels.isEmpty && (mode == 2 || mode == 3)
      if hasAlpha { _ = try reader.number(.value(0), .value(1), .value(2), .bits(3, plus: 3)) }
      if hasAlpha || mode == 4 { _ = try reader.bool() }
      if mode != 0 || isPartial { _ = try reader.bits(2) }
      return mode == 0
    }

    private mutating func readReference(_ reader: inout JXLBitReader, replacesAll: Bool) throws {
      if kind != .regular { isLast = false }
      guard kind != .lowFrequency else { return }
      let number = isLast ? 0 : Int(try reader.bits(2))
      if !isLast, duration == 0 || number != 0 { place = number }
      // Whether before its colours are converted.
      if kind == .reference || place != nil && replacesAll { _ = try reader.bool() }
    }

    /// Of blocks' edges, and of what sharpens them.
    private func skipFilters(_ reader: inout JXLBitReader) throws {
      if try reader.bool() { return }
      if try reader.bool(), try reader.bool() { try reader.skipHalves(6) }
      if try reader.bits(2) > 0 {
        if !isModular, try reader.bool() { try reader.skipHalves(8) }
        if try reader.bool() { try reader.skipHalves(5) }
        if try reader.bool() { try reader.skipHalves(isModular ? 3 : 4) }
        if isModular { try reader.skipHalves(1) }
      }
      try reader.skipExtensions()
    }

    // MARK: Sections

    /// As stored.
    var storedSize: PixelSize {
      PixelSize(
        width: (size.width + upsampling - 1) / upsampling, height: (size.height + upsampling - 1) / upsampling)
    }

    private static let maximumSections = 1 << 16

    private mutating func readSections(_ reader: inout JXLBitReader) throws {
      let count = sectionCount
      guard count <= Self.maximumSections else { throw CodecError.corrupt(.jxl, "a frame of too many sections") }
      let isPermuted = try reader.bool()
      if isPermuted { return }
      try reader.skipToByte()
      var lengths: [Int] = []
      for _ in 0..<count where !reader.hasEnded {
        lengths.append(
          Int(
            try reader.number(
              .bits(10), .bits(14, plus: 1024), .bits(22, plus: 17_408), .bits(30, plus: 4_211_712))))
      }
      try reader.skipToByte()
      sections = lengths
    }

    /// One of each kind that is common to all, one for each group of low frequencies, and one for each group in each pass;
    /// or one for everything.
    private var sectionCount: Int {
      let side = 128 << groupSizeShift
      func groups(_ length: Int, _ side: Int) -> Int { (length + side - 1) / side }
      let stored = storedSize
      let count = groups(stored.width, side).multipliedReportingOverflow(by: groups(stored.height, side))
      guard !count.overflow, count.partialValue <= Self.maximumSections else { return .max }
      if count.partialValue == 1, passes == 1 { return 1 }
      // Blocks are of 8 pixels, or more where colours are halved.
      func blocks(_ length: Int, _ halvings: Int) -> Int { groups(length, 8 << halvings) << halvings }
      let lowFrequencies =
        groups(blocks(stored.width, horizontalHalvings), side) * groups(blocks(stored.height, verticalHalvings), side)
      return 2 + lowFrequencies + count.partialValue * passes
    }
  }
#endif
