import Foundation
import ImageCodecs
import Pixels
import Testing

/// A HEIC and what it must decode to: `Fixtures/make-heic.py`.
struct HEICFixture: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var width: Int
  var height: Int
  /// Premultiplied, the right way up.
  var pixels: Data
  /// Levels, of 255.
  var tolerance: Int
  var bitDepth: Int
  var isGrey: Bool
  var hasAlpha: Bool
  var orientation: UInt8
  /// What the file says of them: the name of a case of `ColorSpaceSummary`.
  var colors: String
  /// Whether every decoder of HEIC takes its kind.
  var isCommon: Bool

  static let all: [HEICFixture] = {
    do {
      return try JSONDecoder().decode([HEICFixture].self, from: Files.fixture("heic.json"))
    } catch {
      Issue.record("The list of HEICs cannot be read: \(error)")
      return []
    }
  }()

  /// Those that this build decodes to the pixels that are told.
  static let decoded: [HEICFixture] = {
    #if canImport(Darwin)
      return all.filter(\.isCommon)
    #elseif HEIC && ColorManagement
      return all
    #elseif HEIC
      return all.filter { ["untagged", "sRGB"].contains($0.colors) }
    #else
      return []
    #endif
  }()

  var data: Data { get throws { try Files.fixture(file) } }
  var size: PixelSize { PixelSize(width: width, height: height) }
  var testDescription: String { file }
}

/// A file with the first `pattern` in it replaced.
private func replacing(_ pattern: String, _ replacement: String, in data: Data) throws -> Data {
  var data = data
  let range = try #require(data.firstRange(of: Data(pattern.utf8)))
  data.replaceSubrange(range, with: Data(replacement.utf8))
  return data
}

@Suite("HEIC headers")
struct HEICHeaderTests {
  @Test("the header tells what the file holds", arguments: HEICFixture.all)
  func header(fixture: HEICFixture) throws {
    let info = try #require(try ImageDecoder().probe(fixture.data))
    #expect(info.format == .heic)
    #expect(info.size == fixture.size)
    #expect(info.bitDepth == fixture.bitDepth)
    #expect(info.colorModel == (fixture.isGrey ? .grey : .rgb))
    #expect(info.hasAlpha == fixture.hasAlpha)
    #expect(info.orientation.rawValue == fixture.orientation)
    #expect(!info.isAnimated)
    let colors: [String: ColorSpaceSummary] = [
      "untagged": .untagged, "sRGB": .sRGB, "parameters": .parameters, "profile": .profile(name: "Vignette test"),
    ]
    #expect(info.colorSpace == colors[fixture.colors])
  }

  @Test("a beginning says what the whole says, or that it is too little", arguments: HEICFixture.all)
  func beginnings(fixture: HEICFixture) throws {
    let data = try fixture.data
    let whole = try ImageDecoder().probe(data)
    for count in 1..<data.count {
      let info = try ImageDecoder().probe(data.prefix(count))
      #expect(info == nil || info == whole, "\(count) bytes")
    }
  }

  @Test("depth and model come from the coded data's description where nothing else says them")
  func withoutChannels() throws {
    for (file, depth, model) in [("heic-400-depth12.heic", 12, ColorModel.grey), ("heic-420-depth10.heic", 10, .rgb)] {
      let data = try replacing("pixi", "free", in: Files.fixture(file))
      let info = try #require(try ImageDecoder().probe(data))
      #expect(info.bitDepth == depth && info.colorModel == model)
    }
  }

  @Test("a general brand is HEIC by the others", arguments: ["mif1", "msf1", "heix", "heim", "heis", "hevc", "hevx"])
  func brands(brand: String) throws {
    let data = try replacing("ftypheic", "ftyp\(brand)", in: Files.fixture("heic-420.heic"))
    #expect(try ImageDecoder().probe(data)?.format == .heic)
    let alone = try replacing("mif1heic", "mif1miaf", in: data)
    if brand == "mif1" || brand == "msf1" {
      #expect(codecError { _ = try ImageDecoder().probe(alone) }?.message.contains("HEIF") == true)
    } else {
      #expect(try ImageDecoder().probe(alone)?.format == .heic)
    }
  }

  @Test("of a sequence the picture beside it is told, and without one it is not supported")
  func sequence() throws {
    let picture = try replacing("ftypheic", "ftyphevc", in: Files.fixture("heic-420.heic"))
    let movie = Data([0, 0, 0, 16]) + Data("moovmvhd".utf8) + Data(count: 4)
    #expect(try ImageDecoder().probe(picture + movie)?.isAnimated == false)
    let error = codecError { _ = try ImageDecoder().probe(picture.prefix(Int(picture[3])) + movie) }
    #expect(error?.code == .unsupportedFormat && error?.message.contains("HEIC sequence") == true)
  }

  @Test("a transparency of another item is none of the picture's")
  func foreignAlpha() throws {
    let data = try replacing("auxl", "abcd", in: Files.fixture("heic-420-alpha.heic"))
    #expect(try ImageDecoder().probe(data)?.hasAlpha == false)
  }

  #if !HEIC && !canImport(Darwin)
    @Test("without the trait it is known and not decoded")
    func leftOut() throws {
      let error = codecError { _ = try ImageDecoder().decode(Files.fixture("heic-420.heic")) }
      #expect(error?.code == .unsupportedFormat && error?.message.contains("trait HEIC") == true)
    }
  #endif
}

#if HEIC || canImport(Darwin)
  @Suite("HEIC")
  struct HEICTests {
    /// ImageIO interpolates colour in its own way.
    private func tolerance(_ fixture: HEICFixture) -> Int {
      #if canImport(Darwin)
        return fixture.tolerance + 6
      #else
        return fixture.tolerance
      #endif
    }

    @Test("every variant decodes to the pixels that were coded", arguments: HEICFixture.decoded)
    func decodes(fixture: HEICFixture) throws {
      let image = try ImageDecoder(colors: .sRGB).decode(fixture.data)
      #expect(image.bitmap.size == fixture.size)
      #expect(image.bitmap.isOpaque == !fixture.hasAlpha)
      let difference = zip(image.bitmap.bytes, fixture.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(difference <= tolerance(fixture))
    }

    @Test("a scaled picture has the size and the colours of the whole", arguments: HEICFixture.decoded)
    func scaled(fixture: HEICFixture) throws {
      let box = PixelSize(width: 20, height: 20)
      let small = try ImageDecoder(colors: .sRGB).decode(fixture.data, target: .box(box, .fit)).bitmap
      #expect(small.size == fixture.size.scaled(into: box, mode: .fit))
      let means = [small.bytes, Array(fixture.pixels)].map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
      #expect(abs(means[0] - means[1]) < 3)
    }

    @Test("a file cut anywhere is truncated, never part of a picture", arguments: HEICFixture.decoded)
    func truncated(fixture: HEICFixture) throws {
      let data = try fixture.data
      for count in 1..<data.count {
        #expect(codecError { _ = try ImageDecoder().decode(data.prefix(count)) }?.code == .truncated, "\(count)")
      }
    }
  }
#endif

#if HEIC && !canImport(Darwin)
  @Suite("HEIC through libde265")
  struct HEICDecoderTests {
    private func decodeError(_ data: Data) -> CodecError? { codecError { _ = try ImageDecoder().decode(data) } }

    @Test("a profile's colours are kept where the source's are asked for")
    func sourceColors() throws {
      let bitmap = try ImageDecoder(colors: .source).decode(Files.fixture("heic-profile-p3.heic")).bitmap
      let plain = try ImageDecoder().decode(Files.fixture("heic-lossless.heic")).bitmap
      #if ColorManagement
        #expect(bitmap.colorProfile != nil)
      #endif
      #expect(bitmap.bytes == plain.bytes)
    }

    /// Where the slices begin, behind their lengths.
    private func slices(_ data: Data) throws -> [Int] {
      var starts: [Int] = []
      var start = try #require(data.firstRange(of: Data("mdat".utf8))).upperBound
      while start + 4 < data.count {
        starts.append(start + 4)
        start += 4 + data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      return starts
    }

    @Test("a slice that is missing is damage, and never shows what was in memory", arguments: [0, 1])
    func missingSlice(number: Int) throws {
      var data = try Files.fixture("heic-slices.heic")
      let starts = try slices(data)
      #expect(starts.count == 2)
      // Of a kind that is passed over: 39, supplemental information.
      data[starts[number]] = 39 << 1
      #expect(decodeError(data)?.code == .corrupt)
    }

    @Test("a slice of a picture that depends on others is not supported")
    func dependentSlice() throws {
      var data = try Files.fixture("heic-420.heic")
      data[try slices(data)[0]] = 1 << 1
      #expect(decodeError(data)?.code == .unsupportedFormat)
    }

    @Test("lengths that lead beyond the data are damage", arguments: [0, 1, 2, 0x7F, 0xFF] as [UInt8])
    func impossibleLength(byte: UInt8) throws {
      var data = try Files.fixture("heic-420.heic")
      let start = try slices(data)[0]
      data.replaceSubrange(start - 4..<start, with: [byte, 0, 0, byte == 0 ? 0 : byte])
      #expect(decodeError(data)?.code == .corrupt)
    }

    @Test("a size beyond the coded one is damage", arguments: [47, 48, 460] as [UInt32])
    func largerSize(width: UInt32) throws {
      var data = try Files.fixture("heic-420.heic")
      let extents = try #require(data.firstRange(of: Data("ispe".utf8))).upperBound + 4
      data.replaceSubrange(extents..<extents + 4, with: PNGChunks.bigEndian(width))
      #expect(decodeError(data)?.code == .corrupt)
    }

    @Test("overlays and kinds of items that nobody knows are not supported", arguments: ["iovl", "abcd", "av01"])
    func derivations(kind: String) throws {
      let data = try replacing("iden", kind, in: Files.fixture("heic-identity.heic"))
      #expect(try ImageDecoder().probe(data)?.size == PixelSize(width: 46, height: 38))
      #expect(decodeError(data)?.code == .unsupportedFormat)
    }

    @Test("a picture that only a part of is held decodes beyond the limit of whole ones")
    func gridBeyondLimit() throws {
      var limits = DecodeLimits()
      limits.maximumFullPixels = 64 * 64
      let target = DecodeTarget.box(PixelSize(width: 40, height: 40), .fit)
      let image = try ImageDecoder(limits: limits).decode(Files.fixture("heic-grid.heic"), target: target)
      #expect(image.bitmap.size == PixelSize(width: 40, height: 27))
      limits.maximumFullPixels -= 1
      let error = codecError {
        _ = try ImageDecoder(limits: limits).decode(Files.fixture("heic-grid.heic"), target: target)
      }
      #expect(error?.code == .tooManyPixels)
    }
  }
#endif
