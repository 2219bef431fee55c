import Foundation
import Pixels
import Testing
import Vignette

/// The pictures of `Fixtures/Processing/make-fixtures.py`.
enum ProcessorPictures {
  /// With every pixel opaque, and with a soft round alpha.
  static let inputs = ["opaque", "clear"]

  static func bitmap(_ name: String) throws -> Bitmap {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "rgba", subdirectory: "Fixtures/Processing"), "\(name)")
    let data = try [UInt8](Data(contentsOf: url))
    func uint32(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
    let size = PixelSize(width: uint32(0), height: uint32(4))
    try #require(data.count == 8 + size.area * 4)
    return Bitmap(size: size, isOpaque: name.hasSuffix("opaque")) { $0.copyBytes(from: data[8...]) }
  }

  /// A picture of one colour, premultiplied.
  static func even(_ width: Int, _ height: Int, _ color: [UInt8] = [90, 40, 120, 130]) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), isOpaque: color[3] == 255) { bytes in
      for at in bytes.indices { bytes[at] = color[at % 4] }
    }
  }
}

extension ImageProcessor {
  func callAsFunction(_ bitmap: Bitmap) throws -> Bitmap {
    try process(bitmap, ProcessorContext(sourceSize: bitmap.size))
  }
}

extension Bitmap {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Whether no colour exceeds its alpha, and every alpha is 255 if it says so.
  var isPremultiplied: Bool {
    let bytes = bytes
    return bytes.indices.allSatisfy { bytes[$0] <= bytes[$0 | 3] && (!isOpaque || bytes[$0 | 3] == 255) }
  }
}

/// The code of the `ImageLoadingError` that `body` throws; "cancelled" for a cancellation; `nil` for none.
func loadingCode(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as ImageLoadingError {
    return error.code.rawValue
  } catch is CancellationError {
    return "cancelled"
  } catch {
    return "untyped: \(error)"
  }
}
