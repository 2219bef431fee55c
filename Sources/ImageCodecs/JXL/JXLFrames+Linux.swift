#if !canImport(Darwin) && JXL
  import Pixels

  /// The pictures of a JPEG XL animation, by libjxl, which decodes all before one on the way to it.
  struct JXLFrames: FrameSource {
    let canvas: PixelSize
    let loopCount: Int
    private let decoder: JXLDecoder
    private let ticksPerSecond: Double
    private let isOpaque: Bool
    private var pictures: JXLPictures
    private var framesFound = 0

    init(_ info: ImageInfo, _ animation: AnimationInfo, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
      canvas = info.storedSize
      loopCount = animation.loopCount
      isOpaque = !info.hasAlpha
      decoder = try JXLDecoder(bytes, limits: limits)
      ticksPerSecond = decoder.header.animation?.ticksPerSecond ?? 1
      pictures = decoder.makePictures()
    }

    func colorTransform(in bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform? {
      decoder.transform
    }

    mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
      guard let picture = try decoder.scan(&pictures, of: bytes) else { return nil }
      defer { framesFound += 1 }
      return FrameRecord(
        rect: PixelRect(canvas), duration: FrameDuration.shown(seconds: Double(picture.duration) / ticksPerSecond),
        disposal: .keep, blending: .replace, isOpaque: isOpaque, bytes: 0..<bytes.count, number: framesFound)
    }

    func rows(
      of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
    ) throws -> any RowSource {
      JXLRowSource(decoder, number: frame.number, of: bytes, mustBeWhole: false)
    }
  }
#endif
