import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Previews of pictures that arrive")
struct ProgressiveTests {
  private static let previewed = [
    "progressive.jpg", "cmyk-progressive.jpg", "rgb8-interlaced.png", "rgba8-interlaced.png", "lossy.webp",
  ]
  private static let others = ["420.jpg", "rgb8.png", "plain.gif", "rgb24.bmp", "animated-partial.webp", "cmyk.jpg"]

  /// Appends a file in pieces, with a clock that every piece moves on by a second.
  private func previews(
    of data: Data, pieces: Int, target: DecodeTarget = .full, minimumInterval: Double = 0
  ) throws -> (previews: [DecodedImage], picture: DecodedImage) {
    var time = 0.0
    let decoder = ProgressiveDecoder(
      target: target, limits: DecodeLimits(), minimumInterval: minimumInterval, now: { time })
    var previews: [DecodedImage] = []
    for start in stride(from: 0, to: data.count, by: pieces) {
      time += 1
      if let preview = try decoder.append(data[start..<min(start + pieces, data.count)]) { previews.append(preview) }
    }
    return (previews, try decoder.finish())
  }

  @Test("the picture is that of a decode at once, however it comes", arguments: previewed + others)
  func picture(file: String) throws {
    let data = try Files.fixture(file)
    for target in [DecodeTarget.full, .box(PixelSize(width: 9, height: 9), .fit)] {
      let expected = try ImageDecoder().decode(data, target: target)
      for pieces in [1, 7, 300, data.count] {
        let (previews, picture) = try previews(of: data, pieces: pieces, target: target)
        #expect(picture.bitmap.bytes == expected.bitmap.bytes)
        #expect(previews.allSatisfy { $0.bitmap.size == expected.bitmap.size && $0.info == expected.info })
      }
    }
  }

  @Test("every file comes out as if it had come at once, in pieces of any lengths", arguments: Fixture.small)
  func randomPieces(fixture: Fixture) throws {
    let data = try fixture.data
    var random = SeededRandom(state: UInt64(data.count))
    for target in [DecodeTarget.full, .box(PixelSize(width: 13, height: 13), .fit)] {
      for colors in ColorPolicy.allCases {
        let expected = try ImageDecoder(colors: colors).decode(data, target: target).bitmap
        let decoder = ProgressiveDecoder(target: target, colors: colors, minimumInterval: 0)
        var start = 0
        while start < data.count {
          let end = min(data.count, start + Int.random(in: 1...max(1, data.count / 3), using: &random))
          let preview = try decoder.append(data[start..<end])
          #expect(preview == nil || preview?.bitmap.size == expected.size)
          start = end
        }
        let picture = try decoder.finish().bitmap
        #expect(picture.bytes == expected.bytes && picture.isOpaque == expected.isOpaque)
        #expect(picture.colorProfile == expected.colorProfile)
      }
    }
  }

  @Test("there is something to see before the end, and ever more of it", arguments: previewed)
  func previews(file: String) throws {
    let (previews, picture) = try previews(of: Files.fixture(file), pieces: 20)
    let quality = previews.map { Quality.psnr($0.bitmap.bytes, picture.bitmap.bytes) }
    try #require(quality.count >= 2)
    #expect(quality.last ?? 0 > (quality.first ?? 0))
  }

  @Test("of a picture that comes in one piece there is nothing to see before", arguments: others)
  func nothing(file: String) throws {
    #expect(try previews(of: Files.fixture(file), pieces: 50).previews.isEmpty)
  }

  @Test("the first pass of an interlaced PNG is every eighth pixel of every eighth row")
  func firstPass() throws {
    let whole = try ExpectedPixels("rgb8-interlaced-png.rgba")
    let data = try Files.fixture("rgb8-interlaced.png")
    let target = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
    let first = try #require(try previews(of: data, pieces: 1, target: target).previews.first?.bitmap)
    #expect(first.size == PixelSize(width: 5, height: 3))
    for y in 0..<3 {
      for x in 0..<5 {
        let at = (y * 8 * whole.size.width + x * 8) * 4
        #expect(first[x, y] == (whole.bytes[at], whole.bytes[at + 1], whole.bytes[at + 2], 255))
      }
    }
  }

  @Test("rows of a WebP that are here are those of the picture, and the others are transparent")
  func rows() throws {
    let (previews, picture) = try previews(of: Files.photo("coffee.webp"), pieces: 4_000)
    let first = try #require(previews.first?.bitmap)
    let size = picture.bitmap.size
    #expect(first[size.width / 2, 0] == picture.bitmap[size.width / 2, 0])
    #expect(first[size.width / 2, size.height - 1] == (0, 0, 0, 0))
  }

  @Test("previews keep their distance")
  func interval() throws {
    let data = try Files.fixture("progressive.jpg")
    let all = try previews(of: data, pieces: 20).previews.count
    let few = try previews(of: data, pieces: 20, minimumInterval: 1_000_000).previews.count
    #expect(few == 1 && all > 1)
  }

  @Test("what is no picture, or too large a one, is told before the rest has come")
  func early() throws {
    let decoder = ProgressiveDecoder()
    #expect(codecError { _ = try decoder.append(Data("<html><body>".utf8)) }?.code == .notAnImage)
    let bomb = try Files.fixture("bomb-65500-progressive.jpg")
    #expect(codecError { _ = try previews(of: bomb, pieces: 100) }?.code == .tooManyPixels)
    let scans = try Files.fixture("bomb-scans.jpg")
    #expect(codecError { _ = try previews(of: scans, pieces: 1_000) }?.code == .tooManyScans)
    var limits = DecodeLimits()
    limits.maximumEncodedBytes = 10
    let short = ProgressiveDecoder(limits: limits)
    #expect(codecError { _ = try short.append(Data(count: 11)) }?.code == .tooLarge)
  }

  @Test("cancellation ends a preview", arguments: previewed)
  func cancellation(file: String) throws {
    let data = try Files.fixture(file)
    #expect(throws: CancellationError.self) { try ProgressiveDecoder().append(data) { true } }
  }

  @Test("damage ends the previews, and is told at the end", arguments: previewed)
  func damage(file: String) throws {
    let data = try Files.fixture(file)
    var state: UInt64 = 17
    for _ in 0..<150 {
      var damaged = data
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % damaged.count] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
      }
      do {
        let result = try previews(of: damaged, pieces: 40)
        #expect(try result.picture.bitmap.bytes == ImageDecoder().decode(damaged).bitmap.bytes)
      } catch {
        let told = try #require(error as? CodecError)
        let whole = codecError { _ = try ImageDecoder().decode(damaged) }
        #expect(told.code == whole?.code)
      }
    }
  }
}
