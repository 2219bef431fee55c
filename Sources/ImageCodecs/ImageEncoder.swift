import Foundation
import Pixels

/// Pixels to files, for tools and tests.
public enum ImageEncoder {
  /// A PNG with straight alpha (no alpha channel when the bitmap is opaque).
  public static func png(_ bitmap: Bitmap) throws -> Data { throw CodecError(.unsupportedFormat, "No encoder yet.") }

  /// A baseline JPEG over white. `quality` is 1...100.
  public static func jpeg(_ bitmap: Bitmap, quality: Int = 90) throws -> Data {
    throw CodecError(.unsupportedFormat, "No encoder yet.")
  }
}
