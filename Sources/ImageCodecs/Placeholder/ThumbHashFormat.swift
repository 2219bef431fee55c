import Foundation

/// Which pairs of waves a channel of a ThumbHash has, in their order: the triangle of the lower ones.
struct ThumbHashPlane {
  /// Waves across and down, constant ones included.
  var waves: SIMD2<Int>
  /// The factor of the strongest.
  var scale: Double

  var pairs: [SIMD2<Int>] {
    (0..<waves.y).flatMap { y in
      (0..<waves.x).filter { x in x + y > 0 && x * waves.y < waves.x * (waves.y - y) }.map { SIMD2($0, y) }
    }
  }
}

extension ThumbHash {
  /// What comes before the waves.
  struct Header: Hashable, Sendable {
    var hasAlpha: Bool
    /// Waves of luminance across and down as the hash gives them: their ratio is that of the sides.
    var waves: SIMD2<Int>
    /// Luminance, yellow against blue, red against green, alpha.
    var averages: SIMD4<Double>
    var scales: SIMD4<Double>

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 5 else { return nil }
      let low = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
      let high = Int(bytes[3]) | Int(bytes[4]) << 8
      hasAlpha = low >> 23 == 1
      guard !hasAlpha || bytes.count > 5 else { return nil }
      let (longer, shorter) = (Self.longerSide(hasAlpha: hasAlpha), high & 7)
      guard shorter > 0 else { return nil }
      waves = high >> 15 == 1 ? SIMD2(longer, shorter) : SIMD2(shorter, longer)
      averages = SIMD4(
        Double(low & 63) / 63, Double(low >> 6 & 63) / 31.5 - 1, Double(low >> 12 & 63) / 31.5 - 1,
        hasAlpha ? Double(bytes[5] & 15) / 15 : 1)
      scales = SIMD4(
        Double(low >> 18 & 31) / 31, Double(high >> 3 & 63) / 63, Double(high >> 9 & 63) / 63,
        hasAlpha ? Double(bytes[5] >> 4) / 15 : 0)
    }

    static func longerSide(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

    var planes: [ThumbHashPlane] {
      // Quantised colours come out paler than they were.
      let colour = 1.25
      let planes = [
        ThumbHashPlane(waves: SIMD2(max(waves.x, 3), max(waves.y, 3)), scale: scales.x),
        ThumbHashPlane(waves: SIMD2(3, 3), scale: scales.y * colour),
        ThumbHashPlane(waves: SIMD2(3, 3), scale: scales.z * colour),
      ]
      return hasAlpha ? planes + [ThumbHashPlane(waves: SIMD2(5, 5), scale: scales.w)] : planes
    }

    private var start: Int { hasAlpha ? 6 : 5 }

    var byteCount: Int { start + (planes.reduce(0) { $0 + $1.pairs.count } + 1) / 2 }

    /// The waves' strengths, 0...15, the lower half of each byte first.
    func nibbles(of bytes: [UInt8]) -> [UInt8] { bytes[start...].flatMap { [$0 & 15, $0 >> 4] } }
  }

  /// A hash in the making.
  struct Encoding {
    private(set) var bytes: [UInt8]

    init(_ picture: ReducedPicture) {
      let (width, height) = (Double(picture.size.width), Double(picture.size.height))
      let longer = Double(Header.longerSide(hasAlpha: picture.hasAlpha))
      let sides = SIMD2(width, height) / max(width, height) * longer
      let waves = SIMD2(max(1, Int(sides.x.rounded())), max(1, Int(sides.y.rounded())))

      let basis = (x: max(waves.x, 5), y: max(waves.y, 5))
      let means = CosineBasis.means(
        of: Self.samples(picture),
        horizontal: CosineBasis(waves: basis.x, length: picture.size.width, shift: 0.5),
        vertical: CosineBasis(waves: basis.y, length: picture.size.height, shift: 0.5))
      func channel(_ index: Int, _ waves: SIMD2<Int>) -> (scale: Double, nibbles: [UInt8]) {
        let factors = ThumbHashPlane(waves: waves, scale: 1).pairs.map { means[$0.y * basis.x + $0.x][index] }
        let scale = factors.reduce(0) { max($0, abs($1)) }
        return (scale, factors.map { UInt8(Self.step(scale > 0 ? 0.5 + 0.5 / scale * $0 : $0, 15)) })
      }
      let luminance = channel(0, SIMD2(max(waves.x, 3), max(waves.y, 3)))
      let yellow = channel(1, SIMD2(3, 3))
      let red = channel(2, SIMD2(3, 3))
      let alpha = picture.hasAlpha ? channel(3, SIMD2(5, 5)) : nil

      let isLandscape = width > height
      let low =
        Self.step(means[0].x, 63) | Self.step(0.5 + 0.5 * means[0].y, 63) << 6
        | Self.step(0.5 + 0.5 * means[0].z, 63) << 12 | Self.step(luminance.scale, 31) << 18
        | (picture.hasAlpha ? 1 << 23 : 0)
      let high =
        (isLandscape ? waves.y : waves.x) | Self.step(yellow.scale, 63) << 3 | Self.step(red.scale, 63) << 9
        | (isLandscape ? 1 << 15 : 0)
      bytes = [low, low >> 8, low >> 16, high, high >> 8].map { UInt8($0 & 255) }
      if let alpha { bytes.append(UInt8(Self.step(means[0].w, 15) | Self.step(alpha.scale, 15) << 4)) }
      let nibbles = luminance.nibbles + yellow.nibbles + red.nibbles + (alpha?.nibbles ?? [])
      for index in stride(from: 0, to: nibbles.count, by: 2) {
        bytes.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
      }
    }

    private static func samples(_ picture: ReducedPicture) -> [SIMD4<Double>] {
      zip(picture.colours { Double($0) / 255 }, picture.alpha).map { colour, alpha in
        SIMD4(
          (colour.x + colour.y + colour.z) / 3, (colour.x + colour.y) / 2 - colour.z, colour.x - colour.y, alpha)
      }
    }

    /// 0...1 in whole steps, half a step rounded up.
    private static func step(_ value: Double, _ steps: Double) -> Int {
      Int(min(max((value * steps + 0.5).rounded(.down), 0), steps))
    }
  }
}
