import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("What a header says of colours")
struct HeaderInfoTests {
  @Test(
    "depth and model follow the file",
    arguments: [
      ("rgb8.png", 8, ColorModel.rgb), ("rgb16.png", 16, .rgb), ("grey1.png", 1, .grey), ("grey16.png", 16, .grey),
      ("grey-alpha8.png", 8, .grey), ("palette2.png", 8, .indexed), ("420.jpg", 8, .rgb), ("grey.jpg", 8, .grey),
      ("cmyk.jpg", 8, .cmyk), ("lossy.webp", 8, .rgb), ("plain.gif", 8, .indexed), ("rgb555.bmp", 5, .rgb),
      ("mask4.ico", 8, .indexed), ("png-inside.ico", 8, .rgb),
    ])
  func depthAndModel(file: String, depth: Int, model: ColorModel) throws {
    let info = try #require(try ImageDecoder().probe(Files.fixture(file)))
    #expect(info.bitDepth == depth)
    #expect(info.colorModel == model)
    #expect(info.colorSpace == .untagged)
  }

  private static let gamma = chunk("gAMA", [0, 0, 0xB1, 0x8F])
  private static let standard = chunk("sRGB", [0])
  private static let profile = chunk(
    "iCCP", Array("Caf\u{E9} P3".unicodeScalars.map { UInt8($0.value) }) + [0, 0, 1, 2])
  private static let codes = chunk("cICP", [12, 13, 0, 1])

  private static func chunk(_ kind: String, _ content: [UInt8]) -> Data {
    Data([0, 0, 0, UInt8(content.count)] + Array(kind.utf8) + content + [0, 0, 0, 0])
  }

  @Test(
    "of several chunks of a PNG the one of the highest rank counts, in whatever order",
    arguments: [
      ([gamma], ColorSpaceSummary.parameters), ([gamma, standard], .sRGB), ([standard, gamma], .sRGB),
      ([profile, standard], .profile(name: "Caf\u{E9} P3")), ([standard, profile], .profile(name: "Caf\u{E9} P3")),
      ([codes, profile], .parameters), ([profile, codes, standard], .parameters),
    ])
  func png(chunks: [Data], expected: ColorSpaceSummary) throws {
    let (before, image, after) = try #require(PNGChunks.split(Files.fixture("rgb8.png"), at: "IDAT"))
    let data = before + chunks.reduce(Data(), +) + image + after
    #expect(try ImageDecoder().probe(data)?.colorSpace == expected)
  }

  /// A profile that holds nothing but its description.
  private static func profile(description: [UInt8]) -> [UInt8] {
    let tags: [UInt8] = [0, 0, 0, 2] + Array("cprt".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
    return [UInt8](repeating: 0, count: 128) + tags + Array("desc".utf8) + [0, 0, 0, 156, 0, 0, 0, 99] + description
  }

  /// Version 2: ASCII, its length with a zero at the end.
  private static let ascii = Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 5] + Array("Wide\0".utf8)
  /// Version 4: UTF-16 somewhere behind a table of languages.
  private static let unicode =
    Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("enUS".utf8)
    + [0, 0, 0, 6, 0, 0, 0, 28, 0, 0x50, 0, 0x33, 0x26, 0x03]

  @Test(
    "a JPEG's and a WebP's profile is named by its own description",
    arguments: [
      (ascii, "Wide"), (unicode, "P3\u{2603}"), ([], nil), (Array("mluc".utf8), nil), ([1, 2, 3, 4, 5], nil),
    ]
      as [([UInt8], String?)])
  func profileName(description: [UInt8], name: String?) throws {
    let profile = Self.profile(description: description)
    var jpeg = try Files.fixture("420.jpg")
    let segment = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
    jpeg.insert(contentsOf: [0xFF, 0xE2, 0, UInt8(segment.count + 2)] + segment, at: 2)
    #expect(try ImageDecoder().probe(jpeg)?.colorSpace == .profile(name: name))

    let lossless = try Files.fixture("lossless.webp").dropFirst(12)
    let chunk = Data("ICCP".utf8) + [UInt8(profile.count), 0, 0, 0] + profile + Data(count: profile.count % 2)
    let body = Data("WEBPVP8X".utf8) + [10, 0, 0, 0, 0x20, 0, 0, 0, 36, 0, 0, 22, 0, 0] + chunk + lossless
    let webp = Data("RIFF".utf8) + withUnsafeBytes(of: UInt32(body.count).littleEndian) { Data($0) } + body
    #expect(try ImageDecoder().probe(webp)?.colorSpace == .profile(name: name))
    #expect(try ImageDecoder().decode(webp).info.size == PixelSize(width: 37, height: 23))
  }
}
