import Foundation
import Pixels

/// Pixels to files, for tools and tests.
///
/// Every function throws `body.empty` for a bitmap without pixels and `image.tooManyPixels` for one that the format
/// or the memory has no room for.
public enum ImageEncoder {
  /// A PNG with straight alpha (no alpha channel when the bitmap is opaque).
  public static func png(_ bitmap: Bitmap) throws -> Data {
    try checkSize(bitmap, .png, maximumSide: 0x7FFF_FFFF)
    return try encodePNG(bitmap)
  }

  /// A baseline JPEG over white. `quality` is 1...100; values outside are clamped.
  public static func jpeg(_ bitmap: Bitmap, quality: Int = 90) throws -> Data {
    try checkSize(bitmap, .jpeg, maximumSide: 65_500)
    return try encodeJPEG(bitmap, quality: min(100, max(1, quality)))
  }

  private static func checkSize(_ bitmap: Bitmap, _ format: ImageFormat, maximumSide: Int) throws {
    guard !bitmap.size.isEmpty else {
      throw CodecError(.empty, "A bitmap without pixels cannot be written. Give it a size of at least 1x1.")
    }
    guard max(bitmap.size.width, bitmap.size.height) <= maximumSide else {
      throw CodecError(
        .tooManyPixels,
        "A \(format.displayName) has at most \(maximumSide) pixels on a side, not \(bitmap.size). Scale it down first.")
    }
  }
}
