import Pixels

/// Scales a bitmap that is already in memory, with the resampler that decodes use.
///
/// Works on premultiplied values as they are stored. Where an axis shrinks to an eighth or less whole-number box averages
/// come first (see `RowResampler`); up to there, and for every enlargement, the result is Lanczos3 (a = 3).
/// Holds a few rows beside input and output.
package enum BitmapScaler {
  /// No side is longer, in either bitmap: the tables for one stay within a few dozen megabytes.
  package static let maximumSide = DecodePlan.maximumSide

  /// `bitmap` at exactly `size`, smaller or larger; `bitmap` itself where it has that size or no pixels.
  /// - Parameter isCancelled: asked before each row; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `image.tooManyPixels` where a side is longer than `maximumSide` or there is no memory.
  package static func scale(
    _ bitmap: Bitmap, to size: PixelSize, isCancelled: () -> Bool
  ) throws -> Bitmap {
    guard !bitmap.size.isEmpty, !size.isEmpty, bitmap.size != size else { return bitmap }
    for size in [bitmap.size, size] where max(size.width, size.height) > maximumSide {
      throw CodecError(
        .tooManyPixels,
        "A picture of \(size) pixels is too long to be scaled: at most \(maximumSide) are possible on a side. "
          + "Crop it first.")
    }
    var scaled = try Bitmap(size: size, isOpaque: bitmap.isOpaque) { target in
      let writer = try OrientedRowWriter(target, stored: size, orientation: .up)
      let extent = (width: Double(bitmap.size.width), height: Double(bitmap.size.height))
      let resampler = try RowResampler(
        input: bitmap.size, extent: extent, output: size, isOpaque: bitmap.isOpaque, writer: writer)
      try bitmap.withUnsafeBytes { source in
        guard let start = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for y in 0..<bitmap.size.height {
          if isCancelled() { throw CancellationError() }
          resampler.push(start + y * bitmap.bytesPerRow)
        }
      }
    }
    scaled.colorProfile = bitmap.colorProfile
    return scaled
  }
}
