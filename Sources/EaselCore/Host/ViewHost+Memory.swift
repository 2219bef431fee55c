import Pixels

extension ViewHost {
  /// Draws the window, on its background, into memory that the caller owns: the seam for hosts that hand frames on to a
  /// display. Brings everything up to date first.
  ///
  /// - Parameters:
  ///   - pixels: rows from the top, each pixel a native-endian word of alpha, red, green and blue, premultiplied (blue
  ///     first in memory on the machines Linux runs on here).
  ///   - bytesPerRow: a multiple of four.
  /// - Returns: false where the memory does not hold `pixelSize`, or where that is nothing or more than 32,767 pixels a
  ///   side. Nothing is drawn then.
  public func draw(into pixels: UnsafeMutableRawBufferPointer, bytesPerRow: Int, pixelSize: PixelSize) -> Bool {
    let list = makeDisplayList()
    guard
      let renderer = CairoRenderer(pixels: pixels, bytesPerRow: bytesPerRow, pixelSize: pixelSize, scale: scale)
    else { return false }
    renderer.fill(Color.systemBackground.resolve(in: root.environment))
    renderer.execute(list)
    renderer.flush()
    return true
  }
}
