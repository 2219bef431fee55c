import Foundation
import Pixels

/// A picture in about 25 bytes: average colour, aspect ratio, alpha and a few waves of brightness and colour, to be shown
/// until the picture is there.
///
/// The format is that of [evanw.github.io/thumbhash](https://evanw.github.io/thumbhash/): 24 bits of averages, 16 of
/// scales and size, 8 of alpha where there is any, then 4 for each wave.
public struct ThumbHash: Hashable, Sendable {
  /// The hash, to be kept with the picture's address; often as `base64EncodedString()`.
  public let data: Data
  private let header: Header

  /// More than the longest hash has.
  private static let maximumBytes = 64

  /// Reads a hash.
  /// - Throws: `placeholder.invalid` for bytes that are none.
  public init(_ data: Data) throws {
    guard data.count <= Self.maximumBytes, let header = Header([UInt8](data)), data.count >= header.byteCount else {
      throw CodecError(
        .invalidPlaceholder,
        "These \(data.count) bytes are not a ThumbHash, which has about 25 of them. Compute it again from the picture.")
    }
    self.data = data
    self.header = header
  }

  /// Computes the hash of a picture.
  /// - Throws: `body.empty` for a bitmap without pixels.
  public init(_ bitmap: Bitmap) throws {
    let picture = try ReducedPicture(bitmap)
    try self.init(Data(Encoding(picture).bytes))
  }

  /// Width over height, roughly: a ratio of small numbers.
  public var aspectRatio: Double { Double(header.waves.x) / Double(header.waves.y) }

  /// 32 pixels on the longer side, the other by `aspectRatio`.
  public var size: PixelSize {
    let ratio = aspectRatio
    return PixelSize(
      width: Int((ratio > 1 ? 32 : 32 * ratio).rounded()), height: Int((ratio > 1 ? 32 / ratio : 32).rounded()))
  }

  /// The picture that the hash describes, with alpha where it has any.
  /// - Parameter size: in pixels, at most 4096 on a side. Default `size`, to be enlarged by whoever shows it.
  /// - Throws: `image.tooManyPixels` for a larger size.
  public func bitmap(size: PixelSize? = nil) throws -> Bitmap {
    let size = size ?? self.size
    try CodecError.checkPlaceholder(size)
    let waves = SIMD2(max(header.waves.x, 5), max(header.waves.y, 5))
    let factors = factors(waves)
    return Bitmap(size: size, isOpaque: !header.hasAlpha) { bytes in
      guard bytes.count == size.area * 4 else { return }
      CosineBasis.sums(
        of: factors, horizontal: CosineBasis(waves: waves.x, length: size.width, shift: 0.5),
        vertical: CosineBasis(waves: waves.y, length: size.height, shift: 0.5)
      ) { y, row in
        for (x, sample) in row.enumerated() { Self.write(sample, to: bytes, at: (y * size.width + x) * 4) }
      }
    }
  }

  // MARK: Pixels

  /// Luminance, the two differences of colour, and alpha of each pair of waves.
  private func factors(_ waves: SIMD2<Int>) -> [SIMD4<Double>] {
    var factors = [SIMD4<Double>](repeating: .zero, count: waves.x * waves.y)
    factors[0] = header.averages
    var nibbles = header.nibbles(of: [UInt8](data)).makeIterator()
    for (channel, plane) in header.planes.enumerated() {
      for pair in plane.pairs {
        // Doubled, as the mean of a wave's square is a half.
        factors[pair.y * waves.x + pair.x][channel] = (Double(nibbles.next() ?? 0) / 7.5 - 1) * plane.scale * 2
      }
    }
    return factors
  }

  private static func write(_ sample: SIMD4<Double>, to bytes: UnsafeMutableRawBufferPointer, at: Int) {
    let blue = sample.x - 2 / 3 * sample.y
    let red = (3 * sample.x - blue + sample.z) / 2
    let alpha = min(max(sample.w, 0), 1)
    for (channel, value) in [red, red - sample.z, blue].enumerated() {
      bytes[at + channel] = UInt8((min(max(value, 0), 1) * alpha * 255).rounded())
    }
    bytes[at + 3] = UInt8((alpha * 255).rounded())
  }
}
