import Foundation
import ImageCodecs
import Pixels

/// Small pictures made here, so that every size and colour is known.
enum Pictures {
  static func bitmap(_ width: Int, _ height: Int) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        bytes[at] = UInt8(truncatingIfNeeded: at / 4)
        bytes[at + 1] = 90
        bytes[at + 3] = 255
      }
    }
  }

  /// Pixels that do not compress: a file large enough to be worth a thumbnail.
  static func noise(_ width: Int, _ height: Int) throws -> Data {
    var state: UInt32 = 1
    return try ImageEncoder.png(
      Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
        for at in bytes.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          bytes[at] = at % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 24)
        }
      })
  }

  static func png(_ width: Int, _ height: Int) throws -> Data { try ImageEncoder.png(bitmap(width, height)) }
  static func jpeg(_ width: Int, _ height: Int) throws -> Data { try ImageEncoder.jpeg(bitmap(width, height)) }

  static func size(of file: String) throws -> PixelSize? {
    try ImageDecoder().probe(try Data(contentsOf: URL(fileURLWithPath: file)))?.size
  }

  static func format(of file: String) throws -> ImageFormat? {
    try ImageDecoder().probe(try Data(contentsOf: URL(fileURLWithPath: file)))?.format
  }
}
