import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Decoding into a box")
struct ScaledDecodeTests {
  @Test("comes close to a full decode and Lanczos", arguments: Fixture.scaled)
  func pixels(fixture: Fixture) throws {
    let image = try ImageDecoder().decode(fixture.data, target: fixture.target)
    let expected = try ExpectedPixels(fixture.expected)
    #expect(image.bitmap.size == expected.size)
    #expect(expected.psnr(image.bitmap) >= fixture.psnr)
  }

  @Test("the box is applied to the picture as displayed")
  func fitAfterRotation() throws {
    let box = DecodeTarget.box(PixelSize(width: 400, height: 300), .fit)
    var data = try Files.photo("dandelion-12mp.jpg")
    #expect(try ImageDecoder().decode(data, target: box).bitmap.size == PixelSize(width: 400, height: 300))
    data.insert(contentsOf: Self.exifSegment(orientation: 6), at: 2)
    let image = try ImageDecoder().decode(data, target: box)
    #expect(image.info.storedSize == PixelSize(width: 4000, height: 3000))
    #expect(image.info.size == PixelSize(width: 3000, height: 4000))
    #expect(image.bitmap.size == PixelSize(width: 225, height: 300))
  }

  private static func exifSegment(orientation: UInt8) -> [UInt8] {
    let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
    let content = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }

  @Test("a picture smaller than the box keeps its size and pixels", arguments: ["rgba8.png", "420.jpg", "lossy.webp"])
  func neverEnlarged(file: String) throws {
    let data = try Files.fixture(file)
    let full = try ImageDecoder().decode(data).bitmap
    for mode in [ScalingMode.fit, .fill] {
      let boxed = try ImageDecoder().decode(data, target: .box(PixelSize(width: 400, height: 300), mode)).bitmap
      #expect(boxed.size == full.size)
      #expect(boxed.bytes == full.bytes)
    }
  }

  @Test("filling covers the box")
  func fill() throws {
    let target = DecodeTarget.box(PixelSize(width: 60, height: 60), .fill)
    let bitmap = try ImageDecoder().decode(Files.photo("chelsea.png"), target: target).bitmap
    #expect(bitmap.size == PixelSize(width: 90, height: 60))
  }

  @Test(
    "extreme shapes keep a pixel on each axis",
    arguments: [
      ("tall.png", PixelSize(width: 100, height: 100), PixelSize(width: 1, height: 100)),
      ("wide.png", PixelSize(width: 100, height: 100), PixelSize(width: 100, height: 1)),
      ("tall.png", PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
      ("one-pixel.png", PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
      ("one-pixel.jpg", PixelSize(width: 9, height: 9), PixelSize(width: 1, height: 1)),
      ("rgb8.png", PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ])
  func extremes(file: String, box: PixelSize, expected: PixelSize) throws {
    #expect(try ImageDecoder().decode(Files.fixture(file), target: .box(box, .fit)).bitmap.size == expected)
  }

  @Test("a tall gradient stays a gradient")
  func tallGradient() throws {
    let data = try Files.fixture("tall.png")
    let bitmap = try ImageDecoder().decode(data, target: .box(PixelSize(width: 10, height: 50), .fit)).bitmap
    let full = try ImageDecoder().decode(data).bitmap
    // The upper and lower parts have a colour of their own; between them green rises with y.
    for y in 20..<35 { #expect(abs(Int(bitmap[0, y].green) - Int(full[0, y * 200 + 100].green)) <= 1) }
  }

  @Test("an even colour stays even at every size", arguments: [1, 2, 3, 7, 16, 50, 99, 100])
  func evenColor(side: Int) throws {
    let even = Bitmap(size: PixelSize(width: 101, height: 103)) { bytes in
      for at in bytes.indices { bytes[at] = [40, 90, 120, 130][at % 4] }
    }
    let data = try ImageEncoder.png(even)
    let straight = try ImageDecoder().decode(data).bitmap[0, 0]
    let target = DecodeTarget.box(PixelSize(width: side, height: side), .fit)
    let bytes = try ImageDecoder().decode(data, target: target).bitmap.bytes
    let pixel = [straight.red, straight.green, straight.blue, straight.alpha]
    #expect(bytes.indices.allSatisfy { bytes[$0] == pixel[$0 % 4] })
  }
}
