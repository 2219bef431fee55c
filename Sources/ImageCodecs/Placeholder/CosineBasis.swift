#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Half waves along one side of a picture: `values[wave * length + x]` is cos(π · wave · (x + shift) / length).
struct CosineBasis {
  let waves: Int
  let length: Int
  let values: [Double]

  /// - Parameter shift: 0.5 to take each pixel at its middle, as ThumbHash does; BlurHash takes its edge.
  init(waves: Int, length: Int, shift: Double) {
    self.waves = waves
    self.length = length
    values = (0..<waves).flatMap { wave in
      (0..<length).map { cos(.pi * Double(wave) * (Double($0) + shift) / Double(length)) }
    }
  }

  subscript(_ wave: Int, _ x: Int) -> Double { values[wave * length + x] }

  /// The mean over all pixels of each pair of waves times the pixel: `result[vertical * waves + horizontal]`.
  static func means<Value: PlaceholderSample>(
    of pixels: [Value], horizontal: CosineBasis, vertical: CosineBasis
  ) -> [Value] {
    var sums = [Value](repeating: .zero, count: horizontal.waves * vertical.waves)
    for y in 0..<vertical.length {
      for i in 0..<horizontal.waves {
        var row = Value.zero
        for x in 0..<horizontal.length { row += pixels[y * horizontal.length + x] * horizontal[i, x] }
        for j in 0..<vertical.waves { sums[j * horizontal.waves + i] += row * vertical[j, y] }
      }
    }
    let scale = 1 / Double(horizontal.length * vertical.length)
    return sums.map { $0 * scale }
  }

  /// The other way: the sum of all pairs of waves times their factors, row by row.
  static func sums<Value: PlaceholderSample>(
    of factors: [Value], horizontal: CosineBasis, vertical: CosineBasis, _ row: (_ y: Int, [Value]) -> Void
  ) {
    var pixels = [Value](repeating: .zero, count: horizontal.length)
    for y in 0..<vertical.length {
      for x in pixels.indices { pixels[x] = .zero }
      for i in 0..<horizontal.waves {
        var factor = Value.zero
        for j in 0..<vertical.waves { factor += factors[j * horizontal.waves + i] * vertical[j, y] }
        for x in pixels.indices { pixels[x] += factor * horizontal[i, x] }
      }
      row(y, pixels)
    }
  }
}

/// What waves are summed of: a channel or a colour.
protocol PlaceholderSample {
  static var zero: Self { get }
  static func += (left: inout Self, right: Self)
  static func * (left: Self, right: Double) -> Self
}

extension Double: PlaceholderSample {}
extension SIMD3<Double>: PlaceholderSample {}
extension SIMD4<Double>: PlaceholderSample {}
