#if !canImport(Darwin) && AVIF
  import Pixels

  /// The pictures of an AVIF sequence, by libavif, which decodes those that a later one is told by on the way to it.
  ///
  /// The decoder keeps the address of its bytes, hence a copy of them.
  struct AVIFFrames: FrameSource {
    let canvas: PixelSize
    let loopCount: Int
    let transform: ColorTransform?
    private let decoder: AVIFDecoder
    private let memory: ScratchMemory<UInt8>
    private var framesFound = 0

    init(_ info: ImageInfo, _ animation: AnimationInfo, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
      canvas = info.storedSize
      loopCount = animation.loopCount
      memory = try ScratchMemory(count: bytes.count)
      let copy = UnsafeMutableRawBufferPointer(start: memory.start, count: bytes.count)
      copy.copyMemory(from: bytes)
      decoder = try AVIFDecoder(UnsafeRawBufferPointer(copy), .sequence, size: canvas, limits: limits)
      transform = decoder.colorTransform(limits)
    }

    func colorTransform(in bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform? {
      transform
    }

    mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
      guard framesFound < decoder.count else { return nil }
      let duration = FrameDuration.shown(seconds: try decoder.duration(of: framesFound))
      defer { framesFound += 1 }
      return FrameRecord(
        rect: PixelRect(canvas), duration: duration, disposal: .keep, blending: .replace, isOpaque: decoder.isOpaque,
        bytes: 0..<bytes.count, number: framesFound)
    }

    func rows(
      of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
    ) throws -> any RowSource {
      try AVIFRowSource(decoder, number: frame.number, size: canvas)
    }
  }
#endif
