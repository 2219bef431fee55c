import Foundation
import ImageCodecs
import Pixels

/// How a decoded, scaled picture is kept on disk: small, quick to write, and far quicker to decode than its source.
///
/// Opaque pictures become JPEG of quality 97 with colours at full resolution (4:4:4). Pictures with transparent pixels
/// become lossless WebP with the least effort, or PNG where there is no WebP encoder. The reasons, measured over eight
/// photographs scaled into 400x300 (`thumbnails` in Benchmarks; CPU milliseconds; dB least and mean):
///
///     opaque            bytes   encode  decode   dB
///     JPEG 90 4:2:0     28246     0.27    0.67   34.1  36.9
///     JPEG 92 4:4:4     40509     0.48    0.86   36.3  39.9
///     JPEG 95 4:4:4     53846     0.61    1.00   38.4  42.0
///     JPEG 97 4:2:0     51719     0.40    0.89   35.6  40.1
///     JPEG 97 4:4:4     70997     0.63    1.17   41.0  44.4
///     WebP 90           24507     5.18    2.00   35.1  38.2
///     WebP lossless    142755     5.17    2.28   exact
///     PNG, level 1     189272     4.76    2.27   exact
///
/// A photograph scaled down is sharp in every pixel: halved colour alone keeps each lossy 4:2:0 format (WebP too) below
/// 37 dB at its worst. Of the qualities tried 97 is the first with 40 dB for each picture at each size (200, 400, 800 px).
/// With alpha, lossless WebP beats PNG in all three: 88 KB, 2.3 ms and 1.3 ms against 114 KB, 4.3 ms and 1.7 ms.
enum ThumbnailEncoding {
  /// Bytes that `ImageDecoder` brings back at `.full`: every pixel where there is transparency, and otherwise all but the
  /// same.
  /// - Throws: `CodecError`: `body.empty` for a bitmap without pixels, `image.tooManyPixels` without memory.
  static func encode(_ bitmap: Bitmap) throws -> Data {
    let longest = max(bitmap.size.width, bitmap.size.height)
    guard hasOnlyOpaquePixels(bitmap) else { return try encodeTransparent(bitmap) }
    guard longest <= ImageEncoder.maximumJPEGSide else { return try ImageEncoder.png(bitmap, compression: .fast) }
    return try ImageEncoder.jpeg(bitmap, quality: 97, subsampling: .none)
  }

  /// A file may declare transparency and have none, as many PNGs do; a look at each pixel is cheaper than keeping them so.
  private static func hasOnlyOpaquePixels(_ bitmap: Bitmap) -> Bool {
    guard !bitmap.isOpaque else { return true }
    return bitmap.withUnsafeBytes { bytes in
      stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
  }
}
