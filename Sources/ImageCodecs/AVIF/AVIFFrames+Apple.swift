#if canImport(Darwin)
  import Foundation
  import ImageIO
  import Pixels

  /// The pictures of an AVIF sequence, by ImageIO, which composes them itself. The frames of other formats are composed by
  /// this package on every platform, so that they come out alike.
  struct AVIFFrames: FrameSource {
    let canvas: PixelSize
    let loopCount: Int
    private let source: CGImageSource
    private let isOpaque: Bool
    private var framesFound = 0

    init(_ info: ImageInfo, _ animation: AnimationInfo, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else {
        throw CodecError.corrupt(.avif)
      }
      self.source = source
      canvas = info.storedSize
      loopCount = animation.loopCount
      isOpaque = !info.hasAlpha
    }

    mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
      guard framesFound < CGImageSourceGetCount(source) else { return nil }
      defer { framesFound += 1 }
      return FrameRecord(
        rect: PixelRect(canvas), duration: FrameDuration.shown(seconds: delay(of: framesFound)), disposal: .keep,
        blending: .replace, isOpaque: isOpaque, bytes: 0..<bytes.count, number: framesFound)
    }

    /// In seconds; 0 where ImageIO tells none.
    private func delay(of number: Int) -> Double {
      guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *),
        let properties = CGImageSourceCopyPropertiesAtIndex(source, number, nil) as? [CFString: Any],
        let sequence = properties[kCGImagePropertyAVISDictionary] as? [CFString: Any]
      else { return 0 }
      // The keys of HEIC sequences serve those of AVIF too.
      return sequence[kCGImagePropertyHEICSUnclampedDelayTime] as? Double ?? 0
    }

    func rows(
      of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
    ) throws -> any RowSource {
      ImageIORowSource(source, index: frame.number, format: .avif, size: canvas)
    }
  }
#endif
