import Foundation
import Pixels
import Testing

@testable import Vignette

@Suite("Pictures in several files")
struct ImageCandidateTests {
  let base = URL(fileURLWithPath: "/pictures/")

  private func name(_ source: SizedSource?, _ width: Int, _ height: Int = 1) -> String? {
    source?.url(for: PixelSize(width: width, height: height)).lastPathComponent
  }

  @Test(
    "the smallest file that covers the width is chosen, else the largest",
    arguments: [
      (1, "s"), (320, "s"), (321, "m"), (640, "m"), (641, "l"), (5_000, "l"), (Int.max, "l"),
    ])
  func width(_ wanted: Int, _ expected: String) {
    #expect(name(.srcset("m 640w, l 1280w, s 320w", base: base), wanted) == expected)
  }

  @Test("of two files of one size the first is chosen")
  func ties() {
    #expect(name(.srcset("a 100w, b 100w", base: base), 50) == "a")
    #expect(name(.srcset("a 100w, b 100w", base: base), 500) == "a")
    #expect(name(.srcset("a, b 1x", base: base), 50) == "a")
  }

  @Test(
    "the scale of the display chooses among densities, whatever the size",
    arguments: [
      (0.5, "one"), (1, "one"), (1.25, "two"), (2, "two"), (2.1, "three"), (3, "three"), (4, "three"),
    ])
  func displayScale(_ scale: Double, _ expected: String) {
    let source = SizedSource.srcset("three 3x, one, two 2x", base: base, reference: .displayScale(scale))
    for width in [1, 7, 333, 100_000] { #expect(name(source, width) == expected) }
  }

  @Test(
    "the width at 1x lets the size of the view choose among densities",
    arguments: [
      (50, "one"), (100, "one"), (101, "two"), (200, "two"), (201, "three"), (9_000, "three"),
    ])
  func widthAt1x(_ wanted: Int, _ expected: String) throws {
    let urls = [1: "one", 2: "two", 3: "three"].mapValues { base.appendingPathComponent($0) }
    #expect(name(.scales(urls, reference: .width(100)), wanted) == expected)
  }

  @Test("a scale that is no scale counts as 1", arguments: [0, -1, .nan, .infinity])
  func oddScale(_ scale: Double) {
    #expect(name(.srcset("one, two 2x", base: base, reference: .displayScale(scale)), 10) == "one")
  }

  @Test("addresses are resolved against the base, and the largest file is the original")
  func original() throws {
    let page = try #require(URL(string: "https://example.com/a/page.html"))
    let source = try #require(SizedSource.srcset("../b.jpg 100w, c.jpg 200w", base: page))
    #expect(source.original.absoluteString == "https://example.com/a/c.jpg")
    #expect(source.id == "https://example.com/a/c.jpg")
    let wanted = PixelSize(width: 100, height: 9_999)
    #expect(
      source.urls(for: wanted).map(\.absoluteString) == [
        "https://example.com/b.jpg", "https://example.com/a/c.jpg",
      ])
  }

  @Test("without a valid candidate there is the original, or nothing")
  func nothing() {
    #expect(SizedSource.srcset("", base: base) == nil)
    #expect(SizedSource.srcset("a 0w", base: base) == nil)
    #expect(SizedSource.scales([0: base, -1: base], reference: .displayScale(1)) == nil)
    #expect(SizedSource.srcset("", base: base, original: base)?.urls(for: PixelSize(width: 1, height: 1)) == [base])
  }

  @Test(
    "the scale goes before the extension, in whatever way the path is encoded",
    arguments: [
      ("https://example.com/photo.jpg", "https://example.com/photo@2x.jpg"),
      ("https://example.com/a.b/photo", "https://example.com/a.b/photo@2x"),
      ("https://example.com/archive.tar.gz", "https://example.com/archive.tar@2x.gz"),
      ("https://example.com/.hidden", "https://example.com/.hidden@2x"),
      ("https://example.com/a%2Fb%20c.jpg?v=1.2#d.e", "https://example.com/a%2Fb%20c@2x.jpg?v=1.2#d.e"),
      ("photo.jpg", "photo@2x.jpg"), ("file:///a/photo.png", "file:///a/photo@2x.png"),
    ])
  func scaledName(_ address: String, _ expected: String) throws {
    let photo = try #require(URL(string: address))
    let source = SizedSource.atScales(photo, reference: .displayScale(2))
    #expect(source.urls(for: PixelSize(width: 9, height: 9)).map(\.absoluteString) == [expected, address])
  }

  @Test(
    "an address without a file name has no other scales",
    arguments: [
      "https://example.com", "https://example.com/", "https://example.com/a/?b=c.jpg", "data:image/png;base64,AA.A",
    ])
  func noName(_ address: String) throws {
    let photo = try #require(URL(string: address))
    let source = SizedSource.atScales(photo, reference: .displayScale(3))
    #expect(source.urls(for: PixelSize(width: 9, height: 9)) == [photo])
  }

  @Test("scales may come in any order, twice, or be none")
  func oddScales() throws {
    let photo = try #require(URL(string: "https://example.com/p.jpg"))
    let wanted = PixelSize(width: 9, height: 9)
    let source = SizedSource.atScales(photo, scales: [3, 2, 2, 0, -1], reference: .displayScale(1))
    #expect(source.url(for: wanted).lastPathComponent == "p@2x.jpg")
    #expect(SizedSource.atScales(photo, scales: [], reference: .displayScale(1)).urls(for: wanted) == [photo])
  }
}
