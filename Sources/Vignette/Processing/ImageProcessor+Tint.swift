import ImageCodecs
import Pixels

/// A colour in sRGB, straight alpha, each component 0...1.
public struct RGBA: Hashable, Sendable {
  public let red: Double
  public let green: Double
  public let blue: Double
  public let alpha: Double

  /// Components outside 0...1 are clamped; one that is not a number counts as 0.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = Self.clamped(red)
    self.green = Self.clamped(green)
    self.blue = Self.clamped(blue)
    self.alpha = Self.clamped(alpha)
  }

  /// Adding zero turns −0 into 0, which would have another description.
  private static func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(1, max(0, value)) + 0 }
}

/// How a colour is laid over a picture. Values are combined as they are stored (gamma space).
public enum TintMode: String, Hashable, Sendable, CaseIterable {
  /// The picture's shape filled with the colour: only its alpha counts, times the colour's.
  case template
  /// The colour over the picture where the picture is (source-atop). The picture's alpha stays.
  case overlay
  /// Each channel times the colour's, as through coloured glass; the colour's alpha says how strongly. The picture's
  /// alpha stays.
  case multiply
}

extension ImageProcessor {
  /// Colours the picture. Results are rounded to the nearest level, once.
  public static func tint(_ color: RGBA, mode: TintMode = .template) -> ImageProcessor {
    let parts = [color.red, color.green, color.blue, color.alpha].map(\.description).joined(separator: ",")
    return ImageProcessor(id: "tint(\(parts),\(mode.rawValue))") { bitmap, context in
      let tint = Tint(color.numbers(in: bitmap.colorProfile), alpha: color.alpha, mode)
      return try bitmap.mapRows(of: bitmap.size, isOpaque: bitmap.isOpaque && tint.alpha == 1, context) { _, row in
        tint.apply(to: row, count: bitmap.size.width)
      }
    }
  }
}

extension RGBA {
  /// Red, green and blue as a picture in that space has them.
  fileprivate func numbers(in profile: ColorProfile?) -> SIMD3<Double> {
    let standard = SIMD3(red, green, blue)
    return profile?.components(ofSRGB: standard) ?? standard
  }
}

/// Every mode is the same sum on premultiplied values: channel × `own` + alpha × `added`; alpha × `alpha`.
private struct Tint {
  var own: SIMD3<Float>
  var added: SIMD3<Float>
  var alpha: Float

  init(_ color: SIMD3<Double>, alpha strength: Double, _ mode: TintMode) {
    let straight = SIMD3<Float>(color)
    let strength = Float(strength)
    switch mode {
    case .template: (own, added, alpha) = (.zero, straight * strength, strength)
    case .overlay: (own, added, alpha) = (SIMD3(repeating: 1 - strength), straight * strength, 1)
    case .multiply: (own, added, alpha) = (1 - strength * (1 - straight), .zero, 1)
    }
  }

  func apply(to row: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = row
    for _ in 0..<count {
      let shape = Float(pixel[3])
      let colors = SIMD3(Float(pixel[0]), Float(pixel[1]), Float(pixel[2])) * own + shape * added
      // Nothing here is negative, so that cutting off half a level more rounds, at a fraction of what rounding costs.
      let newAlpha = UInt8(shape * alpha + 0.5)
      pixel[0] = min(newAlpha, UInt8(colors.x + 0.5))
      pixel[1] = min(newAlpha, UInt8(colors.y + 0.5))
      pixel[2] = min(newAlpha, UInt8(colors.z + 0.5))
      pixel[3] = newAlpha
      pixel += 4
    }
  }
}
