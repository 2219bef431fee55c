#if !canImport(Darwin)
  import Pixels

  /// Rows of a WebP, decoded as a whole by libwebp when prepared.
  ///
  /// An opaque lossy picture that is far larger than the target is scaled by the library to between three and four times
  /// that, so that its pixels are never all in memory; with three times the result is within 50 dB of Lanczos over
  /// every pixel, with twice 46 dB. A transparent one is not: the library would mix colours without regard to alpha.
  /// Unsafe: the bytes must outlive the source.
  final class WebPRowSource: RowSource {
    let size: PixelSize
    private let file: WebPFile
    private var picture: ScratchMemory<UInt8>?
    private var rowsRead = 0

    init(_ file: WebPFile, plan: DecodePlan, limits: DecodeLimits) throws {
      self.file = file
      if file.isHeldWhole { try DecodePlan.checkFull(file.canvas, limits) }
      size = file.isHeldWhole ? file.canvas : Self.scaledSize(plan)
      try DecodePlan.checkFull(size, limits)
    }

    static func scaledSize(_ plan: DecodePlan) -> PixelSize {
      let (source, target) = (plan.source, plan.storedOutput)
      let factor = min(source.width / (target.width * 3), source.height / (target.height * 3))
      guard factor > 1 else { return source }
      return PixelSize(
        width: (source.width + factor / 2) / factor, height: (source.height + factor / 2) / factor)
    }

    func prepare(isCancelled: () -> Bool) throws {
      let picture = try ScratchMemory<UInt8>(count: size.area * 4)
      let frameSize = file.coversCanvas ? size : file.frameSize
      try WebPFrameDecoder.decode(
        file.frame, size: frameSize, isScaled: size != file.canvas,
        into: picture.start + (file.y * size.width + file.x) * 4, bytesPerRow: size.width * 4, isCancelled: isCancelled)
      self.picture = picture
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      guard let picture else { return }
      row.update(from: picture.start + rowsRead * size.width * 4, count: size.width * 4)
      rowsRead += 1
      if file.hasAlpha { Alpha.premultiply(row, count: size.width) }
    }
  }
#endif
