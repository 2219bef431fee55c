#if !canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels

  extension ThumbnailEncoding {
    static func encodeTransparent(_ bitmap: Bitmap) throws -> Data {
      guard max(bitmap.size.width, bitmap.size.height) <= ImageEncoder.maximumWebPSide else {
        return try ImageEncoder.png(bitmap, compression: .fast)
      }
      return try ImageEncoder.webp(bitmap, .lossless, effort: 0)
    }
  }
#endif
