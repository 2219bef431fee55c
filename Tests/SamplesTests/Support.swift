import EaselCore
import Foundation
import ImageCodecs
import Pixels
import Vignette
import VignetteTesting

/// A pipeline over a script, with real decoders.
@MainActor
struct Stage {
  let loader = ScriptedLoader()
  let pipeline: ImagePipeline

  init() { pipeline = ImagePipeline(configuration: .init(loader: loader.dataLoader)) }

  nonisolated static let address = "https://example.com/picture.png"

  var url: URL? { URL(string: Self.address) }

  /// What the picture's address answers.
  func serve(_ picture: Bitmap) throws {
    loader.reply(to: Self.address, .data(try ImageEncoder.png(picture)))
  }
}

extension Bitmap {
  /// Green in every pixel.
  static func green(_ width: Int, _ height: Int) -> Bitmap { checkers(width, height, every: .max) }

  /// Green and white squares.
  static func checkers(_ width: Int, _ height: Int, every side: Int) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
      for at in 0..<bytes.count / 4 {
        let isWhite = (at % width / side + at / width / side) % 2 == 1
        bytes[at * 4] = isWhite ? 255 : 0
        bytes[at * 4 + 1] = isWhite ? 255 : 200
        bytes[at * 4 + 2] = isWhite ? 255 : 0
        bytes[at * 4 + 3] = 255
      }
    }
  }

  func rgb(_ x: Int, _ y: Int) -> [Int] {
    let pixel = self[x, y]
    return [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
  }

  /// The colours inside a rectangle in points, at this many pixels a point.
  func colours(in frame: CGRect, scale: CGFloat = 1) -> Set<[Int]> {
    var result = Set<[Int]>()
    for y in Int(frame.minY * scale)..<Int(frame.maxY * scale) {
      for x in Int(frame.minX * scale)..<Int(frame.maxX * scale) { result.insert(rgb(x, y)) }
    }
    return result
  }
}

/// A folder of its own for what a sample draws, removed at the end.
@MainActor
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}
