import Foundation
import Pixels

/// How finely a JPEG keeps colour beside brightness.
public enum ChromaSubsampling: String, Hashable, Sendable, CaseIterable {
  /// 4:2:0: one colour value for two by two pixels. A third smaller; sharp coloured edges blur.
  case quarter
  /// 4:4:4: a colour value for each pixel.
  case none
}

/// How hard a PNG is compressed. The pixels are the same.
public enum PNGCompression: String, Hashable, Sendable, CaseIterable {
  /// zlib's own default, level 6.
  case balanced
  /// zlib level 1 after the one filter that suits photographs best: several times less time for a slightly larger file.
  case fast
}

/// How a WebP keeps its colours. Alpha is kept exactly in either way.
public enum WebPCompression: Hashable, Sendable {
  /// Like JPEG, with a quality of 0...100; colours are kept at half the resolution each way.
  case lossy(quality: Int)
  /// Every visible pixel is kept.
  case lossless
}

/// Pixels to files: for thumbnails, tools and tests.
///
/// What `Bitmap.colorProfile` holds is written into the file. Every function throws `body.empty` for a bitmap without pixels and `image.tooManyPixels` for one that the format
/// or the memory has no room for.
public enum ImageEncoder {
  /// The most pixels a WebP has on a side.
  public static let maximumWebPSide = 16_383
  /// The most pixels a JPEG has on a side, as far as libjpeg goes.
  public static let maximumJPEGSide = 65_500

  /// 255 segments of 65,519 bytes (ICC.1:2022, annex B.4).
  private static let maximumJPEGProfile = 255 * 65_519
  /// What fits into a chunk of PNG, or a WebP, compressed or not, with room for the picture.
  private static let maximumChunkProfile = 1 << 30

  /// A PNG with straight alpha (no alpha channel when the bitmap is opaque).
  ///
  /// ImageIO, on Apple's platforms, compresses as it likes.
  public static func png(_ bitmap: Bitmap, compression: PNGCompression = .balanced) throws -> Data {
    try checkSize(bitmap, .png, maximumSide: 0x7FFF_FFFF)
    try checkProfile(bitmap, .png, maximum: maximumChunkProfile)
    return try encodePNG(bitmap, compression: compression)
  }

  /// A baseline JPEG over white. `quality` is 1...100; values outside are clamped.
  ///
  /// ImageIO, on Apple's platforms, chooses the subsampling itself, by the quality.
  public static func jpeg(
    _ bitmap: Bitmap, quality: Int = 90, subsampling: ChromaSubsampling = .quarter
  ) throws -> Data {
    try checkSize(bitmap, .jpeg, maximumSide: maximumJPEGSide)
    try checkProfile(bitmap, .jpeg, maximum: maximumJPEGProfile)
    return try encodeJPEG(bitmap, quality: min(100, max(1, quality)), subsampling: subsampling)
  }

  /// A still WebP, with alpha where the bitmap is not opaque.
  /// - Parameters:
  ///   - compression: a lossy quality outside 0...100 is clamped.
  ///   - effort: 0 (fast) ... 6 (small), libwebp's `method`; values outside are clamped. Default 4, libwebp's own.
  /// - Throws: besides what all do, `image.unsupportedFormat` on Apple's platforms, whose ImageIO does not write WebP.
  public static func webp(
    _ bitmap: Bitmap, _ compression: WebPCompression = .lossy(quality: 90), effort: Int = 4
  ) throws -> Data {
    try checkSize(bitmap, .webp, maximumSide: maximumWebPSide)
    try checkProfile(bitmap, .webp, maximum: maximumChunkProfile)
    return try encodeWebP(bitmap, compression.clamped, effort: min(6, max(0, effort)))
  }

  private static func checkProfile(_ bitmap: Bitmap, _ format: ImageFormat, maximum: Int) throws {
    guard let count = bitmap.colorProfile?.bytes.count, count > maximum else { return }
    throw CodecError(
      .tooLarge,
      "The picture's colour profile has \(count) bytes, and a \(format.displayName) has room for \(maximum). "
        + "Convert the picture to sRGB first.")
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

extension WebPCompression {
  fileprivate var clamped: WebPCompression {
    guard case .lossy(let quality) = self else { return self }
    return .lossy(quality: min(100, max(0, quality)))
  }
}
