import Foundation
import ImageCodecs
import Pixels
import Testing

/// Hashes of one picture by other implementations: `Fixtures/make-placeholders.py`.
struct PlaceholderFixture: Decodable, Sendable, CustomTestStringConvertible {
  struct Blur: Decodable, Sendable {
    var x: Int
    var y: Int
    var text: String
    /// Of 20 by 15 pixels, red, green and blue.
    var pixels: Data
  }

  var file: String
  var thumbHash: Data
  var thumbSize: [Int]
  /// Straight red, green, blue and alpha.
  var thumbPixels: Data
  var blurHashes: [Blur]

  static let all: [PlaceholderFixture] = {
    do {
      return try JSONDecoder().decode([PlaceholderFixture].self, from: Files.fixture("placeholders.json"))
    } catch {
      Issue.record("The list of placeholders cannot be read: \(error)")
      return []
    }
  }()

  var bitmap: Bitmap { get throws { try ImageDecoder().decode(Files.fixture(file)).bitmap } }
  var testDescription: String { file }
}

@Suite("BlurHash")
struct BlurHashTests {
  @Test("a picture's hash is that of the reference", arguments: PlaceholderFixture.all)
  func encodes(fixture: PlaceholderFixture) throws {
    for blur in fixture.blurHashes {
      let hash = try BlurHash(fixture.bitmap, components: (blur.x, blur.y))
      #expect(hash.description == blur.text)
      #expect(hash.components == (blur.x, blur.y))
    }
  }

  @Test("a hash becomes the reference's pixels", arguments: PlaceholderFixture.all)
  func decodes(fixture: PlaceholderFixture) throws {
    for blur in fixture.blurHashes {
      let bitmap = try BlurHash(blur.text).bitmap(size: PixelSize(width: 20, height: 15))
      let colours = bitmap.bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
      #expect(bitmap.isOpaque)
      #expect(largestDifference(colours, [UInt8](blur.pixels)) <= 1)
    }
  }

  @Test("what is transparent does not darken the hash")
  func transparency() throws {
    let half = Bitmap(size: PixelSize(width: 8, height: 8)) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) where at % 32 < 16 {
        (bytes[at], bytes[at + 3]) = (255, 255)
      }
    }
    let pixel = try BlurHash(half).bitmap(size: PixelSize(width: 1, height: 1))[0, 0]
    #expect(pixel == (255, 0, 0, 255))
  }

  @Test("punch 0 leaves the average colour")
  func punch() throws {
    let hash = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    let bytes = try hash.bitmap(size: PixelSize(width: 4, height: 4), punch: 0).bytes
    #expect(Set(stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) }).count == 1)
  }

  @Test(
    "what is no hash is told, and crashes nothing",
    arguments: [
      "", "L", "LEHV6", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnj0", "LEHV6nWB2yk8pyo0adR*.7kCMdn\"",
      "~EHV6nWB2yk8pyo0adR*.7kCMdnj", "00~~~~", "LEHV6nWB2yk8pyo0adR*.7kCMd\u{e9}",
      String(repeating: "~", count: 10_000),
    ])
  func refuses(text: String) {
    #expect(codecError { _ = try BlurHash(text) }?.code == .invalidPlaceholder)
  }

  @Test("a hash of extreme digits, and extreme punch, stay within their bytes")
  func extremes() throws {
    let hash = try BlurHash("|~00Ff" + String(repeating: "~", count: 2 * 80))
    for punch: Double in [1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude] {
      #expect(try hash.bitmap(size: PixelSize(width: 3, height: 3), punch: punch).byteCount == 36)
    }
  }

  @Test("sizes: none is empty, a senseless one is an error")
  func sizes() throws {
    let hash = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    #expect(try hash.bitmap(size: .zero).size == .zero)
    #expect(codecError { _ = try hash.bitmap(size: PixelSize(width: 1 << 40, height: 1)) }?.code == .tooManyPixels)
    #expect(codecError { _ = try BlurHash(Bitmap(size: .zero) { _ in }) }?.code == .empty)
  }
}

@Suite("ThumbHash")
struct ThumbHashTests {
  @Test("a picture's hash is that of the reference", arguments: PlaceholderFixture.all)
  func encodes(fixture: PlaceholderFixture) throws {
    #expect(try ThumbHash(fixture.bitmap).data == fixture.thumbHash)
  }

  @Test("a hash becomes the reference's pixels", arguments: PlaceholderFixture.all)
  func decodes(fixture: PlaceholderFixture) throws {
    let bitmap = try ThumbHash(fixture.thumbHash).bitmap()
    #expect([bitmap.size.width, bitmap.size.height] == fixture.thumbSize)
    #expect(largestDifference(bitmap.bytes, premultiplied([UInt8](fixture.thumbPixels))) <= 1)
  }

  @Test(
    "the ratio of the sides is told",
    arguments: [("landscape", 1.75), ("portrait", 0.71), ("wide", 2.33), ("pixel", 1)])
  func aspectRatio(name: String, ratio: Double) throws {
    let fixture = try #require(PlaceholderFixture.all.first { $0.file.contains(name) })
    #expect(abs(try ThumbHash(fixture.thumbHash).aspectRatio - ratio) < 0.01)
  }

  @Test("a strip is as thin as seven to one")
  func strip() throws {
    let hash = try ThumbHash(
      Bitmap(size: PixelSize(width: 100, height: 9), isOpaque: true) {
        $0.initializeMemory(as: UInt8.self, repeating: 255)
      })
    #expect(hash.aspectRatio == 7)
    #expect(hash.size == PixelSize(width: 32, height: 5))
  }

  @Test("every beginning of a hash is refused")
  func truncated() throws {
    for fixture in PlaceholderFixture.all {
      for count in 0..<fixture.thumbHash.count {
        #expect(
          codecError { _ = try ThumbHash(fixture.thumbHash.prefix(count)) }?.code == .invalidPlaceholder, "\(count)")
      }
    }
  }

  @Test("any bytes are a hash or an error")
  func anyBytes() {
    var state: UInt64 = 83
    for _ in 0..<1_000 {
      let bytes = (0..<40).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
      }
      do {
        let hash = try ThumbHash(Data(bytes))
        #expect(max(hash.size.width, hash.size.height) == 32 && min(hash.size.width, hash.size.height) >= 1)
        #expect(try hash.bitmap(size: PixelSize(width: 2, height: 3)).byteCount == 24)
      } catch {
        #expect((error as? CodecError)?.code == .invalidPlaceholder)
      }
    }
  }
}

private func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
  rgba.indices.map { $0 % 4 == 3 ? rgba[$0] : UInt8((Double(rgba[$0]) * Double(rgba[$0 | 3]) / 255).rounded()) }
}

private func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
  a.count == b.count ? zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) } : .max
}
