import Pixels

extension ColorTransform {
  /// Converts a whole picture, premultiplied.
  func apply(
    _ bytes: UnsafeMutableRawBufferPointer, size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool
  ) throws {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count == size.area * 4 else {
      return
    }
    for y in 0..<size.height {
      if isCancelled() { throw CancellationError() }
      apply(start + y * size.width * 4, count: size.width, isOpaque: isOpaque)
    }
  }
}
