import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Decoding at full size")
struct FullDecodeTests {
  @Test("every variant of every format gives the pixels computed elsewhere", arguments: Fixture.full)
  func pixels(fixture: Fixture) throws {
    let image = try ImageDecoder().decode(fixture.data)
    let expected = try ExpectedPixels(fixture.expected)
    #expect(image.bitmap.size == expected.size)
    #expect(expected.psnr(image.bitmap) >= fixture.psnr)
    #expect(image.info.hasAlpha == fixture.hasAlpha)
    #expect(image.info.orientation.rawValue == fixture.orientation)
    #expect(image.info.size == expected.size)
  }

  /// Those whose pixels are what another decoder makes of the same file.
  private static let decodedElsewhere = Fixture.full.filter { (45..<Fixture.exact).contains($0.psnr) }

  @Test(
    "lossy files are within two levels of another decoder, in every channel of every pixel", arguments: decodedElsewhere
  )
  func levels(fixture: Fixture) throws {
    let bytes = try ImageDecoder().decode(fixture.data).bitmap.bytes
    let expected = try ExpectedPixels(fixture.expected).bytes
    try #require(bytes.count == expected.count)
    #expect(zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test("no colour exceeds its alpha, and an opaque bitmap is opaque", arguments: Fixture.all)
  func premultiplied(fixture: Fixture) throws {
    let bitmap = try ImageDecoder().decode(fixture.data, target: fixture.target).bitmap
    let bytes = bitmap.bytes
    for at in stride(from: 0, to: bytes.count, by: 4) {
      let alpha = bytes[at + 3]
      guard max(bytes[at], bytes[at + 1], bytes[at + 2]) <= alpha, !bitmap.isOpaque || alpha == 255 else {
        Issue.record("pixel \(at / 4) is \(bytes[at..<at + 4])")
        return
      }
    }
    #expect(bitmap.isOpaque || fixture.hasAlpha)
  }

  @Test("a slice of a larger Data decodes like its copy")
  func slice() throws {
    let data = try Files.fixture("rgb8.png")
    let slice = (Data([1, 2, 3]) + data).dropFirst(3)
    #expect(try ImageDecoder().decode(slice).bitmap.bytes == ImageDecoder().decode(data).bitmap.bytes)
  }

  @Test("bytes behind the picture are no part of it", arguments: ["rgb8.png", "420.jpg", "lossy.webp"])
  func trailingBytes(file: String) throws {
    let data = try Files.fixture(file)
    let longer = try ImageDecoder().decode(data + Data(repeating: 0x55, count: 100))
    #expect(try longer.bitmap.bytes == ImageDecoder().decode(data).bitmap.bytes)
  }
}
