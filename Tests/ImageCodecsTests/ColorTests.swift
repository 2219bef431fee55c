import Foundation
import ImageCodecs
import Pixels
import Testing

/// A picture in other colours than sRGB and what it is in sRGB: `Fixtures/make-colors.py`.
struct ColorFixture: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var width: Int
  var height: Int
  /// Levels, of 255.
  var tolerance: Int
  /// Premultiplied.
  var pixels: Data
  /// Of an animation, counted from 0.
  var frame: Int?

  static let all: [ColorFixture] = {
    do {
      return try JSONDecoder().decode([ColorFixture].self, from: Files.fixture("colors.json"))
    } catch {
      Issue.record("The list of colours cannot be read: \(error)")
      return []
    }
  }()

  var testDescription: String { frame.map { "\(file), frame \($0)" } ?? file }

  func decoded() throws -> Bitmap {
    let data = try Files.fixture(file)
    guard let frame else { return try ImageDecoder().decode(data).bitmap }
    return try #require(try AnimationDecoder(data).frame(at: frame)).bitmap
  }
}

@Suite("Colours")
struct ColorTests {
  @Test("a picture arrives in sRGB, whatever its file says its colours are", arguments: ColorFixture.all)
  func converts(fixture: ColorFixture) throws {
    let bitmap = try fixture.decoded()
    #expect(bitmap.size == PixelSize(width: fixture.width, height: fixture.height))
    let difference = zip(bitmap.bytes, fixture.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    #expect(difference <= fixture.tolerance)
  }

  @Test("a scaled picture is converted too", arguments: ["color-profile-p3.png", "color-p3.jpg", "color-p3.webp"])
  func scaled(file: String) throws {
    let whole = try ImageDecoder().decode(Files.fixture(file))
    let fixture = try #require(ColorFixture.all.first { $0.file == file })
    let small = try ImageDecoder().decode(
      Files.fixture(file), target: .box(PixelSize(width: 12, height: 8), .fit)
    ).bitmap
    #expect(small.size == PixelSize(width: 12, height: 8))
    #expect(abs(mean(small.bytes) - mean(Array(fixture.pixels))) < 3)
    #expect(whole.info.colorSpace == .profile(name: file.hasSuffix("png") ? "test" : "Vignette test"))
  }

  @Test("a profile beyond the limit is passed over")
  func limit() throws {
    var limits = DecodeLimits()
    limits.maximumProfileBytes = 1_000
    let untagged = try ImageDecoder().decode(Files.fixture("color-untagged.png")).bitmap
    #expect(
      try ImageDecoder(limits: limits).decode(Files.fixture("color-profile-p3.png")).bitmap.bytes == untagged.bytes)
  }

  @Test("a transform may be shared by threads")
  func concurrency() async throws {
    let data = try Files.fixture("color-profile-adobe.png")
    let expected = try ImageDecoder().decode(data).bitmap.bytes
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 { group.addTask { try ImageDecoder().decode(data).bitmap.bytes == expected } }
      for try await isEqual in group { #expect(isEqual) }
    }
  }

  private func mean(_ bytes: [UInt8]) -> Double { bytes.reduce(0) { $0 + Double($1) } / Double(bytes.count) }
}
