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

  @Test("full colour resolution keeps coloured edges that halved resolution blurs")
  func subsampling() throws {
    // Single columns of red and blue, of about equal brightness.
    let bitmap = Bitmap(size: PixelSize(width: 32, height: 32), isOpaque: true) { bytes in
      for at in bytes.indices { bytes[at] = [[200, 0, 40, 255], [0, 70, 220, 255]][at / 4 % 2][at % 4] }
    }
    func quality(_ subsampling: ChromaSubsampling) throws -> Double {
      let data = try ImageEncoder.jpeg(bitmap, quality: 98, subsampling: subsampling)
      return Quality.psnr(try ImageDecoder().decode(data).bitmap.bytes, bitmap.bytes)
    }
    let (full, halved) = (try quality(.none), try quality(.quarter))
    #expect(full > 40)
    #if !canImport(Darwin)
      #expect(halved < 20)
    #endif
  }

  @Test("a fast PNG has the same pixels", arguments: ["rgb8.png", "rgba16.png", "one-pixel.png"])
  func fastPNG(file: String) throws {
    let bitmap = try decoded(file)
    let data = try ImageEncoder.png(bitmap, compression: .fast)
    #expect(try ImageDecoder().decode(data).bitmap.bytes == bitmap.bytes)
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
    #expect(codecError { _ = try ImageEncoder.webp(bitmap) }?.code == .empty)
  }

  @Test("a side too long for JPEG is refused")
  func tooLong() {
    let bitmap = Bitmap(size: PixelSize(width: 65_501, height: 1)) { _ in }
    #expect(codecError { _ = try ImageEncoder.jpeg(bitmap) }?.code == .tooManyPixels)
    #expect(throws: Never.self) { try ImageEncoder.png(bitmap) }
  }
}
