import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("BMP")
struct BMPTests {
  /// A file with a header of 40 bytes and the bytes behind it.
  private func bmp(
    width: Int32, height: Int32, bits: UInt16, compression: UInt32 = 0, colors: UInt32 = 0, pixels: UInt32 = 0,
    _ rest: [UInt8] = []
  ) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    let file = Array("BM".utf8) + bytes(UInt32(0)) + bytes(UInt32(0)) + bytes(pixels)
    let sizes = bytes(UInt32(40)) + bytes(width) + bytes(height) + bytes(UInt16(1)) + bytes(bits)
    let more = bytes(compression) + [UInt8](repeating: 0, count: 12) + bytes(colors) + bytes(UInt32(0))
    return Data(file + sizes + more + rest)
  }

  private func code(_ data: Data) -> CodecError.Code? { codecError { _ = try ImageDecoder().decode(data) }?.code }

  @Test("a header that no encoder writes is damage")
  func badHeaders() {
    #expect(code(bmp(width: 0, height: 1, bits: 24)) == .corrupt)
    #expect(code(bmp(width: -5, height: 1, bits: 24)) == .corrupt)
    #expect(code(bmp(width: 1, height: 0, bits: 24)) == .corrupt)
    #expect(code(bmp(width: 1, height: 1, bits: 24, pixels: 20)) == .corrupt)
    #expect(code(bmp(width: 1, height: 1, bits: 24, compression: 1)) == .corrupt)
    #expect(code(bmp(width: 1, height: 1, bits: 8, compression: 3)) == .corrupt)
    let gap: [UInt8] = [5, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0xFF, 0, 1, 2, 3, 4]
    #expect(code(bmp(width: 1, height: 1, bits: 32, compression: 3, gap)) == .corrupt)
    var unknown = bmp(width: 1, height: 1, bits: 24)
    unknown[14] = 41
    #expect(code(unknown) == .corrupt)
  }

  @Test("a variant that is not decoded is named", arguments: [(0, 64), (0, 5), (4, 24), (5, 24), (11, 32)])
  func unsupported(compression: UInt32, bits: UInt16) {
    #expect(code(bmp(width: 1, height: 1, bits: bits, compression: compression)) == .unsupportedFormat)
  }

  @Test(
    "billions of pixels are refused at once",
    arguments: [
      (Int32.max, Int32.max), (Int32.max, Int32.min), (1, Int32.min), (Int32.max, 1), (65535, 65535), (65535, -65535),
    ] as [(Int32, Int32)])
  func huge(width: Int32, height: Int32) {
    for (bits, compression) in [(1, 0), (8, 1), (24, 0), (32, 0)] as [(UInt16, UInt32)] {
      let data = bmp(width: width, height: height, bits: bits, compression: compression, [0, 1])
      for target in [DecodeTarget.full, .box(PixelSize(width: 9, height: 9), .fit)] {
        #expect(codecError { _ = try ImageDecoder().decode(data, target: target) }?.code == .tooManyPixels)
      }
    }
  }

  @Test("a palette and pixels far behind the end are truncation")
  func farAway() {
    #expect(code(bmp(width: 4, height: 4, bits: 8, pixels: .max)) == .truncated)
    #expect(code(bmp(width: 4, height: 4, bits: 24, colors: .max)) == .truncated)
    #expect(code(bmp(width: 4, height: 4, bits: 8, compression: 1, pixels: .max)) == .truncated)
  }

  @Test("runs that leave the picture stay within it")
  func wildRuns() throws {
    // A palette of two, then: 255 pixels in a row of 4, jumps beyond the right and upper edges, and runs there.
    let colors: [UInt8] = [0, 0, 0, 0, 255, 255, 255, 0]
    let runs: [UInt8] = [
      255, 1, 255, 1, 0, 0, 0, 2, 200, 1, 7, 1, 0, 2, 255, 255, 9, 1, 0, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
    ]
    let bitmap = try ImageDecoder().decode(
      bmp(width: 4, height: 3, bits: 8, compression: 1, colors: 2, colors + runs)
    ).bitmap
    #expect(bitmap[3, 2].red == 255)
    #expect(bitmap[0, 1].red == 0)
    #expect(bitmap[0, 0].red == 0)
  }

  @Test("a header tells depth, model and colour space")
  func info() throws {
    func info(_ file: String) throws -> ImageInfo? { try ImageDecoder().probe(Files.fixture(file)) }
    #expect(try info("palette4.bmp")?.colorModel == .indexed)
    #expect(try info("palette4.bmp")?.bitDepth == 8)
    #expect(try info("rgb565.bmp")?.bitDepth == 6)
    #expect(try info("rgb101010.bmp")?.bitDepth == 10)
    #expect(try info("rgb24.bmp")?.colorSpace == .untagged)
    #expect(try info("rgba32-v5.bmp")?.colorSpace == .sRGB)
    #expect(try info("argb2101010-v5.bmp")?.colorSpace == .sRGB)
    #expect(try info("argb32-v4.bmp")?.colorSpace == .parameters)
    #expect(try info("no-alpha-v5.bmp")?.colorSpace == .profile(name: nil))
  }
}
