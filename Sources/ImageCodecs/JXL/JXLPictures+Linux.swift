#if !canImport(Darwin) && JXL
  import Pixels

  /// A walk over the pictures of a codestream, each of one frame or of several that are put together, as far as their
  /// headers tell. What decoding them takes is checked against the limits on the way.
  struct JXLPictures {
    struct Picture {
      /// The bytes to be decoded at a time, so that it can be ended between them.
      var pieces: [Range<Int>]
      /// In ticks.
      var duration: UInt32
    }

    private let header: JXLHeader
    private let limits: DecodeLimits
    /// Where the next frame begins; `nil` behind the last one.
    private var position: Int?
    /// Whether it is where the last one ends, which nothing told.
    private var isPositionUnknown = false
    private var hasPreview: Bool
    private var frameCount = 0
    private var pixelCount = 0
    /// Bytes kept for later frames: in four places, and of each level of low frequencies.
    private var kept = [Int](repeating: 0, count: 4)
    private var keptLevels = [Int](repeating: 0, count: 5)

    /// - Parameter start: of the first frame, in the codestream.
    init(_ header: JXLHeader, startingAt start: Int, limits: DecodeLimits) {
      self.header = header
      self.limits = limits
      position = start
      hasPreview = header.previewSize != nil
    }

    /// The next picture; `nil` behind the last one.
    /// - Throws: `body.truncated` where not all of it is there, `image.corrupt`, `image.tooManyPixels`,
    ///   `image.tooMuchMemory`, `image.tooManyFrames`, `image.unsupportedFormat`.
    mutating func next(in codestream: UnsafeRawBufferPointer) throws -> Picture? {
      guard position != nil else { return nil }
      var picture = Picture(pieces: [], duration: 0)
      while let frame = try nextFrame(in: codestream, &picture.pieces) {
        guard frame.isShown else { continue }
        picture.duration = frame.duration
        if frame.isLast { position = nil }
        return picture
      }
      return nil
    }

    private mutating func nextFrame(
      in codestream: UnsafeRawBufferPointer, _ pieces: inout [Range<Int>]
    ) throws -> JXLFrame? {
      guard let start = position else { return nil }
      // Frames that are not the last, and whose sections are in an order of their own, are hardly ever made.
      guard !isPositionUnknown else { throw CodecError.unsupportedVariant(of: .jxl) }
      let size = hasPreview ? header.previewSize ?? header.size : header.size
      guard let frame = try JXLFrame.read(codestream, at: start, header, size: size, limits: limits) else {
        throw CodecError.truncated(.jxl)
      }
      if hasPreview { hasPreview = false } else { try check(frame) }
      guard let sections = frame.sections else {
        (position, isPositionUnknown) = (codestream.count, true)
        pieces.append(start..<codestream.count)
        return frame
      }
      let end = frame.headerBytes.upperBound + sections.reduce(0, +)
      guard end <= codestream.count else { throw CodecError.truncated(.jxl) }
      position = end
      Self.append(frame, sections, to: &pieces)
      return frame
    }

    /// Bytes that are decoded between two questions whether to go on.
    private static let pieceLength = 16 << 10

    /// Pieces end where sections do, so that libjxl need not keep what it cannot use yet. Those of no length stay with the
    /// one before them, since it is called only while there are bytes.
    private static func append(_ frame: JXLFrame, _ sections: [Int], to pieces: inout [Range<Int>]) {
      var piece = frame.headerBytes
      for length in sections {
        if length > 0, piece.count >= pieceLength {
          pieces.append(piece)
          piece = piece.upperBound..<piece.upperBound
        }
        piece = piece.lowerBound..<piece.upperBound + length
      }
      pieces.append(piece)
    }

    // MARK: Limits

    private mutating func check(_ frame: JXLFrame) throws {
      frameCount += 1
      pixelCount += frame.size.area
      guard frameCount <= limits.maximumFrames, pixelCount <= limits.maximumAnimationPixels else {
        throw CodecError.tooManyFrames(limits)
      }
      if frame.kind == .lowFrequency { keptLevels[frame.level] = bytes(frame.size, channels: 3) }
      if let place = frame.place {
        // Put together with what is under it a frame is as large as the picture.
        let channels = 3 + header.extraChannels.count
        kept[place] = max(bytes(frame.size, channels: channels), bytes(header.size, channels: channels))
      }
      let result = header.size.area * 4
      try limits.checkWorkingMemory((kept + keptLevels).reduce(result + working(frame)) { $0.addingClamped($1) })
    }

    /// What libjxl 0.7 holds while it decodes a frame, as measured with pictures of six megapixels.
    ///
    /// Where pixels are predicted from one another these are all of a frame's, and while they are put together from halves
    /// nearly as much thrice. Of waves it is little, but for coefficients that several passes refine. Where both are of one
    /// frame, the one waits for the other.
    private func working(_ frame: JXLFrame) -> Int {
      let (colors, extra) = (header.color.isGrey && !header.isXYB ? 1 : 3, header.extraChannels.count)
      var channels = frame.isModular ? (8 * colors + 2) / 3 : frame.passes > 1 ? 4 : 1
      if frame.isModular ? frame.hasNoise : extra > 0 { channels += 2 * (3 + extra) }
      return bytes(frame.storedSize, channels: channels).addingClamped(bytes(frame.size, channels: 3 * extra))
    }

    /// Samples have four bytes, and rows begin at multiples of 128 bytes, with room to read beyond their end.
    private func bytes(_ size: PixelSize, channels: Int) -> Int {
      let row = (size.width * 4 + 64 + 255) / 128 * 128
      let (product, overflow) = row.multipliedReportingOverflow(by: size.height)
      let (bytes, overflowToo) = product.multipliedReportingOverflow(by: channels)
      return overflow || overflowToo ? .max : bytes
    }
  }

  extension Int {
    fileprivate func addingClamped(_ other: Int) -> Int {
      let (sum, overflow) = addingReportingOverflow(other)
      return overflow ? .max : sum
    }
  }
#endif
