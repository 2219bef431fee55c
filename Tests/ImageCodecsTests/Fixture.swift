import Foundation
import ImageCodecs
import Pixels
import Testing

/// A picture made by `Fixtures/make-fixtures.py` and what it must decode to.
struct Fixture: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  /// The name of the file of expected pixels.
  var expected: String
  /// The least peak signal-to-noise ratio in dB; `exact` asks for equal pixels.
  var psnr: Double
  var orientation: UInt8
  var hasAlpha: Bool
  var box: [Int]?
  /// Whether the file is one of the gallery's photos.
  var isPhoto: Bool
  /// The lengths at which the file can be cut and still be whole.
  var wholeAt: [Int]

  static let exact: Double = 99

  static let all: [Fixture] = {
    do {
      return try JSONDecoder().decode([Fixture].self, from: Files.fixture("manifest.json"))
    } catch {
      Issue.record("The manifest cannot be read: \(error)")
      return []
    }
  }()
  static let full = all.filter { $0.box == nil }
  static let scaled = all.filter { $0.box != nil }
  /// Small files of every kind, each once.
  static let small = full.filter { !$0.file.hasPrefix("tall") && !$0.file.hasPrefix("wide") }

  var data: Data { get throws { try isPhoto ? Files.photo(file) : Files.fixture(file) } }

  var target: DecodeTarget {
    guard let box, box.count == 2 else { return .full }
    return .box(PixelSize(width: box[0], height: box[1]), .fit)
  }

  var testDescription: String { box.map { "\(file) in \($0)" } ?? file }
}

/// An animation made by `Fixtures/make-fixtures.py`, and what is to be seen of it.
struct AnimationFixture: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var expected: String
  var psnr: Double
  /// Of each frame, in seconds.
  var durations: [Double]
  var loopCount: Int

  static let all: [AnimationFixture] = {
    do {
      return try JSONDecoder().decode([AnimationFixture].self, from: Files.fixture("animations.json"))
    } catch {
      Issue.record("The list of animations cannot be read: \(error)")
      return []
    }
  }()

  var data: Data { get throws { try Files.fixture(file) } }
  /// The frames as shown, from the first.
  var frames: [ExpectedPixels] { get throws { try ExpectedPixels(expected).cut(into: durations.count) } }
  var testDescription: String { file }
}

enum Files {
  /// Those that this build decodes.
  static let formats = {
    var formats: [ImageFormat] = [.jpeg, .png, .webp, .gif, .bmp, .ico]
    #if AVIF || canImport(Darwin)
      formats.append(.avif)
    #endif
    #if HEIC || canImport(Darwin)
      formats.append(.heic)
    #endif
    #if TIFF || canImport(Darwin)
      formats.append(.tiff)
    #endif
    #if JXL
      formats.append(.jxl)
    #endif
    return formats
  }()

  /// Small pictures of every format.
  static func small() throws -> [Data] {
    var files = try Fixture.small.map { try $0.data }
    #if AVIF || canImport(Darwin)
      files += try AVIFFixture.all.map { try $0.data }
    #endif
    #if TIFF || canImport(Darwin)
      files += try TIFFFixture.all.map { try $0.data }
    #endif
    #if JXL
      files += try JXLFixture.all.map { try $0.data }
    #endif
    return try files + HEICFixture.decoded.map { try $0.data }
  }

  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static func fixture(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent("Fixtures").appendingPathComponent(name))
  }

  static func photo(_ name: String) throws -> Data {
    let photos = directory.appendingPathComponent("../../Examples/Gallery/App/Photos")
    return try Data(contentsOf: photos.appendingPathComponent(name))
  }
}

/// Premultiplied RGBA that was worked out without this library.
struct ExpectedPixels {
  var size: PixelSize
  var bytes: [UInt8]

  init(_ name: String) throws {
    let data = try [UInt8](Files.fixture(name))
    func uint32(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
    size = PixelSize(width: uint32(0), height: uint32(4))
    bytes = Array(data.dropFirst(8))
  }

  /// Pictures of equal height, from the top.
  func cut(into count: Int) -> [ExpectedPixels] {
    (0..<count).map { index in
      var part = self
      part.size.height = size.height / count
      part.bytes = Array(bytes.dropFirst(index * part.size.area * 4).prefix(part.size.area * 4))
      return part
    }
  }

  /// In dB over all four channels; `Fixture.exact` for equal pixels, 0 for different sizes.
  func psnr(_ bitmap: Bitmap) -> Double {
    guard bitmap.size == size else { return 0 }
    return Quality.psnr(bitmap.bytes, bytes)
  }
}

enum Quality {
  static func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a.count == b.count, !a.isEmpty else { return 0 }
    let squares = zip(a, b).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    guard squares > 0 else { return Fixture.exact }
    return 10 * log10(255 * 255 * Double(a.count) / Double(squares))
  }
}

extension Bitmap {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The code of the error that `body` throws; `nil` when it throws none or another kind.
func codecError(_ body: () throws -> Void) -> CodecError? {
  do {
    try body()
    return nil
  } catch {
    return error as? CodecError
  }
}
