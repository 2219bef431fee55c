import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Probing a header")
struct ProbeTests {
  @Test("tells format, size, orientation and transparency", arguments: Fixture.full)
  func info(fixture: Fixture) throws {
    let info = try #require(try ImageDecoder().probe(fixture.data))
    #expect(info.size == (try ExpectedPixels(fixture.expected).size))
    #expect(info.orientation.rawValue == fixture.orientation)
    #expect(info.hasAlpha == fixture.hasAlpha)
    let ending = fixture.file.hasSuffix("jpg") ? "jpeg" : String(fixture.file.split(separator: ".").last ?? "")
    #expect(info.format.rawValue == ending)
  }

  @Test("asks for more bytes until it knows, and then says the same for good", arguments: Fixture.small)
  func prefixes(fixture: Fixture) throws {
    let data = try fixture.data
    let whole = try ImageDecoder().probe(data)
    var isKnown = false
    for count in 1...data.count {
      let info = try ImageDecoder().probe(data.prefix(count))
      #expect(info == nil && !isKnown || info == whole, "after \(count) bytes")
      isKnown = info != nil
    }
  }

  @Test(
    "needs only the beginning of a large file",
    arguments: ["dandelion-12mp.jpg", "coffee-round-alpha.png", "coffee.webp"])
  func beginning(photo: String) throws {
    let data = try Files.photo(photo)
    #expect(try ImageDecoder().probe(data.prefix(1024)) == ImageDecoder().probe(data))
    #expect(try ImageDecoder().probe(data.prefix(1024)) != nil)
  }

  @Test("finds an orientation that stands behind the image data of a PNG")
  func lateExif() throws {
    let data = try Files.fixture("orientation6.png")
    let (before, exif, after) = try #require(PNGChunks.split(data, at: "eXIf"))
    let (header, image, end) = try #require(PNGChunks.split(before + after, at: "IDAT"))
    let info = try #require(try ImageDecoder().probe(header + image + exif + end))
    #expect(info.orientation == .right)
  }

  @Test("takes an orientation it cannot understand for none", arguments: [0, 9, 255] as [UInt8])
  func impossibleOrientation(value: UInt8) throws {
    var data = try Files.fixture("orientation6.jpg")
    let tag = try #require(data.firstRange(of: Data([0x01, 0x12, 0, 3, 0, 0, 0, 1])))
    data[tag.upperBound + 1] = value
    #expect(try ImageDecoder().probe(data)?.orientation == .up)
  }
}
