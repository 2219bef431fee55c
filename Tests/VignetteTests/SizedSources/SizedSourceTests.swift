import Foundation
import Pixels
import Testing

@testable import Vignette

@Suite("Sized sources")
struct SizedSourceTests {
  let original = URL(fileURLWithPath: "/photos/a.jpg")

  private func sizes(_ source: SizedSource, _ wanted: PixelSize) -> [String] {
    source.urls(for: wanted).map(\.absoluteString)
  }

  @Test("all sizes are one picture, named by its original unless it is given a name")
  func identity() {
    let source = SizedSource(original: original) { _ in nil }
    #expect(source.id == original.absoluteString)
    #expect(SizedSource(original: original, id: "a") { _ in nil }.id == "a")
  }

  @Test("the address is for the rounded size, and the original comes after it")
  func order() {
    let source = SizedSource(original: original) { URL(string: "https://example.com/\($0)") }
    #expect(sizes(source, PixelSize(width: 65, height: 64)) == ["https://example.com/128x64", original.absoluteString])
  }

  @Test("without a size, or where the service has none, there is the original alone")
  func originalAlone() {
    let never = SizedSource(original: original) { _ in nil }
    let always = SizedSource(original: original) { URL(string: "https://example.com/\($0)") }
    let same = SizedSource(original: original) { [original] _ in original }
    #expect(sizes(never, PixelSize(width: 10, height: 10)) == [original.absoluteString])
    #expect(sizes(same, PixelSize(width: 10, height: 10)) == [original.absoluteString])
    #expect(sizes(always, PixelSize(width: 0, height: 10)) == [original.absoluteString])
  }

  @Test("a key is read from hexadecimal digits of either case, and nothing else", arguments: ["00fFA9", ""])
  func hexadecimal(_ text: String) throws {
    let key = try SigningKey(hexadecimal: text)
    #expect(key.bytes == Data(text.isEmpty ? [] : [0x00, 0xFF, 0xA9]))
  }

  @Test(
    "what is no hexadecimal key is an error that does not repeat it", arguments: ["abc", "zz", "0x12", "12 4", "é"])
  func notHexadecimal(_ text: String) {
    let error = #expect(throws: ImageLoadingError.self) { try SigningKey(hexadecimal: text) }
    #expect(error?.code.rawValue == "signing.invalidKey")
    #expect(error?.message.contains(text) == false)
  }

  @Test("a key is never printed")
  func secrecy() throws {
    let service = Thumbor(base: original, key: SigningKey(text: "hunter2"))
    var dumped = ""
    dump(service, to: &dumped)
    let bytes = Data("hunter2".utf8)
    for text in ["\(service)", "\(service.key)", String(reflecting: service), dumped] {
      #expect(!text.contains("hunter2") && !text.contains("\(bytes.count) bytes"), "\(text)")
    }
  }
}
