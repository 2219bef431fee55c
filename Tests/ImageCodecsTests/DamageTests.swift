import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Damaged and truncated files")
struct DamageTests {
  private static let targets: [DecodeTarget] = [.full, .box(PixelSize(width: 9, height: 9), .fit)]

  /// Every length at the beginning, where the headers are, and at the end, and some between.
  private static func lengths(of data: Data) -> [Int] {
    (1..<data.count).filter { $0 < 400 || $0 > data.count - 40 || $0 % max(1, data.count / 64) == 0 }
  }

  @Test("a file cut anywhere is truncated, never part of a picture", arguments: Fixture.small)
  func truncation(fixture: Fixture) throws {
    let data = try fixture.data
    let whole = try ImageDecoder().decode(data).bitmap.bytes
    for length in Self.lengths(of: data) {
      if fixture.wholeAt.contains(length) {
        #expect(try ImageDecoder().decode(data.prefix(length)).bitmap.bytes == whole, "cut to \(length)")
        continue
      }
      let error = codecError { _ = try ImageDecoder().decode(data.prefix(length), target: Self.targets[length % 2]) }
      #expect(error?.code == .truncated, "cut to \(length) of \(data.count) bytes")
    }
  }

  @Test(
    "half of a large picture is truncated when it is scaled, too", arguments: ["dandelion-12mp.jpg", "chelsea.png"])
  func truncatedPhoto(photo: String) throws {
    let data = try Files.photo(photo)
    let target = DecodeTarget.box(PixelSize(width: 40, height: 30), .fit)
    let error = codecError { _ = try ImageDecoder().decode(data.prefix(data.count / 2), target: target) }
    #expect(error?.code == .truncated)
  }

  @Test(
    "a JPEG without its end marker is whole", arguments: ["420.jpg", "progressive.jpg", "grey.jpg", "restart.jpg"],
    [1, 2])
  func missingEndMarker(file: String, count: Int) throws {
    let data = try Files.fixture(file)
    let whole = try ImageDecoder().decode(data).bitmap
    #expect(try ImageDecoder().decode(data.dropLast(count)).bitmap.bytes == whole.bytes)
  }

  @Test("flipped bits never crash, hang, or change the size", arguments: Files.formats)
  func flips(format: ImageFormat) throws {
    let files = try Files.small().filter { try ImageDecoder().probe($0)?.format == format }
    var random = SeededRandom(state: 7919)
    for round in 0..<2_000 {
      let data = try Self.flipped(try #require(files.randomElement(using: &random)), &random)
      let limits = DecodeLimits(maximumSourcePixels: 1_000_000)
      let target = Self.targets[round % 2]
      guard let image = try? ImageDecoder(limits: limits).decode(data, target: target) else { continue }
      #expect(target != .full || image.bitmap.size == image.info.size, "round \(round)")
      #expect(image.bitmap.byteCount == image.bitmap.size.area * 4, "round \(round)")
    }
  }

  @Test(
    "flipped bits in an animation never crash, hang, or change the size",
    arguments: [ImageFormat.gif, .png, .webp])
  func animationFlips(format: ImageFormat) throws {
    let files = try AnimationFixture.all.map { try $0.data }.filter { try ImageDecoder().probe($0)?.format == format }
    var random = SeededRandom(state: 104_729)
    for round in 0..<2_000 {
      let data = try Self.flipped(try #require(files.randomElement(using: &random)), &random)
      let limits = DecodeLimits(maximumSourcePixels: 100_000)
      guard let decoder = try? AnimationDecoder(data, target: Self.targets[round % 2], limits: limits) else { continue }
      for number in [0, 2, 1, 6] {
        guard let frame = try? decoder.frame(at: number) else { continue }
        #expect(frame.bitmap.size == decoder.size, "round \(round)")
        #expect(frame.duration > 0 || decoder.info.animation == nil, "round \(round)")
      }
    }
  }

  /// With up to three bits changed, mostly near the beginning, where the numbers are that others depend on.
  private static func flipped(_ original: Data, _ random: inout SeededRandom) throws -> Data {
    var data = original
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let end = Bool.random(using: &random) ? data.count : min(data.count, 80)
      data[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return data
  }

  @Test("damage inside the data of a PNG is found", arguments: ["rgb8.png", "rgba8-interlaced.png", "palette4.png"])
  func damagedPNG(file: String) throws {
    var data = try Files.fixture(file)
    let name = try #require(data.firstRange(of: Data("IDAT".utf8)))
    data[name.upperBound + 20] ^= 0x10
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test("a damaged transparency chunk is not an opaque picture")
  func damagedTransparency() throws {
    var data = try Files.fixture("palette8-transparent.png")
    let name = try #require(data.firstRange(of: Data("tRNS".utf8)))
    data[name.upperBound] ^= 0x10
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test("a damaged text chunk harms nothing")
  func damagedAncillaryChunk() throws {
    let (before, chunk, after) = try #require(PNGChunks.split(Files.fixture("rgb8.png"), at: "IEND"))
    let text = Data([0, 0, 0, 4]) + Data("tEXt".utf8) + Data("a\0bc".utf8) + Data([1, 2, 3, 4])
    let bitmap = try ImageDecoder().decode(before + text + chunk + after).bitmap
    #expect(try ExpectedPixels("rgb8-png.rgba").psnr(bitmap) == Fixture.exact)
  }

  @Test("a missing restart marker in a JPEG is damage")
  func damagedRestart() throws {
    var data = try Files.fixture("restart.jpg")
    let marker = try #require(data.firstRange(of: Data([0xFF, 0xD1])))
    data.removeSubrange(marker)
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test("a lossless WebP that says it has no alpha is opaque, whatever its pixels say")
  func hiddenAlpha() throws {
    func denied(_ file: String) throws -> Data {
      var data = try Files.fixture(file)
      // RFC 9649, section 3.4: a byte of signature, 28 bits of size, then whether there is alpha.
      let stream = try #require(data.firstRange(of: Data("VP8L".utf8))).upperBound + 4
      data[stream + 4] &= ~0x10
      return data
    }
    func isOpaque(_ bitmap: Bitmap) -> Bool {
      let bytes = bitmap.bytes
      return stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
    for target in Self.targets {
      let bitmap = try ImageDecoder().decode(denied("lossless-alpha.webp"), target: target).bitmap
      #expect(bitmap.isOpaque && isOpaque(bitmap))
    }
    let first = try #require(try AnimationDecoder(denied("animated-soft.webp")).frame(at: 0)).bitmap
    #expect(isOpaque(first))
  }

  @Test("a WebP with damaged contents is corrupt")
  func damagedWebP() throws {
    var data = try Files.fixture("lossless.webp")
    for index in 25..<60 { data[index] = 0xFF }
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }
}

extension DecodeLimits {
  init(maximumSourcePixels: Int) {
    self.init()
    self.maximumSourcePixels = maximumSourcePixels
  }
}

/// SplitMix64: the same numbers at every run.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
