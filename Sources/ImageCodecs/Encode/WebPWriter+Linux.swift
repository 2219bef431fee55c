#if !canImport(Darwin)
  internal import CWebP
  import Foundation
  import Pixels

  /// Writes a WebP through libwebp, which takes the picture as a whole: 4 bytes a pixel beside the bitmap, and its own.
  ///
  /// Everything the library allocates is released on every path; the file's memory is handed over, not copied.
  extension ImageEncoder {
    static func encodeWebP(_ bitmap: Bitmap, _ compression: WebPCompression, effort: Int) throws -> Data {
      var config = try config(compression, effort: effort)
      var picture = WebPPicture()
      guard WebPPictureInit(&picture) != 0 else { throw CodecError.unsupportedVariant(of: .webp) }
      defer { WebPPictureFree(&picture) }
      picture.use_argb = 1
      picture.width = Int32(clamping: bitmap.size.width)
      picture.height = Int32(clamping: bitmap.size.height)
      guard WebPPictureAlloc(&picture) != 0 else { throw CodecError.outOfMemory(for: bitmap.size) }
      try copy(bitmap, into: &picture)

      var output = WebPMemoryWriter()
      WebPMemoryWriterInit(&output)
      picture.writer = WebPMemoryWrite
      // The library keeps the address of `output` in the picture, so that its use lies within this closure.
      let isWritten = withUnsafeMutablePointer(to: &output) { output in
        picture.custom_ptr = UnsafeMutableRawPointer(output)
        defer { picture.custom_ptr = nil }
        return WebPEncode(&config, &picture) != 0
      }
      guard isWritten, let bytes = output.mem else {
        WebPMemoryWriterClear(&output)
        throw failure(picture.error_code, bitmap)
      }
      let file = Data(bytesNoCopy: bytes, count: output.size, deallocator: .custom { bytes, _ in WebPFree(bytes) })
      guard let profile = bitmap.colorProfile, !profile.bytes.isEmpty else { return file }
      return WebPContainer.file(file, with: profile, size: bitmap.size)
    }

    private static func config(_ compression: WebPCompression, effort: Int) throws -> WebPConfig {
      var config = WebPConfig()
      // 0 where the library installed is not the one compiled against.
      guard WebPConfigInit(&config) != 0 else { throw CodecError.unsupportedVariant(of: .webp) }
      switch compression {
      case .lossy(let quality): config.quality = Float(quality)
      case .lossless:
        config.lossless = 1
        // In lossless mode this is effort too: 0 is fast, 100 is small.
        config.quality = Float(effort) * 100 / 6
      }
      config.method = Int32(effort)
      return config
    }

    /// Straight ARGB, one 32-bit number a pixel, as the library keeps it.
    private static func copy(_ bitmap: Bitmap, into picture: inout WebPPicture) throws {
      guard let pixels = picture.argb else { throw CodecError.outOfMemory(for: bitmap.size) }
      let (width, stride) = (bitmap.size.width, Int(picture.argb_stride))
      var target = pixels
      try forEachRow(of: bitmap) { row in
        if !bitmap.isOpaque { Alpha.unpremultiply(row, count: width) }
        for x in 0..<width {
          let color = UInt32(row[x * 4]) << 16 | UInt32(row[x * 4 + 1]) << 8 | UInt32(row[x * 4 + 2])
          target[x] = color | (bitmap.isOpaque ? 0xFF00_0000 : UInt32(row[x * 4 + 3]) << 24)
        }
        target += stride
      }
    }

    private static func failure(_ code: WebPEncodingError, _ bitmap: Bitmap) -> CodecError {
      switch code {
      case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        return CodecError.outOfMemory(for: bitmap.size)
      default:
        // What remains are the format's own bounds, such as 512 KB of prediction modes.
        return CodecError(
          .tooManyPixels,
          "A WebP has no room for a picture of \(bitmap.size) pixels with so much detail. Scale it down first.")
      }
    }
  }
#endif
