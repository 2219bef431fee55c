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
      let isRight = stride(from: 0, to: bytes.count, by: 4).allSatisfy {
        max(bytes[$0], bytes[$0 + 1], bytes[$0 + 2]) <= bytes[$0 + 3]
      }
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

    @Test("bytes behind a bare codestream are no part of it", arguments: ["jxl-rgb.jxl", "jxl-groups-permuted.jxl"])
    func trailingBytes(file: String) throws {
      let data = try Files.fixture(file)
      let longer = try ImageDecoder().decode(data + Data(repeating: 0x55, count: 100)).bitmap
      #expect(try difference(longer, Data(ImageDecoder().decode(data).bitmap.bytes)) == 0)
    }

    #if !canImport(Darwin)
      @Test("inks in a channel of their own are a rare variant")
      func inks() throws {
        let inks = try #require(JXLHeaderFixture.all.first { $0.model == "cmyk" })
        #expect(codecError { _ = try ImageDecoder().decode(inks.data) }?.code == .unsupportedFormat)
      }

      @Test("frames before the last one whose sections are in another order are a rare variant")
      func permutedFrames() throws {
        let data = try Files.fixture("jxl-permuted-frames.jxl")
        #expect(try ImageDecoder().probe(data)?.isAnimated == true)
        #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .unsupportedFormat)
        #expect(codecError { _ = try AnimationDecoder(data).frameCount() }?.code == .unsupportedFormat)
      }
    #endif

    #if ColorManagement && !canImport(Darwin)
      /// Lossless, so that what is kept is known.
      private static let colored = JXLFixture.all.filter { $0.file.hasPrefix("jxl-color-") }

      @Test("colours that are kept are those of the file, and mean the same", arguments: colored)
      func keptColors(fixture: JXLFixture) throws {
        let kept = try ImageDecoder(colors: .source).decode(fixture.data).bitmap
        let source = try ImageDecoder().decode(Files.fixture("color-untagged.png")).bitmap
        #expect(kept.colorProfile != nil)
        #expect(difference(kept, Data(source.bytes)) == 0)
        #expect(try difference(kept.convertedToSRGB(), fixture.pixels) <= fixture.tolerance)
      }

      @Test("a profile beyond the limit is passed over")
      func longProfile() throws {
        var limits = DecodeLimits()
        limits.maximumProfileBytes = 100
        let bitmap = try ImageDecoder(limits: limits).decode(Files.fixture("jxl-color-profile-p3.jxl")).bitmap
        let source = try ImageDecoder().decode(Files.fixture("color-untagged.png")).bitmap
        #expect(difference(bitmap, Data(source.bytes)) == 0)
      }
    #endif
  }
#endif
