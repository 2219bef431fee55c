import Foundation
import ImageCodecs
import Pixels
import Testing

/// The header of a JPEG XL codestream, written by `Fixtures/make-jxl.py`, and what it says.
struct JXLHeaderFixture: Decodable, Sendable, CustomTestStringConvertible {
  var data: Data
  var width: Int
  var height: Int
  var bitDepth: Int
  var hasAlpha: Bool
  var orientation: UInt8
  var color: String
  var model: String
  var loopCount: Int?

  static let all: [JXLHeaderFixture] = {
    do {
      return try JSONDecoder().decode([JXLHeaderFixture].self, from: Files.fixture("jxl-headers.json"))
    } catch {
      Issue.record("The list of headers cannot be read: \(error)")
      return []
    }
  }()

  var info: ImageInfo {
    ImageInfo(
      format: .jxl, storedSize: PixelSize(width: width, height: height),
      orientation: Orientation(rawValue: orientation) ?? .up, hasAlpha: hasAlpha, bitDepth: bitDepth,
      colorModel: ColorModel(rawValue: model) ?? .rgb,
      colorSpace: color == "sRGB" ? .sRGB : color == "profile" ? .profile(name: nil) : .parameters,
      animation: loopCount.map { AnimationInfo(loopCount: $0) })
  }

  var testDescription: String { data.prefix(40).map { String($0, radix: 16) }.joined(separator: " ") }
}

@Suite("Headers of JPEG XL, in every build", .timeLimit(.minutes(5)))
struct JXLHeaderTests {
  private func probe(_ data: Data) throws -> ImageInfo? { try ImageDecoder().probe(data) }

  @Test("every field is read, or passed over", arguments: JXLHeaderFixture.all)
  func fields(fixture: JXLHeaderFixture) throws {
    #expect(try probe(fixture.data) == fixture.info)
    #expect(try probe(fixture.data + Data(repeating: 0xFF, count: 9)) == fixture.info)
  }

  @Test("a header that is not all there needs more bytes", arguments: JXLHeaderFixture.all)
  func beginnings(fixture: JXLHeaderFixture) throws {
    for count in 1..<fixture.data.count where count < 600 || count % 97 == 0 {
      #expect(try probe(fixture.data.prefix(count)) == nil, "\(count) bytes")
    }
  }

  // MARK: Containers

  private static let signature = box("JXL ", Data([0x0D, 0x0A, 0x87, 0x0A]))
  private static let fileType = box("ftyp", Data("jxl \0\0\0\0jxl ".utf8))

  private static func box(_ type: String, _ content: Data) -> Data {
    PNGChunks.bigEndian(UInt32(content.count + 8)) + Data(type.utf8) + content
  }

  private static func part(_ number: UInt32, isLast: Bool = false, _ content: Data) -> Data {
    box("jxlp", PNGChunks.bigEndian(number | (isLast ? 1 << 31 : 0)) + content)
  }

  /// Behind boxes that come before a picture: among them one with nothing in it, and one that is compressed.
  private static func wrapped(_ boxes: Data) -> Data {
    let others = box("jxll", Data([10])) + box("Exif", Data(count: 40)) + box("free", Data())
    return signature + fileType + others + box("brob", Data("xml \u{1}\u{2}".utf8)) + boxes
  }

  @Test("a container says what its codestream says, in one piece or in many", arguments: JXLHeaderFixture.all)
  func container(fixture: JXLHeaderFixture) throws {
    let data = fixture.data
    var pieces = Data()
    for (number, start) in stride(from: 0, to: data.count, by: max(1, data.count / 7)).enumerated() {
      pieces += Self.part(UInt32(number), data[start..<min(start + max(1, data.count / 7), data.count)])
      pieces += Self.box("xml ", Data("<x/>".utf8))
    }
    let last = Self.part(99, isLast: true, Data(count: 9))
    for file in [Self.box("jxlc", data + Data(count: 9)), pieces + last].map(Self.wrapped) {
      #expect(try probe(file) == fixture.info)
    }
    // A length of 0 goes on to the end of the file.
    #expect(try probe(Self.wrapped(Data(count: 4) + Data("jxlc".utf8) + data)) == fixture.info)
    // What is behind the last part is none.
    if data.count < 1_000 {
      let cut = Self.wrapped(Self.part(0, isLast: true, data.prefix(data.count - 1)) + Self.part(1, data))
      #expect(try probe(cut) == nil)
    }
  }

  @Test("a container that is cut needs more bytes")
  func cutContainer() throws {
    let fixture = try #require(JXLHeaderFixture.all.last)
    let file = Self.wrapped(
      Self.part(0, fixture.data.prefix(5)) + Self.part(1, isLast: true, fixture.data.dropFirst(5)))
    for count in 1..<file.count { #expect(try probe(file.prefix(count)) == nil, "\(count) bytes") }
    #expect(try probe(file) == fixture.info)
  }

  // MARK: Senseless headers

  @Test("a codestream of another kind in a container is damage")
  func otherCodestream() {
    let file = Self.wrapped(Self.box("jxlc", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0])))
    #expect(codecError { _ = try probe(file) }?.code == .corrupt)
  }

  @Test("a box of impossible length is damage")
  func impossibleBox() {
    let file = Self.signature + Self.fileType + Data([0, 0, 0, 7]) + Data("Exif".utf8) + Data(count: 9)
    #expect(codecError { _ = try probe(file) }?.code == .corrupt)
  }

  @Test("profiles and names longer than the limit of metadata are refused")
  func metadata() throws {
    var limits = DecodeLimits()
    limits.maximumMetadataBytes = 2
    for fixture in JXLHeaderFixture.all where fixture.color == "profile" {
      #expect(codecError { _ = try ImageDecoder(limits: limits).probe(fixture.data) }?.code == .tooMuchMetadata)
    }
    let named = JXLHeaderFixture.all.filter { $0.model == "cmyk" }
    limits.maximumMetadataBytes = 1_070
    #expect(!named.isEmpty)
    for fixture in named {
      #expect(
        codecError { _ = try ImageDecoder(limits: limits).probe(fixture.data) }?.code == .tooMuchMetadata)
    }
  }

  @Test("random bits behind the signature never crash, and never make a picture without a size")
  func randomBits() throws {
    var random = SeededRandom(state: 271_828)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...60, using: &random)
      let data = Data([0xFF, 0x0A]) + Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      let info = try? probe(data)
      #expect(info?.storedSize.isEmpty != true)
    }
  }
}
