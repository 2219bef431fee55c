import Foundation
import ImageCodecs
import Testing

@Suite("Variants of JPEG that are refused")
struct JPEGVariantTests {
  /// The file with another start of frame (ITU-T T.81, table B.1), or another precision of samples.
  private func file(frame: UInt8, precision: UInt8 = 8) throws -> Data {
    var data = try Files.fixture("420.jpg")
    let marker = try #require(data.firstRange(of: Data([0xFF, 0xC0, 0x00, 0x11])))
    data[marker.lowerBound + 1] = frame
    data[marker.lowerBound + 4] = precision
    return data
  }

  @Test(
    "lossless, hierarchical, and what is both, is named as a rare variant",
    arguments: [0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func process(frame: UInt8) throws {
    let data = try file(frame: frame)
    for damage in [DamagePolicy.strict, .lenient] {
      #expect(codecError { _ = try ImageDecoder(damage: damage).decode(data) }?.code == .unsupportedFormat)
    }
  }

  @Test("samples of more than 8 bits are refused, and their depth is told", arguments: [0xC0, 0xC1, 0xC2] as [UInt8])
  func precision(frame: UInt8) throws {
    let data = try file(frame: frame, precision: 12)
    #expect(try ImageDecoder().probe(data)?.bitDepth == 12)
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .unsupportedFormat)
  }

  @Test("sampling factors that make no picture are an error", arguments: [0x00, 0x01, 0x50, 0x55, 0xFF] as [UInt8])
  func factors(factor: UInt8) throws {
    var data = try file(frame: 0xC0)
    let marker = try #require(data.firstRange(of: Data([0xFF, 0xC0, 0x00, 0x11])))
    data[marker.lowerBound + 11] = factor
    let code = codecError { _ = try ImageDecoder().decode(data) }?.code
    #expect(code == .corrupt || code == .unsupportedFormat)
  }
}
