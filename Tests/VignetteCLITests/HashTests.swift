import Foundation
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@Suite("vignette hash", .serialized, .timeLimit(.minutes(2)))
struct HashTests {
  let folder = TemporaryFolder()

  /// A picture whose hashes `make-placeholders.py` has computed by the references of both formats.
  private let landscape = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ImageCodecsTests/Fixtures/placeholder-landscape.png")
  private let blurHash = "LKHoI4tOfxtmohXgWITwkPK]kNHT"
  private let thumbHash = "H/gFDIJoXXeIyUp39kz7o152UA=="

  @Test("a file's placeholders are those of the references, with every key in order")
  func file() async throws {
    let path = landscape.path
    let expected =
      #"{"source":"\#(path)","status":"success","sourceWidth":96,"sourceHeight":54,"blurHash":"\#(blurHash)","#
      + #""thumbHash":"\#(thumbHash)","error":null}"#
    #expect(try await Tool.run(["hash", path, "--json"]).output == expected + "\n")
    let text = try await Tool.run(["hash", path])
    #expect(text.status == 0)
    #expect(text.lines == ["BlurHash   \(blurHash)", "ThumbHash  \(thumbHash)"])
  }

  @Test("a URL has the placeholders of the file behind it, again when it is kept")
  func url() async throws {
    let server = try ScriptedServer(routes: ["/a": .data(try Data(contentsOf: landscape), type: "image/png")])
    defer { server.stop() }
    for _ in 0..<2 {
      let result = try await Tool.run(["hash", server.url("/a").absoluteString, "--cache", folder.path("cache")])
      #expect(result.lines == ["BlurHash   \(blurHash)", "ThumbHash  \(thumbHash)"], "\(result.errors)")
    }
  }

  @Test("a large picture tells its own size and has the placeholders of its reduction")
  func large() async throws {
    let data = try Pictures.jpeg(640, 480)
    let file = try folder.emptyFile("a.jpg")
    try data.write(to: file)
    let object = try #require(try await Tool.run(["hash", file.path, "--json"]).objects().first)
    #expect(object["sourceWidth"] as? Int == 640)
    let box = PixelSize(width: 100, height: 100)
    let reduced = try ImageDecoder().decode(data, target: .box(box, .fit)).bitmap
    #expect(object["blurHash"] as? String == (try BlurHash(reduced).description))
    #expect(object["thumbHash"] as? String == (try ThumbHash(reduced).data.base64EncodedString()))
  }

  @Test("what is no picture has its code")
  func failures() async throws {
    let cut = try folder.emptyFile("cut.png")
    try Pictures.png(40, 30).dropLast(30).write(to: cut)
    for (source, code) in [(cut.path, "body.truncated"), (folder.path("nothing"), "file.notFound")] {
      let result = try await Tool.run(["hash", source, "--json"])
      #expect(result.status == 1)
      let object = try #require(try result.objects().first)
      #expect((object["error"] as? [String: String])?["code"] == code)
      #expect(object["blurHash"] is NSNull)
      let text = try await Tool.run(["hash", source])
      #expect(text.status == 1 && text.output == "")
      #expect(text.errors.contains(code))
    }
  }
}
