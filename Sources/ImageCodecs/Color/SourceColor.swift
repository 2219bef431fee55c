import Pixels

/// What the numbers of a picture mean where its file says something else than sRGB.
enum SourceColor: Hashable, Sendable {
  /// An ICC profile, unread.
  case profile(ColorProfile)
  /// By numbers: where the primaries lie, and how numbers become light.
  case parameters(Chromaticities, TransferFunction)
}

/// CIE 1931 xy of white and the primaries.
struct Chromaticities: Hashable, Sendable {
  var white: SIMD2<Double>
  var red: SIMD2<Double>
  var green: SIMD2<Double>
  var blue: SIMD2<Double>

  private static let d65 = SIMD2(0.3127, 0.3290)

  /// ITU-R BT.709 and sRGB.
  static let sRGB = Chromaticities(
    white: d65, red: SIMD2(0.64, 0.33), green: SIMD2(0.30, 0.60), blue: SIMD2(0.15, 0.06))
  static let displayP3 = Chromaticities(
    white: d65, red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690), blue: SIMD2(0.150, 0.060))
  static let rec2020 = Chromaticities(
    white: d65, red: SIMD2(0.708, 0.292), green: SIMD2(0.170, 0.797), blue: SIMD2(0.131, 0.046))
  static let dciP3 = Chromaticities(
    white: SIMD2(0.314, 0.351), red: displayP3.red, green: displayP3.green, blue: displayP3.blue)
  static let rec601Wide = Chromaticities(
    white: d65, red: SIMD2(0.64, 0.33), green: SIMD2(0.29, 0.60), blue: SIMD2(0.15, 0.06))
  static let rec601Narrow = Chromaticities(
    white: d65, red: SIMD2(0.630, 0.340), green: SIMD2(0.310, 0.595), blue: SIMD2(0.155, 0.070))

  /// Whether a transform can be made of them: no coordinate is senseless, and the primaries span a triangle. Adapted to
  /// another white, as in profiles, the red of Display P3 is a little beyond what can be seen.
  var isUsable: Bool {
    let points = [white, red, green, blue]
    guard points.allSatisfy({ $0.x >= 0 && $0.y > 0 && $0.x + $0.y <= 1.01 }) else { return false }
    let (a, b) = (green - red, blue - red)
    return abs(a.x * b.y - a.y * b.x) > 1e-4
  }
}

/// Coding-independent code points (ITU-T H.273), as cICP in PNG and nclx in AVIF give them.
struct CodingPoints: Hashable, Sendable {
  /// Table 2.
  var primaries: Int
  /// Table 3.
  var transfer: Int

  /// `nil` for sRGB, and for codes nobody uses for pictures, which are then taken for it.
  var color: SourceColor? {
    let chromaticities: Chromaticities
    switch primaries {
    case 1: chromaticities = .sRGB
    case 5: chromaticities = .rec601Wide
    case 6, 7: chromaticities = .rec601Narrow
    case 9: chromaticities = .rec2020
    case 11: chromaticities = .dciP3
    case 12: chromaticities = .displayP3
    default: return nil
    }
    guard let transfer = TransferFunction(code: transfer) else { return nil }
    if chromaticities == .sRGB, transfer == .sRGB { return nil }
    return .parameters(chromaticities, transfer)
  }
}
