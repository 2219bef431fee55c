import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Vignette

/// Writes down the sizes a pipeline decodes at, and makes them visible: a picture decoded `w` pixels wide is filled
/// with blue of level `w / 2`.
final class TargetLog: Sendable {
  private let state = Locked<[DecodeTarget]>([])

  /// What was asked for, in order.
  var targets: [DecodeTarget] { state.withLock { $0 } }

  func recording(_ decoder: ImagePipeline.Decoder) -> ImagePipeline.Decoder {
    ImagePipeline.Decoder { data, target, isCancelled in
      self.state.withLock { $0.append(target) }
      var image = try decoder.decode(data, target, isCancelled)
      image.bitmap = Self.fill(image.bitmap.size)
      return image
    }
  }

  static func level(width: Int) -> UInt8 { UInt8(clamping: width / 2) }

  private static func fill(_ size: PixelSize) -> Bitmap {
    Bitmap(size: size, isOpaque: true) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        bytes[at + 2] = level(width: size.width)
        bytes[at + 3] = 255
      }
    }
  }
}
