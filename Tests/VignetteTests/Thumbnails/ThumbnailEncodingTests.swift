import Foundation
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Thumbnail encoding")
struct ThumbnailEncodingTests {
  private static let photos = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../Examples/Gallery/App/Photos").standardized

  private func photo(_ name: String, _ side: Int) throws -> Bitmap {
    let data = try Data(contentsOf: Self.photos.appendingPathComponent(name))
    return try ImageDecoder().decode(data, target: .box(side, side)).bitmap
  }

  private func decoded(_ bitmap: Bitmap) throws -> DecodedImage {
    try ImageDecoder().decode(ThumbnailEncoding.encode(bitmap))
  }

  @Test("a photograph comes back within 40 dB", arguments: ["chelsea.png", "coffee.jpg", "hubble.jpg"], [64, 200])
  func photographs(name: String, side: Int) throws {
    let bitmap = try photo(name, side)
    let image = try decoded(bitmap)
    let difference = try #require(BitmapDifference(image.bitmap, bitmap))
    #expect(difference.psnr >= 40, "\(difference)")
    #expect(image.bitmap.isOpaque)
    #expect(try ThumbnailEncoding.encode(bitmap).count < bitmap.byteCount / 2)
  }

  @Test("a picture with alpha comes back to the pixel")
  func transparent() throws {
    let bitmap = try photo("coffee-round-alpha.png", 120)
    let image = try decoded(bitmap)
    #expect(image.bitmap.bytes == bitmap.bytes)
    #expect(image.info.hasAlpha)
  }

  @Test("noise of any alpha comes back to the pixel", arguments: [(1, 1), (3, 7), (64, 33)])
  func noise(size: (Int, Int)) throws {
    var random = SeededRandom()
    let bitmap = Bitmap(size: PixelSize(width: size.0, height: size.1)) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        // The first pixel is never opaque, so that the picture is not.
        let alpha = at == 0 ? 254 : UInt8.random(in: 0...255, using: &random)
        for channel in 0..<3 { bytes[at + channel] = .random(in: 0...alpha, using: &random) }
        bytes[at + 3] = alpha
      }
    }
    #expect(try decoded(bitmap).bitmap.bytes == bitmap.bytes, "seed \(random.seed)")
  }

  @Test("a picture that only could be transparent is kept as an opaque one")
  func opaqueInDisguise() throws {
    let photo = try photo("coffee.jpg", 50)
    let disguised = Bitmap(size: photo.size, isOpaque: false) { $0.copyBytes(from: photo.bytes) }
    #expect(try ThumbnailEncoding.encode(disguised) == ThumbnailEncoding.encode(photo))
  }

  @Test("sides too long for the usual formats are kept all the same", arguments: [255, 128] as [UInt8])
  func long(alpha: UInt8) throws {
    let bitmap = ProcessorPictures.even(70_000, 1, [60, 70, 80, alpha])
    #expect(try decoded(bitmap).bitmap.bytes == bitmap.bytes)
  }

  @Test("a bitmap without pixels has no thumbnail")
  func empty() throws {
    let error = #expect(throws: CodecError.self) { try ThumbnailEncoding.encode(Bitmap(size: .zero) { _ in }) }
    #expect(error?.code == .empty)
  }
}
