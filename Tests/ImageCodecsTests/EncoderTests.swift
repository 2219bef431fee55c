import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Encoding")
struct EncoderTests {
  private func decoded(_ fixture: String) throws -> Bitmap {
    try ImageDecoder().decode(Files.fixture(fixture)).bitmap
  }

  @Test("a PNG brings every opaque pixel back")
  func opaquePNG() throws {
    let bitmap = try decoded("rgb8.png")
    let data = try ImageEncoder.png(bitmap)
    let image = try ImageDecoder().decode(data)
    #expect(image.bitmap.bytes == bitmap.bytes)
    #expect(!image.info.hasAlpha)
  }

  @Test("a PNG brings transparent pixels back as they are premultiplied")
  func transparentPNG() throws {
    let bitmap = try decoded("rgba16.png")
    let image = try ImageDecoder().decode(ImageEncoder.png(bitmap))
    #expect(image.bitmap.bytes == bitmap.bytes)
    #expect(image.info.hasAlpha)
  }

  @Test("a JPEG comes close, and closer with more quality")
  func jpeg() throws {
    let bitmap = try decoded("grey8.png")
    let low = try ImageEncoder.jpeg(bitmap, quality: 30)
    let high = try ImageEncoder.jpeg(bitmap, quality: 95)
    let lowQuality = Quality.psnr(try ImageDecoder().decode(low).bitmap.bytes, bitmap.bytes)
    let highQuality = Quality.psnr(try ImageDecoder().decode(high).bitmap.bytes, bitmap.bytes)
    #expect(highQuality > 40 && highQuality > lowQuality)
    #expect(low.count < high.count)
  }

  @Test("a JPEG shows transparent pixels over white")
  func jpegOverWhite() throws {
    let clear = Bitmap(size: PixelSize(width: 16, height: 16)) { _ in }
    let bitmap = try ImageDecoder().decode(ImageEncoder.jpeg(clear)).bitmap
    #expect(bitmap.bytes.allSatisfy { $0 >= 254 })
  }

  @Test("qualities outside the range are clamped", arguments: [Int.min, 0, 101, Int.max])
  func qualityRange(quality: Int) throws {
    let bitmap = try decoded("rgb8.png")
    let expected = try ImageEncoder.jpeg(bitmap, quality: quality < 1 ? 1 : 100)
    #expect(try ImageEncoder.jpeg(bitmap, quality: quality) == expected)
  }

  @Test("a bitmap without pixels is refused")
  func empty() {
    let bitmap = Bitmap(size: .zero) { _ in }
    #expect(codecError { _ = try ImageEncoder.png(bitmap) }?.code == .empty)
    #expect(codecError { _ = try ImageEncoder.jpeg(bitmap) }?.code == .empty)
  }

  @Test("a side too long for JPEG is refused")
  func tooLong() {
    let bitmap = Bitmap(size: PixelSize(width: 65_501, height: 1)) { _ in }
    #expect(codecError { _ = try ImageEncoder.jpeg(bitmap) }?.code == .tooManyPixels)
    #expect(throws: Never.self) { try ImageEncoder.png(bitmap) }
  }
}
