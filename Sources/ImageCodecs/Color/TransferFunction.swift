#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a number of 0...1 becomes light; 1 is the white of a page, and what is brighter than that is cut off.
enum TransferFunction: Hashable, Sendable {
  case gamma(Double)
  /// Of sRGB, and of the video standards that are shown alike (BT.709, BT.601, BT.2020): pictures coded with these are
  /// made to be seen on the same screens, and browsers read them so.
  case sRGB
  case linear
  /// SMPTE ST 2084, in which a page's white is 203 cd/m² (ITU-R BT.2408, table 1).
  case perceptualQuantizer
  /// ARIB STD-B67, in which a page's white is three quarters of the range (ITU-R BT.2408, table 1).
  case hybridLogGamma

  /// By ITU-T H.273, table 3.
  init?(code: Int) {
    switch code {
    case 1, 6, 13, 14, 15: self = .sRGB
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .linear
    case 16: self = .perceptualQuantizer
    case 18: self = .hybridLogGamma
    default: return nil
    }
  }

  func light(of value: Double) -> Double {
    switch self {
    case .gamma(let exponent): pow(value, exponent)
    case .sRGB: SRGB.light(of: value)
    case .linear: value
    case .perceptualQuantizer: min(Self.luminance(perceptual: value) * 10_000 / 203, 1)
    case .hybridLogGamma: min(Self.scene(hybrid: value) / Self.scene(hybrid: 0.75), 1)
    }
  }

  /// ST 2084, equation 4.1; 1 is 10,000 cd/m².
  private static func luminance(perceptual value: Double) -> Double {
    let root = pow(value, 32 / 2523)
    return pow(max(root - 107 / 128, 0) / (2413 / 128 - 2392 / 128 * root), 16384 / 2610)
  }

  /// ITU-R BT.2100, table 5: the inverse of the curve of a camera, 1 at most.
  private static func scene(hybrid value: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
  }
}
