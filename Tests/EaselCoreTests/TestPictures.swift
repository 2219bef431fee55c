import EaselCore
import Pixels

/// Made-up pictures and small tools for the tests.
enum TestPictures {
  /// A diagonal gradient whose hue depends on `seed`.
  static func gradient(_ seed: Int, width: Int = 320, height: Int = 200) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let at = (y * width + x) * 4
          bytes[at] = UInt8((x * 255 / width + seed * 37) & 255)
          bytes[at + 1] = UInt8((y * 255 / height + seed * 91) & 255)
          bytes[at + 2] = UInt8((seed * 53) & 255)
          bytes[at + 3] = 255
        }
      }
    }
  }

  /// One colour, premultiplied.
  static func plain(width: Int, height: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), isOpaque: alpha == 255) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        bytes[at] = red
        bytes[at + 1] = green
        bytes[at + 2] = blue
        bytes[at + 3] = alpha
      }
    }
  }
}
