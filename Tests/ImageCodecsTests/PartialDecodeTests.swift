import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Lenient decoding of damaged and truncated files", .timeLimit(.minutes(5)))
struct PartialDecodeTests {
  private static let lenient = ImageDecoder(damage: .lenient)

  /// Lengths to cut to, denser where headers are and at the end.
  private static func lengths(of data: Data) -> [Int] {
    (1..<data.count).filter { $0 < 60 || $0 > data.count - 20 || $0 % max(1, data.count / 48) == 0 }
  }

  /// Formats that are decoded leniently here.
  #if canImport(Darwin)
    private static let formats: [ImageFormat] = [.gif, .bmp, .ico]
  #else
    private static let formats: [ImageFormat] = [.jpeg, .png, .gif, .bmp, .webp, .ico]
  #endif

  private static func fixtures(_ format: ImageFormat) throws -> [Fixture] {
    try Fixture.small.filter { try ImageDecoder().probe($0.data)?.format == format }
  }

  /// Whether a picture is refined as a whole rather than told row by row.
  private static func isRefined(_ fixture: Fixture) -> Bool {
    ["progressive", "interlaced", "scans"].contains { fixture.file.contains($0) }
  }

  /// How many pixels are those of the whole picture; `nil` where one is neither that nor transparent.
  private static func pixelsHere(_ part: [UInt8], of whole: [UInt8]) -> Int? {
    var count = 0
    for at in stride(from: 0, to: whole.count, by: 4) {
      if part[at..<at + 4] == whole[at..<at + 4] {
        count += part[at + 3] == 0 ? 0 : 1
      } else if part[at..<at + 4] != [0, 0, 0, 0] {
        return nil
      }
    }
    return count
  }

  @Test("a file cut anywhere is an error or marked, and what is there of it is right", arguments: formats)
  func truncation(format: ImageFormat) throws {
    for fixture in try Self.fixtures(format) {
      let data = try fixture.data
      let whole = try ImageDecoder().decode(data).bitmap
      var most = 0
      for length in Self.lengths(of: data) {
        let part = data.prefix(length)
        let strict = codecError { _ = try ImageDecoder().decode(part) }
        let image: DecodedImage
        do {
          image = try Self.lenient.decode(part)
        } catch let error as CodecError {
          #expect(error == strict, "\(fixture.file) cut to \(length)")
          continue
        }
        #expect(image.isPartial == (strict != nil), "\(fixture.file) cut to \(length)")
        #expect(image.bitmap.size == whole.size)
        guard !Self.isRefined(fixture) else { continue }
        let here = Self.pixelsHere(image.bitmap.bytes, of: whole.bytes)
        #expect(here != nil, "\(fixture.file) cut to \(length)")
        #expect((here ?? 0) >= most, "\(fixture.file) cut to \(length)")
        most = max(most, here ?? 0)
      }
    }
  }

  #if canImport(Darwin)
    static let halves = ["rgb24.bmp", "rle8.bmp", "top-down24.bmp", "plain.gif", "alpha32.ico", "mask24.ico"]
  #else
    static let halves = [
      "rgb24.bmp", "rle8.bmp", "top-down24.bmp", "plain.gif", "420.jpg", "grey.jpg", "cmyk.jpg", "rgb8.png",
      "rgba8.png", "lossy.webp", "lossless.webp", "alpha32.ico", "mask24.ico", "mask8.ico", "png-inside.ico",
    ]
  #endif

  @Test("of a file that is cut at the right place some rows are there and some are not", arguments: halves)
  func someRows(file: String) throws {
    let data = try Files.fixture(file)
    let whole = try ImageDecoder().decode(data).bitmap
    let found = try (1..<data.count).contains { length in
      guard let image = try? Self.lenient.decode(data.prefix(length)), image.isPartial else { return false }
      let here = try #require(Self.pixelsHere(image.bitmap.bytes, of: whole.bytes))
      return !image.bitmap.isOpaque && here > 0 && here < whole.size.area
    }
    #expect(found)
  }

  @Test("whole files are decoded as strictly, and not marked", arguments: formats)
  func whole(format: ImageFormat) throws {
    for fixture in try Self.fixtures(format) {
      let image = try Self.lenient.decode(fixture.data, target: fixture.target)
      let strict = try ImageDecoder().decode(fixture.data, target: fixture.target)
      #expect(!image.isPartial)
      #expect(image.bitmap.bytes == strict.bitmap.bytes, "\(fixture.file)")
      #expect(image.bitmap.isOpaque == strict.bitmap.isOpaque, "\(fixture.file)")
    }
  }

  @Test("an interlaced GIF shows each row, or one above it that an earlier pass brought")
  func interlacedGIF() throws {
    let data = try Files.fixture("interlaced.gif")
    let whole = try ImageDecoder().decode(data).bitmap
    func row(_ bitmap: Bitmap, _ y: Int) -> [UInt8] {
      Array(bitmap.bytes[y * bitmap.bytesPerRow..<(y + 1) * bitmap.bytesPerRow])
    }
    var exact: [Int] = []
    for length in Self.lengths(of: data) {
      guard let image = try? Self.lenient.decode(data.prefix(length)), image.isPartial else { continue }
      for y in 0..<whole.size.height {
        let shown = row(image.bitmap, y)
        let isMissing = shown.allSatisfy { $0 == 0 }
        #expect(isMissing || [y, y & ~1, y & ~3, y & ~7].contains { row(whole, $0) == shown }, "\(length), row \(y)")
      }
      exact.append((0..<whole.size.height).filter { row(image.bitmap, $0) == row(whole, $0) }.count)
    }
    #expect(exact == exact.sorted())
    #expect(exact.contains { $0 > whole.size.height / 2 && $0 < whole.size.height })
  }

  #if !canImport(Darwin)
    @Test(
      "a picture in scans or passes is there as a whole, the better the more has come",
      arguments: [
        "progressive.jpg", "grey-progressive.jpg", "cmyk-progressive.jpg", "rgb8-interlaced.png",
        "rgba8-interlaced.png",
      ])
    func refined(file: String) throws {
      let data = try Files.fixture(file)
      let whole = try ImageDecoder().decode(data).bitmap
      var qualities: [Double] = []
      for length in Self.lengths(of: data) {
        guard let image = try? Self.lenient.decode(data.prefix(length)), image.isPartial else { continue }
        qualities.append(Quality.psnr(image.bitmap.bytes, whole.bytes))
      }
      let first = try #require(qualities.first)
      let last = try #require(qualities.last)
      #expect(first > 8)
      #expect(last > first + 3)
    }

    @Test(
      "half of a large picture is there when it is scaled, too",
      arguments: ["dandelion-12mp.jpg", "chelsea.png", "coffee.webp"])
    func scaled(photo: String) throws {
      let data = try Files.photo(photo)
      let target = DecodeTarget.box(PixelSize(width: 60, height: 40), .fit)
      let whole = try ImageDecoder().decode(data, target: target).bitmap
      let image = try Self.lenient.decode(data.prefix(data.count / 2), target: target)
      #expect(image.isPartial)
      #expect(image.bitmap.size == whole.size)
      // A quarter from the top is far from where the rows end, so that the filter does not reach what is missing.
      let upper = whole.size.height / 4 * whole.bytesPerRow
      let differences = zip(image.bitmap.bytes, whole.bytes).prefix(upper).map { abs(Int($0) - Int($1)) }
      #expect(differences.max() ?? 255 <= 1)
      #expect(image.bitmap[0, whole.size.height - 1].alpha == 0)
    }

    @Test(
      "an animated WebP that is cut behind its first frame has that frame, and none before",
      arguments: ["animated-keep-over.webp", "animated-lossy.webp", "animated-soft.webp"])
    func animatedWebP(file: String) throws {
      let data = try Files.fixture(file)
      let whole = try ImageDecoder().decode(data).bitmap
      let frame = try #require(data.firstRange(of: Data("ANMF".utf8))).upperBound
      let length = data[frame..<frame + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = frame + 4 + length
      for cut in [frame + 3, frame + 30, end - 1] {
        #expect(codecError { _ = try Self.lenient.decode(data.prefix(cut)) }?.code == .truncated)
      }
      for cut in [end, end + 1, data.count - 1] where cut < data.count {
        let image = try Self.lenient.decode(data.prefix(cut))
        #expect(image.isPartial && image.bitmap.bytes == whole.bytes)
      }
    }

    @Test("a picture on its side has its first rows where they are seen", arguments: 1...8)
    func oriented(orientation: Int) throws {
      let data = try Files.fixture("orientation\(orientation).png")
      let whole = try ImageDecoder().decode(data).bitmap
      let image = try Self.lenient.decode(data.prefix(data.count - 60))
      let here = try #require(Self.pixelsHere(image.bitmap.bytes, of: whole.bytes))
      #expect(here > 0 && here < whole.size.area)
      // Where the first stored pixel and the last are shown, by what Exif says of 0th row and column.
      let (right, bottom) = (whole.size.width - 1, whole.size.height - 1)
      let isRight = [2, 3, 6, 7].contains(orientation)
      let isBottom = [3, 4, 7, 8].contains(orientation)
      #expect(image.bitmap[isRight ? right : 0, isBottom ? bottom : 0].alpha == 255)
      #expect(image.bitmap[isRight ? 0 : right, isBottom ? 0 : bottom].alpha == 0)
    }
  #endif

  #if !canImport(Darwin)
    /// Segments by which a JPEG says, in the midst of its scans, that it is another one: all frame headers, with other
    /// sizes, depths and numbers of components, and tables, scan headers and markers with senseless contents.
    private static let segments: [Data] = {
      func segment(_ marker: UInt8, _ content: [UInt8]) -> Data {
        Data([0xFF, marker, 0, UInt8(content.count + 2)] + content)
      }
      let frames = ([0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCA, 0xCB, 0xCD] as [UInt8]).flatMap { marker in
        [1, 2, 3, 4].flatMap { (components: UInt8) in
          [(8, 0, 1), (8, 40, 40), (12, 255, 255)].map { (depth: UInt8, height: UInt8, width: UInt8) in
            segment(marker, [depth, 0, height, 0, width, components] + (1...components).flatMap { [$0, 0x22, 0] })
          }
        }
      }
      let others = ([0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xE0, 0xEE] as [UInt8]).flatMap { marker in
        [[], [0], [0xFF, 0xFF], [UInt8](repeating: 1, count: 12), [UInt8](repeating: 0x13, count: 80)].map {
          segment(marker, $0)
        }
      }
      return frames + others + [Data([0xFF, 0xD8]), Data([0xFF, 0x01]), Data([0xFF, 0xF0])]
    }()

    @Test(
      "what comes between scans changes nothing of those that came before",
      arguments: [
        "progressive.jpg", "arithmetic-progressive.jpg", "420-scans.jpg",
      ])
    func otherSegments(file: String) throws {
      let data = try Files.fixture(file)
      let size = try #require(try ImageDecoder().probe(data)).size
      let scans = data.indices.dropLast().filter { data[$0] == 0xFF && data[$0 + 1] == 0xDA }
      try #require(scans.count > 2)
      for target in [DecodeTarget.full, .box(PixelSize(width: 9, height: 9), .fit)] {
        for segment in Self.segments {
          for scan in [scans[1], scans[scans.count / 2], data.count - 2] {
            let changed = data[..<scan] + segment + data[scan...]
            guard let image = try? Self.lenient.decode(changed, target: target) else { continue }
            #expect(image.info.size == size)
            // Where more scans follow than precede, the colours are near those that are there without the segment.
            let expected = try? Self.lenient.decode(data[..<scan], target: target)
            if image.isPartial, let expected {
              #expect(Quality.psnr(image.bitmap.bytes, expected.bitmap.bytes) > 20, "\(segment as NSData)")
            }
          }
        }
      }
    }
  #endif

  @Test("flipped bits give the strict result, a marked one, or the strict error", arguments: Files.formats)
  func flips(format: ImageFormat) throws {
    let files = try Files.small().filter { try ImageDecoder().probe($0)?.format == format }
    var random = SeededRandom(state: 65_537)
    let limits = DecodeLimits(maximumSourcePixels: 1_000_000)
    for round in 0..<600 {
      var data = try #require(files.randomElement(using: &random))
      for _ in 0..<2 {
        data[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let target: DecodeTarget = round % 2 == 0 ? .full : .box(PixelSize(width: 9, height: 9), .fit)
      let strict = Result { try ImageDecoder(limits: limits).decode(data, target: target) }
      let image = Result { try ImageDecoder(limits: limits, damage: .lenient).decode(data, target: target) }
      switch (strict, image) {
      case (.success(let strict), .success(let image)):
        #expect(!image.isPartial && image.bitmap.bytes == strict.bitmap.bytes, "round \(round)")
      case (.failure, .success(let image)):
        #expect(image.isPartial && image.bitmap.byteCount == image.bitmap.size.area * 4, "round \(round)")
      case (.success, .failure): Issue.record("round \(round): lenient decoding fails where strict does not")
      case (.failure(let strict), .failure(let error)):
        #expect(strict as? CodecError == error as? CodecError, "round \(round)")
      }
    }
  }

  @Test("a damaged file of which no row is there is an error", arguments: ["rgb24.bmp", "plain.gif"])
  func nothingThere(file: String) throws {
    let data = try Files.fixture(file)
    let header = file.hasSuffix("bmp") ? 54 : 0x0D + 4
    #expect(codecError { _ = try Self.lenient.decode(data.prefix(header)) }?.code == .truncated)
  }
}
