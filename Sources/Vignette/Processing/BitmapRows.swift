import Pixels

extension Bitmap {
  /// A new bitmap made row by row, with cancellation looked at before each.
  /// - Parameter body: given the number of the row and its memory, `size.width * 4` bytes, zeroed.
  /// - Throws: `image.tooManyPixels` where there is no memory, `CancellationError`, and what `body` throws.
  static func rows(
    of size: PixelSize, isOpaque: Bool, _ context: ProcessorContext,
    _ body: (Int, UnsafeMutablePointer<UInt8>) throws -> Void
  ) throws -> Bitmap {
    try ImageProcessor.checkOutput(size)
    return try Bitmap(size: size, isOpaque: isOpaque) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        throw ImageProcessor.outOfMemory(size)
      }
      for y in 0..<size.height {
        try context.checkCancellation()
        try body(y, start + y * size.width * 4)
      }
    }
  }

  /// A part of this bitmap with each row changed by `body`, which finds the row's pixels in the memory it is given.
  /// - Parameters:
  ///   - origin: `origin` and `size` describe a part that lies within the bitmap.
  ///   - isOpaque: `nil` where `body` keeps opaque pixels opaque.
  func mapRows(
    of size: PixelSize, from origin: (x: Int, y: Int) = (0, 0), isOpaque: Bool? = nil, _ context: ProcessorContext,
    _ body: (Int, UnsafeMutablePointer<UInt8>) -> Void
  ) throws -> Bitmap {
    try withUnsafeBytes { source in
      guard let pixels = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return self }
      return try Bitmap.rows(of: size, isOpaque: isOpaque ?? self.isOpaque, context) { y, row in
        row.update(from: pixels + (origin.y + y) * bytesPerRow + origin.x * 4, count: size.width * 4)
        body(y, row)
      }
    }
  }
}
