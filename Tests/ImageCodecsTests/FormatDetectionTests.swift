import Foundation
import ImageCodecs
import Testing

@Suite("Telling formats apart")
struct FormatDetectionTests {
  @Test(
    "a known format without a decoder is named",
    arguments: [
      ("AVIF sequence", [0, 0, 0, 0x10] + Array("ftypavis\0\0\0\0".utf8)),
      ("HEIF", [0, 0, 0, 0x14] + Array("ftypmif1\0\0\0\0miaf".utf8)),
      ("JPEG 2000", [0, 0, 0, 0x0C] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]),
    ] as [(String, [UInt8])])
  func unsupported(name: String, bytes: [UInt8]) throws {
    let probed = codecError { _ = try ImageDecoder().probe(Data(bytes)) }
    let decoded = codecError { _ = try ImageDecoder().decode(Data(bytes)) }
    #expect(probed?.code == .unsupportedFormat)
    #expect(probed?.message.contains(name) == true)
    #expect(decoded == probed)
  }

  /// Of formats that this build has no decoder of, files that begin with a whole header, and the trait that brings it.
  private static let leftOut: [(ImageFormat, trait: String, file: String)] = {
    var formats: [(ImageFormat, trait: String, file: String)] = []
    #if !JXL && !canImport(Darwin)
      formats.append((.jxl, "JXL", "jxl-rgb.jxl"))
    #endif
    return formats
  }()

  @Test("a format that was left out is probed, and the trait that brings it is named", arguments: leftOut)
  func namesTrait(format: ImageFormat, trait: String, file: String) throws {
    let data = try Files.fixture(file)
    #expect(try ImageDecoder().probe(data)?.format == format)
    let error = codecError { _ = try ImageDecoder().decode(data) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("trait \(trait) ") == true)
  }

  @Test("a rare variant of JPEG is not supported rather than damaged", arguments: ["precision", "lossless"])
  func rareJPEG(variant: String) throws {
    var data = try Files.fixture("420.jpg")
    let frame = try #require(data.firstRange(of: Data([0xFF, 0xC0])))
    if variant == "precision" {
      data[frame.upperBound + 2] = 12
    } else {
      data[frame.lowerBound + 1] = 0xC3
    }
    let error = codecError { _ = try ImageDecoder().decode(data) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("rare variant of JPEG") == true)
  }

  @Test("an error prints its code and its sentence")
  func description() throws {
    let error = try #require(codecError { _ = try ImageDecoder().decode(Data()) })
    #expect("\(error)" == "body.empty: \(error.message)")
    #expect(error.localizedDescription == error.message)
  }

  @Test(
    "what is no picture is called by what it is",
    arguments: [
      ("web page", "<!DOCTYPE html><html><body>404</body></html>"),
      ("web page", "  \n<html><svg></svg></html>"),
      ("JSON", "{\"error\": \"not found\"}"),
      ("text", "Not found"),
      ("text", "BMW builds cars and motorcycles"),
      ("text", "RIFFs on the guitar"),
    ])
  func notAnImage(kind: String, text: String) throws {
    let error = codecError { _ = try ImageDecoder().decode(Data(text.utf8)) }
    #expect(error?.code == .notAnImage)
    #expect(error?.message.contains(kind) == true)
  }

  @Test(
    "bytes of no known kind are no picture",
    arguments: [[0], [1, 2, 3, 4], [0xFF, 0xD8, 0x00], [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A]] as [[UInt8]])
  func unknownBytes(bytes: [UInt8]) {
    let padded = Data(bytes + [0xFE, 0, 0xFD, 0, 0, 0, 0, 0, 7])
    #expect(codecError { _ = try ImageDecoder().probe(padded) }?.code == .notAnImage)
  }

  @Test("nothing at all is an empty body")
  func empty() {
    #expect(codecError { _ = try ImageDecoder().probe(Data()) }?.code == .empty)
    #expect(codecError { _ = try ImageDecoder().decode(Data()) }?.code == .empty)
  }

  @Test("every sentence ends and says what to do")
  func sentences() {
    let inputs = [Data(), Data("GIF89a".utf8), Data("text".utf8), Data("<html>".utf8), Data([0xFF, 0xD8, 0xFF])]
    for input in inputs {
      let message = codecError { _ = try ImageDecoder().decode(input) }?.message ?? ""
      #expect(message.hasSuffix(".") && message.split(separator: " ").count > 6, "\(message)")
    }
  }
}
