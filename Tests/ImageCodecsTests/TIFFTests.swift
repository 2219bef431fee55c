#if TIFF || canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// A TIFF and what it must decode to: `Fixtures/make-tiff.py`.
  struct TIFFFixture: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var width: Int
    var height: Int
    /// The number of the picture.
    var picture: Int
    /// The most that a channel may be off.
    var tolerance: Int
    var bitDepth: Int
    var hasAlpha: Bool
    var orientation: UInt8

    private struct Manifest: Decodable, Sendable {
      /// Premultiplied, the right way up.
      var pictures: [Data]
      var files: [TIFFFixture]
    }

    private static let manifest: Manifest = {
      do {
        return try JSONDecoder().decode(Manifest.self, from: Files.fixture("tiff.json"))
      } catch {
        Issue.record("The list of TIFFs cannot be read: \(error)")
        return Manifest(pictures: [], files: [])
      }
    }()

    static let all = manifest.files

    var data: Data { get throws { try Files.fixture(file) } }
    var size: PixelSize { PixelSize(width: width, height: height) }
    var pixels: Data { Self.manifest.pictures[picture] }
    var testDescription: String { file }
  }

  @Suite("TIFF")
  struct TIFFTests {
    #if canImport(Darwin)
      /// What ImageIO decodes is Apple's.
      static let decoded = TIFFFixture.all.filter { ["tiff-rgb8.tiff", "tiff-lzw.tiff"].contains($0.file) }
    #else
      static let decoded = TIFFFixture.all
    #endif

    @Test("every variant decodes to the pixels that were written", arguments: decoded)
    func decodes(fixture: TIFFFixture) throws {
      let image = try ImageDecoder().decode(fixture.data)
      #expect(image.bitmap.size == fixture.size)
      #expect(image.bitmap.isOpaque == !fixture.hasAlpha)
      let difference = zip(image.bitmap.bytes, fixture.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(difference <= fixture.tolerance)
    }

    @Test("the header tells what the file holds", arguments: TIFFFixture.all)
    func header(fixture: TIFFFixture) throws {
      let info = try #require(try ImageDecoder().probe(fixture.data))
      #expect(info.format == .tiff)
      #expect(info.size == fixture.size)
      #expect(info.bitDepth == fixture.bitDepth)
      #expect(info.hasAlpha == fixture.hasAlpha)
      #expect(info.orientation.rawValue == fixture.orientation)
    }

    @Test("a scaled picture has the size and the colours of the whole", arguments: decoded)
    func scaled(fixture: TIFFFixture) throws {
      let box = PixelSize(width: 20, height: 20)
      let small = try ImageDecoder().decode(fixture.data, target: .box(box, .fit)).bitmap
      #expect(small.size == fixture.size.scaled(into: box, mode: .fit))
      let means = [small.bytes, Array(fixture.pixels)].map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
      #expect(abs(means[0] - means[1]) < 4)
    }
  }
#endif

#if TIFF && !canImport(Darwin)
  @Suite("TIFF through libtiff")
  struct LibTIFFTests {
    @Test(
      "a file cut anywhere is truncated, unless nothing of the picture is behind the cut", arguments: TIFFFixture.all)
    func truncated(fixture: TIFFFixture) throws {
      let data = try fixture.data
      let whole = try ImageDecoder().decode(data).bitmap.bytes
      for count in 4..<data.count where count < 400 || count > data.count - 200 || count % 31 == 0 {
        let part = data.prefix(count)
        var bytes: [UInt8]?
        let error = codecError { bytes = try ImageDecoder().decode(part).bitmap.bytes }
        #expect(bytes == nil ? error?.code == .truncated : bytes == whole, "cut to \(count)")
      }
    }

    @Test("rows of one long strip are shown as far as they are there")
    func partialStrip() throws {
      let pixels = Data((0..<100_000).map { UInt8($0 * 7 % 251 + 1) })
      var file = TIFFFile(width: 100, height: 1_000, pixels: Data(count: 60_000))
      file.fields[273] = .longs([file.data.count])
      let data = file.data + pixels
      let whole = try ImageDecoder().decode(data).bitmap.bytes
      #expect(whole.count == 400_000 && whole[4 * 777] == pixels[777])
      for count in [20_000, 50_000, 99_999] {
        let image = try ImageDecoder(damage: .lenient).decode(data.prefix(file.data.count + count))
        let shown = image.bitmap.bytes.prefix { $0 != 0 }.count
        #expect(shown <= count * 4 && shown > (count - 10_000) * 4)
        #expect(image.bitmap.bytes.prefix(shown) == whole.prefix(shown))
        #expect(image.bitmap.bytes.dropFirst(shown).allSatisfy { $0 == 0 })
      }
    }

    @Test("rows before a fault are shown where that is asked for, and no others", arguments: ["lzw", "planar"])
    func partial(variant: String) throws {
      var data = try Files.fixture("tiff-\(variant).tiff")
      let whole = try ImageDecoder().decode(data).bitmap
      let rows: Int
      switch variant {
      case "lzw":
        // Strips of seven rows, of which the second is damaged from its first byte on.
        let info = try TIFFStrips(data)
        for offset in 0..<40 { data[info.offsets[1] + offset] = 0xFF }
        rows = 7
      default:
        // Planes of five rows a strip, of which the last one is cut in its last strips.
        data = data.dropLast(37 * 8)
        rows = 15
      }
      #expect(codecError { _ = try ImageDecoder().decode(data) }?.isDamageOfFile == true)
      let image = try ImageDecoder(damage: .lenient).decode(data)
      #expect(image.isPartial)
      let shown = whole.bytes.prefix(rows * 37 * 4)
      #expect(image.bitmap.bytes.prefix(rows * 37 * 4) == shown)
      #expect(image.bitmap.bytes.dropFirst(rows * 37 * 4).allSatisfy { $0 == 0 })
    }

    @Test("damage within the data is found", arguments: ["deflate", "lzma", "jpeg-444", "fax4", "fax3"])
    func damage(variant: String) throws {
      var data = try Files.fixture("tiff-\(variant).tiff")
      let strips = try TIFFStrips(data)
      let middle = strips.offsets[0] + strips.counts[0] / 2
      for offset in 0..<8 { data[middle + offset] ^= 0xA5 }
      #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
    }

    @Test(
      "a variant that cannot be decoded is no damage",
      arguments: [
        (259, 6), (259, 34661), (259, 34676), (259, 12345), (262, 8), (262, 32803), (262, 12345), (339, 2), (339, 3),
        (258, 24), (258, 32),
      ])
    func variants(tag: Int, value: Int) throws {
      var file = TIFFFile(width: 37, height: 23, pixels: Data(count: 37 * 23 * 4))
      if tag == 262 { file.fields[277] = .shorts([3]) }
      file.fields[tag] = .shorts([value])
      #expect(codecError { _ = try ImageDecoder().decode(file.data) }?.code == .unsupportedFormat)
    }

    @Test("samples of different depths are a variant, too")
    func unequal() throws {
      var file = TIFFFile(width: 37, height: 23, pixels: Data(count: 37 * 23 * 2))
      file.fields[258] = .shorts([5, 6, 5])
      file.fields[262] = .shorts([2])
      file.fields[277] = .shorts([3])
      #expect(codecError { _ = try ImageDecoder().decode(file.data) }?.code == .unsupportedFormat)
    }

    @Test("a directory that does not fit its pixels is damage")
    func misfits() throws {
      func code(_ change: (inout TIFFFile) -> Void) -> CodecError.Code? {
        var file = TIFFFile(width: 37, height: 23, pixels: Data(count: 37 * 23))
        change(&file)
        return codecError { _ = try ImageDecoder().decode(file.data) }?.code
      }
      #expect(code { _ in } == nil)
      #expect(code { $0.fields[273] = nil } == .corrupt)
      #expect(code { $0.fields[278] = .shorts([0]) } == .corrupt)
      #expect(code { $0.fields[278] = .shorts([1]) } == .corrupt)
      #expect(code { $0.fields[262] = .shorts([2]) } == .corrupt)
      #expect(code { $0.fields[262] = .shorts([3]) } == .corrupt)
      #expect(code { $0.fields[273] = .longs([-1]) } == .truncated)
      #expect(code { $0.fields[279] = .longs([1]) } == nil)
      #expect(code { $0.fields[279] = nil } == nil)
      for side in [0, 1, 15, 17, 33_554_432] {
        let tiles = code { file in
          (file.fields[322], file.fields[323]) = (.longs([side]), .longs([16]))
          file.fields[324] = .longs([8, 8, 8, 8, 8, 8])
        }
        #expect(tiles == .corrupt, "\(side)")
      }
    }

    @Test(
      "sides, pixels, time and cancellation bound it", arguments: ["rgb8", "tiles-deflate16", "planar", "jpeg-420"])
    func limits(variant: String) throws {
      let data = try Files.fixture("tiff-\(variant).tiff")
      let small = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
      func code(_ target: DecodeTarget, _ change: (inout DecodeLimits) -> Void) -> CodecError.Code? {
        var limits = DecodeLimits()
        change(&limits)
        return codecError { _ = try ImageDecoder(limits: limits).decode(data, target: target) }?.code
      }
      #expect(code(small) { $0.maximumSide = 36 } == .tooManyPixels)
      #expect(code(.full) { $0.maximumFullPixels = 800 } == .tooManyPixels)
      #expect(code(small) { $0.maximumFullPixels = 800 } == nil)
      #expect(code(small) { $0.maximumSeconds = 0 } == .timedOut)
      #expect(throws: CancellationError.self) { try ImageDecoder().decode(data) { true } }
    }

    @Test("samples that are not shown count as pixels, and as memory")
    func samples() throws {
      var file = TIFFFile(width: 10, height: 10, pixels: Data(repeating: 7, count: 10 * 10 * 1_000))
      file.fields[277] = .shorts([1_000])
      func code(_ change: (inout DecodeLimits) -> Void) -> CodecError.Code? {
        var limits = DecodeLimits()
        change(&limits)
        return codecError { _ = try ImageDecoder(limits: limits).decode(file.data) }?.code
      }
      #expect(code { $0.maximumSourcePixels = 10 * 10 * 1_000 / 4 } == nil)
      #expect(code { $0.maximumSourcePixels = 10 * 10 * 1_000 / 4 - 1 } == .tooManyPixels)
      // The strip as it is in the file, and the rest of a row twice.
      #expect(code { $0.maximumWorkingBytes = 100_000 + 10 * 999 * 2 } == nil)
      #expect(code { $0.maximumWorkingBytes = 100_000 + 10 * 999 * 2 - 1 } == .tooMuchMemory)
    }

    @Test("strips and tiles that are held count as working memory, as much as they are long")
    func memory() throws {
      func code(_ file: String, bytes: Int) throws -> CodecError.Code? {
        var limits = DecodeLimits()
        limits.maximumWorkingBytes = bytes
        return codecError { _ = try ImageDecoder(limits: limits).decode(Files.fixture(file)) }?.code
      }
      // A row of three tiles of 16 x 16 pixels, and one as it is in the file.
      #expect(try code("tiff-tiles.tiff", bytes: 16 * 16 * 3 * 4) == nil)
      #expect(try code("tiff-tiles.tiff", bytes: 16 * 16 * 3 * 4 - 1) == .tooMuchMemory)
      let longest = try TIFFStrips(Files.fixture("tiff-deflate.tiff")).counts.max() ?? 0
      #expect(try code("tiff-deflate.tiff", bytes: longest - 1) == .tooMuchMemory)
    }
  }

  extension CodecError {
    fileprivate var isDamageOfFile: Bool { code == .corrupt || code == .truncated }
  }

  /// Where the strips are of a file in little-endian order whose arrays of them have several numbers of two or four bytes.
  private struct TIFFStrips {
    private let data: Data
    private(set) var offsets: [Int] = []
    private(set) var counts: [Int] = []

    init(_ data: Data) throws {
      self.data = data
      let directory = number(4, 4)
      for index in 0..<number(directory, 2) {
        let entry = directory + 2 + index * 12
        let length = number(entry + 2, 2) == 3 ? 2 : 4
        let count = number(entry + 4, 4)
        let place = count * length > 4 ? number(entry + 8, 4) : entry + 8
        let values =
          [273, 279].contains(number(entry, 2)) ? (0..<count).map { number(place + $0 * length, length) } : []
        if number(entry, 2) == 273 { offsets = values }
        if number(entry, 2) == 279 { counts = values }
      }
      try #require(!offsets.isEmpty && offsets.count == counts.count)
    }

    private func number(_ start: Int, _ length: Int) -> Int {
      (0..<length).reduce(0) { $0 | Int(data[data.startIndex + start + $1]) << (8 * $1) }
    }
  }
#endif
