#if AVIF || canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// An AVIF and what it must decode to: `Fixtures/make-avif.py`.
  struct AVIFFixture: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var width: Int
    var height: Int
    /// Premultiplied, the right way up.
    var pixels: Data
    var bitDepth: Int
    var hasAlpha: Bool
    var orientation: UInt8

    static let all: [AVIFFixture] = {
      do {
        return try JSONDecoder().decode([AVIFFixture].self, from: Files.fixture("avif.json"))
      } catch {
        Issue.record("The list of AVIFs cannot be read: \(error)")
        return []
      }
    }()

    var data: Data { get throws { try Files.fixture(file) } }
    var size: PixelSize { PixelSize(width: width, height: height) }
    var testDescription: String { file }
  }

  @Suite("AVIF")
  struct AVIFTests {
    @Test("every variant decodes to the reference's pixels", arguments: AVIFFixture.all)
    func decodes(fixture: AVIFFixture) throws {
      let image = try ImageDecoder().decode(fixture.data)
      #expect(image.bitmap.size == fixture.size)
      #expect(image.bitmap.isOpaque == !fixture.hasAlpha)
      let difference = zip(image.bitmap.bytes, fixture.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(difference <= 2)
    }

    @Test("the header tells what the file holds", arguments: AVIFFixture.all)
    func header(fixture: AVIFFixture) throws {
      let info = try #require(try ImageDecoder().probe(fixture.data))
      #expect(info.format == .avif)
      #expect(info.size == fixture.size)
      #expect(info.bitDepth == fixture.bitDepth)
      #expect(info.hasAlpha == fixture.hasAlpha)
      #expect(info.orientation.rawValue == fixture.orientation)
    }

    @Test("a scaled picture has the size and the colours of the whole", arguments: AVIFFixture.all)
    func scaled(fixture: AVIFFixture) throws {
      let small = try ImageDecoder().decode(fixture.data, target: .box(PixelSize(width: 20, height: 20), .fit)).bitmap
      #expect(small.size == fixture.size.scaled(into: PixelSize(width: 20, height: 20), mode: .fit))
      let means = [small.bytes, Array(fixture.pixels)].map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
      #expect(abs(means[0] - means[1]) < 2)
    }

    @Test("a header needs its whole meta box, and never less than the signature says", arguments: AVIFFixture.all)
    func truncated(fixture: AVIFFixture) throws {
      let data = try fixture.data
      for count in 1..<data.count {
        let part = data.prefix(count)
        let probed = try ImageDecoder().probe(part)
        #expect(probed == nil || probed?.size == fixture.size)
        #expect(codecError { _ = try ImageDecoder().decode(part) }?.code == .truncated, "\(count)")
      }
    }

    @Test("a general brand that names AVIF beside others is AVIF")
    func compatibleBrand() throws {
      var data = try Files.fixture("avif-444.avif")
      data.replaceSubrange(8..<12, with: Data("mif1".utf8))
      #expect(try ImageDecoder().probe(data)?.format == .avif)
    }

    @Test("too many pixels are refused by the header")
    func limits() throws {
      var data = try Files.fixture("avif-444.avif")
      let extents = try #require(data.range(of: Data("ispe".utf8)))
      data.replaceSubrange(
        extents.upperBound + 4..<extents.upperBound + 12, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
      #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .tooManyPixels)
    }
  }
#endif
