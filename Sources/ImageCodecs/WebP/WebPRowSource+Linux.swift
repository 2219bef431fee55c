#if !canImport(Darwin)
  import Pixels

  /// Rows of a WebP frame, decoded by libwebp a little ahead of the row that is read.
  ///
  /// An opaque lossy picture that is far larger than the target is scaled by the library to between three and four times
  /// that; with three times the result is within 50 dB of Lanczos over every pixel, with twice 46 dB. A transparent one is
  /// not: the library would mix colours without regard to alpha. Unsafe: the bytes must outlive the source.
  final class WebPRowSource: RowSource {
    let size: PixelSize
    private let hasAlpha: Bool
    private let pixels: PassingMemory
    private var decoder: WebPFrameDecoder
    private var rowsRead = 0

    /// The picture of a file, or an animation's first frame, whose place on the canvas is left to the caller.
    convenience init(_ file: WebPFile, plan: DecodePlan, limits: DecodeLimits) throws {
      let size = file.isHeldWhole ? file.rect.size : Self.scaledSize(plan)
      try limits.checkHeld(size, bytesPerPixel: 4 + file.libraryBytesPerPixel)
      try self.init(file.frame, size: size, isScaled: size != file.rect.size, hasAlpha: file.hasAlpha)
    }

    init(_ frame: UnsafeRawBufferPointer, size: PixelSize, isScaled: Bool, hasAlpha: Bool) throws {
      self.size = size
      self.hasAlpha = hasAlpha
      pixels = try PassingMemory(count: size.area * 4)
      decoder = try WebPFrameDecoder(frame, size: size, isScaled: isScaled, into: pixels.start)
    }

    static func scaledSize(_ plan: DecodePlan) -> PixelSize {
      let (source, target) = (plan.source, plan.storedOutput)
      let factor = min(source.width / (target.width * 3), source.height / (target.height * 3))
      guard factor > 1 else { return source }
      return PixelSize(
        width: (source.width + factor / 2) / factor, height: (source.height + factor / 2) / factor)
    }

    /// Nearly all of a file may come before the first row.
    func prepare(isCancelled: () -> Bool) throws {
      while decoder.rows == 0 {
        if isCancelled() { throw CancellationError() }
        try decoder.advance()
      }
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      while decoder.rows <= rowsRead { try decoder.advance() }
      let bytesPerRow = size.width * 4
      row.update(from: pixels.start + rowsRead * bytesPerRow, count: bytesPerRow)
      rowsRead += 1
      pixels.giveUp(before: rowsRead * bytesPerRow)
      if hasAlpha { Alpha.premultiply(row, count: size.width) }
      if decoder.hasUntoldAlpha { Alpha.makeOpaque(row, count: size.width) }
    }

    func finish() throws { try decoder.finish() }
  }
#endif
