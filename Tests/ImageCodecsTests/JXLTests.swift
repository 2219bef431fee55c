#if JXL
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// A JPEG XL and what it must decode to: `Fixtures/make-jxl.py`.
  struct JXLFixture: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var width: Int
    var height: Int
    /// Premultiplied, the right way up.
    var pixels: Data
    /// Levels, of 255.
    var tolerance: Int
    var bitDepth: Int
    var hasAlpha: Bool
    var orientation: UInt8
    /// Whether the colours are those of sRGB.
    var color: String

    static let all: [JXLFixture] = {
      do {
        return try JSONDecoder().decode([JXLFixture].self, from: Files.fixture("jxl.json"))
      } catch {
        Issue.record("The list of JPEG XLs cannot be read: \(error)")
        return []
      }
    }()

    var data: Data { get throws { try Files.fixture(file) } }
    var size: PixelSize { PixelSize(width: width, height: height) }
    var testDescription: String { file }
  }

  @Suite("JPEG XL", .timeLimit(.minutes(5)))
  struct JXLTests {
    private func difference(_ bitmap: Bitmap, _ expected: Data) -> Int {
      let bytes = bitmap.bytes
      guard bytes.count == expected.count else { return 255 }
      return zip(bytes, expected).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    @Test("every variant decodes to the pixels that were written, or the reference's", arguments: JXLFixture.all)
    func decodes(fixture: JXLFixture) throws {
      let image = try ImageDecoder().decode(fixture.data)
      #expect(image.bitmap.size == fixture.size)
      #expect(image.bitmap.isOpaque == !fixture.hasAlpha)
      #expect(difference(image.bitmap, fixture.pixels) <= fixture.tolerance)
    }

    @Test("the header tells what the file holds", arguments: JXLFixture.all)
    func header(fixture: JXLFixture) throws {
      let info = try #require(try ImageDecoder().probe(fixture.data))
      #expect(info.format == .jxl)
      #expect(info.size == fixture.size)
      #expect(info.bitDepth == fixture.bitDepth)
      #expect(info.hasAlpha == fixture.hasAlpha)
      #expect(info.orientation.rawValue == fixture.orientation)
      #expect((info.colorSpace == .sRGB) == (fixture.color == "sRGB"))
    }

    @Test("no colour exceeds its alpha", arguments: JXLFixture.all.filter(\.hasAlpha))
    func premultiplied(fixture: JXLFixture) throws {
      let bytes = try ImageDecoder().decode(fixture.data).bitmap.bytes
      let isRight = stride(from: 0, to: bytes.count, by: 4).allSatisfy { bytes[$0..<$0 + 3].max()! <= bytes[$0 + 3] }
      #expect(isRight)
    }

    @Test("a scaled picture has the size and the colours of the whole", arguments: JXLFixture.all)
    func scaled(fixture: JXLFixture) throws {
      let small = try ImageDecoder().decode(fixture.data, target: .box(PixelSize(width: 20, height: 20), .fit)).bitmap
      #expect(small.size == fixture.size.scaled(into: PixelSize(width: 20, height: 20), mode: .fit))
      let means = [small.bytes, Array(fixture.pixels)].map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
      // Averages of light are others than those of its roots.
      #expect(abs(means[0] - means[1]) < (fixture.color == "sRGB" ? 2 : 4))
    }

    @Test("a file that is cut anywhere is truncated, never part of a picture", arguments: JXLFixture.all)
    func truncated(fixture: JXLFixture) throws {
      let data = try fixture.data
      let whole = try #require(try ImageDecoder().probe(data))
      for count in 1..<data.count {
        let part = data.prefix(count)
        let probed = try ImageDecoder().probe(part)
        #expect(probed == nil || probed == whole)
        #expect(codecError { _ = try ImageDecoder().decode(part) }?.code == .truncated, "\(count)")
      }
    }
  }
#endif
