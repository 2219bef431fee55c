import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Encoding WebP")
struct WebPEncoderTests {
  private func decoded(_ fixture: String) throws -> Bitmap {
    try ImageDecoder().decode(Files.fixture(fixture)).bitmap
  }

  #if canImport(Darwin)
    @Test("is refused with a code of its own")
    func refused() throws {
      let bitmap = try decoded("rgb8.png")
      #expect(codecError { _ = try ImageEncoder.webp(bitmap) }?.code == .unsupportedFormat)
    }
  #else
    @Test("lossless brings every pixel back", arguments: ["rgb8.png", "rgba16.png", "one-pixel.png"], [0, 6])
    func lossless(file: String, effort: Int) throws {
      let bitmap = try decoded(file)
      let image = try ImageDecoder().decode(ImageEncoder.webp(bitmap, .lossless, effort: effort))
      #expect(image.info.format == .webp)
      #expect(image.info.hasAlpha == !bitmap.isOpaque)
      #expect(image.bitmap.bytes == bitmap.bytes)
    }

    @Test("lossy comes close, closer with more quality, and keeps alpha to the pixel")
    func lossy() throws {
      let bitmap = try ImageDecoder().decode(Files.photo("coffee-round-alpha.png")).bitmap
      let low = try ImageEncoder.webp(bitmap, .lossy(quality: 20))
      let high = try ImageEncoder.webp(bitmap, .lossy(quality: 95))
      let (lowPixels, highPixels) = (try ImageDecoder().decode(low).bitmap, try ImageDecoder().decode(high).bitmap)
      let highQuality = Quality.psnr(highPixels.bytes, bitmap.bytes)
      #expect(highQuality > 35 && highQuality > Quality.psnr(lowPixels.bytes, bitmap.bytes))
      #expect(low.count < high.count)
      let alphas = stride(from: 3, to: bitmap.byteCount, by: 4)
      let (before, after) = (bitmap.bytes, lowPixels.bytes)
      #expect(alphas.allSatisfy { before[$0] == after[$0] })
    }

    @Test("an opaque bitmap has no alpha, whatever its fourth bytes are")
    func opaque() throws {
      let bitmap = Bitmap(size: PixelSize(width: 9, height: 9), isOpaque: true) { bytes in
        for at in bytes.indices { bytes[at] = UInt8(at % 200) }
      }
      let image = try ImageDecoder().decode(ImageEncoder.webp(bitmap, .lossless))
      #expect(!image.info.hasAlpha)
      #expect(image.bitmap[3, 3].red == bitmap[3, 3].red)
    }

    @Test("qualities and efforts outside the range are clamped", arguments: [Int.min, -1, 101, Int.max])
    func clamped(value: Int) throws {
      let bitmap = try decoded("rgb8.png")
      let (quality, effort) = value < 0 ? (0, 0) : (100, 6)
      let expected = try ImageEncoder.webp(bitmap, .lossy(quality: quality), effort: effort)
      #expect(try ImageEncoder.webp(bitmap, .lossy(quality: value), effort: value) == expected)
    }

    @Test("a side too long is refused")
    func tooLong() {
      let bitmap = Bitmap(size: PixelSize(width: ImageEncoder.maximumWebPSide + 1, height: 1)) { _ in }
      #expect(codecError { _ = try ImageEncoder.webp(bitmap) }?.code == .tooManyPixels)
    }
  #endif
}
