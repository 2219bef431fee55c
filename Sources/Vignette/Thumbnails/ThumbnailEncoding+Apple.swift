#if canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels

  extension ThumbnailEncoding {
    static func encodeTransparent(_ bitmap: Bitmap) throws -> Data {
      try ImageEncoder.png(bitmap, compression: .fast)
    }
  }
#endif
