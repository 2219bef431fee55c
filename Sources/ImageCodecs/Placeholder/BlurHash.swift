import Pixels

/// A picture in about thirty characters: a few waves of colour, to be shown until the picture is there.
///
/// The format is that of [blurha.sh](https://blurha.sh): base 83, one digit for the number of waves, one for the
/// strongest of them, four for the average colour, two for each wave.
public struct BlurHash: Hashable, Sendable, CustomStringConvertible {
  /// Waves across and down, constant ones included: 1...9 each.
  public let components: (x: Int, y: Int)
  /// The hash, to be kept with the picture's address.
  public let description: String
  /// In linear light, the average first: `[vertical * components.x + horizontal]`.
  private let factors: [SIMD3<Double>]

  /// Reads a hash.
  /// - Throws: `placeholder.invalid` for text that is none.
  public init(_ text: String) throws {
    let digits = text.utf8.map { Base83.values[Int($0)] }
    guard let first = digits.first, !digits.contains(Base83.none), first < 81 else { throw CodecError.notABlurHash }
    let (x, y) = (first % 9 + 1, first / 9 + 1)
    guard digits.count == 4 + 2 * x * y else { throw CodecError.notABlurHash }
    let average = Base83.number(digits[2..<6])
    guard average <= 0xFF_FFFF else { throw CodecError.notABlurHash }
    let strongest = Double(digits[1] + 1) / 166
    components = (x, y)
    description = text
    factors =
      [SIMD3(average >> 16, average >> 8 & 255, average & 255).map { SRGB.linear[$0] }]
      + stride(from: 6, to: digits.count, by: 2).map { at in
        let number = Base83.number(digits[at..<at + 2])
        return SIMD3(number / 361, number / 19 % 19, number % 19).map { Self.wave(min($0, 18)) * strongest }
      }
  }

  /// Computes the hash of a picture; one with transparent parts as over its own average colour.
  /// - Parameter components: waves across and down; values outside 1...9 are clamped. Default 4 by 3.
  /// - Throws: `body.empty` for a bitmap without pixels.
  public init(_ bitmap: Bitmap, components: (x: Int, y: Int) = (4, 3)) throws {
    let picture = try ReducedPicture(bitmap)
    let (x, y) = (min(max(components.x, 1), 9), min(max(components.y, 1), 9))
    let means = CosineBasis.means(
      of: picture.colours { SRGB.linear[Int($0)] },
      horizontal: CosineBasis(waves: x, length: picture.size.width, shift: 0),
      vertical: CosineBasis(waves: y, length: picture.size.height, shift: 0))
    try self.init(Self.text(average: means[0], waves: means.dropFirst().map { $0 * 2 }, components: (x, y)))
  }

  /// The picture that the hash describes, opaque.
  /// - Parameters:
  ///   - size: in pixels, at most 4096 on a side; some dozens are enough, enlarged by whoever shows them.
  ///   - punch: how strong the waves are beside what the hash says. Default 1.
  /// - Throws: `image.tooManyPixels` for a larger size.
  public func bitmap(size: PixelSize, punch: Double = 1) throws -> Bitmap {
    try CodecError.checkPlaceholder(size)
    var factors = factors
    for index in factors.indices.dropFirst() { factors[index] = factors[index] * punch }
    return Bitmap(size: size, isOpaque: true) { bytes in
      guard bytes.count == size.area * 4 else { return }
      CosineBasis.sums(
        of: factors, horizontal: CosineBasis(waves: components.x, length: size.width, shift: 0),
        vertical: CosineBasis(waves: components.y, length: size.height, shift: 0)
      ) { y, row in
        for (x, colour) in row.enumerated() {
          let at = (y * size.width + x) * 4
          for channel in 0..<3 { bytes[at + channel] = SRGB.byte(linear: colour[channel]) }
          bytes[at + 3] = 255
        }
      }
    }
  }

  public static func == (left: BlurHash, right: BlurHash) -> Bool { left.description == right.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }

  // MARK: Digits

  /// -1...1 in 19 steps, finer about 0.
  private static func wave(_ step: Int) -> Double {
    let value = (Double(step) - 9) / 9
    return value * abs(value)
  }

  private static func step(_ wave: Double) -> Int {
    let root = wave < 0 ? -(-wave).squareRoot() : wave.squareRoot()
    return Int(min(max((root * 9 + 9.5).rounded(.down), 0), 18))
  }

  private static func text(
    average: SIMD3<Double>, waves: [SIMD3<Double>], components: (x: Int, y: Int)
  ) -> String {
    let strongest = waves.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
    let scale = min(max(Int((strongest * 166 - 0.5).rounded(.down)), 0), 82)
    let unit = waves.isEmpty ? 1 : Double(scale + 1) / 166
    let bytes = average.map { Int(SRGB.byte(linear: $0)) }
    let parts =
      [
        Base83.digits(components.x - 1 + (components.y - 1) * 9, count: 1),
        Base83.digits(waves.isEmpty ? 0 : scale, count: 1),
        Base83.digits(bytes.x << 16 | bytes.y << 8 | bytes.z, count: 4),
      ]
      + waves.map { wave in
        let steps = wave.map { step($0 / unit) }
        return Base83.digits(steps.x * 361 + steps.y * 19 + steps.z, count: 2)
      }
    return parts.joined()
  }
}

/// Numbers in 83 printable characters, the highest digit first.
private enum Base83 {
  static let none = -1
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

  /// By byte; `none` for what is no digit.
  static let values: [Int] = {
    var values = [Int](repeating: none, count: 256)
    for (value, digit) in alphabet.enumerated() {
      if let byte = digit.asciiValue { values[Int(byte)] = value }
    }
    return values
  }()

  static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

  static func digits(_ number: Int, count: Int) -> String {
    var rest = number
    var digits: [Character] = []
    for _ in 0..<count {
      digits.append(alphabet[rest % 83])
      rest /= 83
    }
    return String(digits.reversed())
  }
}

extension SIMD3 {
  fileprivate func map<Result>(_ transform: (Scalar) -> Result) -> SIMD3<Result> {
    SIMD3<Result>(transform(x), transform(y), transform(z))
  }
}

extension CodecError {
  fileprivate static let notABlurHash = CodecError(
    .invalidPlaceholder,
    "This is not a BlurHash: it has 6 characters and more, of 83 kinds, and tells its own length. "
      + "Compute it again from the picture.")

  /// Placeholders are small; a size from who knows where must not cost a gigabyte.
  static func checkPlaceholder(_ size: PixelSize) throws {
    guard max(size.width, size.height) <= 4096 else {
      throw CodecError(
        .tooManyPixels, "A placeholder has at most 4096 pixels on a side, not \(size). Ask for less and enlarge it.")
    }
  }
}
