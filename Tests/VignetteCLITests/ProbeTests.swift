import Foundation
import Testing
import VignetteTesting

@Suite("vignette probe", .serialized, .timeLimit(.minutes(2)))
struct ProbeTests {
  let folder = TemporaryFolder()

  private func code(_ result: Tool.Result) throws -> String? {
    (try result.objects().first?["error"] as? [String: String])?["code"]
  }

  @Test("a file is described, with every key in order")
  func file() async throws {
    let file = folder.url.appendingPathComponent("a.jpg")
    try Pictures.jpeg(40, 30).write(to: file)
    let result = try await Tool.run(["probe", file.path, "--json"])
    #expect(result.status == 0)
    let expected =
      #"{"source":"\#(file.path)","status":"success","format":"jpeg","width":40,"height":30,"orientation":1,"#
      + #""hasAlpha":false,"bitDepth":8,"colourSpace":"untagged","iccName":null,"animated":false,"frames":1,"#
      + #""loopCount":null,"bytesRead":"#
    #expect(result.output.hasPrefix(expected), "\(result.output)")
    #expect(try await Tool.run(["probe", file.path]).output == "\(file.path): 40x30 jpeg\n")
  }

  @Test("an animation is called one")
  func animation() async throws {
    let file = folder.url.appendingPathComponent("a.gif")
    let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let head = Array("GIF89a".utf8) + [2, 0, 1, 0, 0, 0, 0] + loop
    try Data(head + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]).write(to: file)
    let members = try await Tool.run(["probe", file.path, "--json"]).objects().first
    #expect(members?["format"] as? String == "gif")
    #expect(members?["animated"] as? Bool == true)
    #expect(members?["loopCount"] as? Int == 0)
    #expect(try await Tool.run(["probe", file.path]).output == "\(file.path): 2x1 gif, animated\n")
  }

  @Test("a URL is read only until its header is known")
  func url() async throws {
    let png = try Pictures.png(40, 30)
    // The rest of the picture never comes.
    let server = try ScriptedServer(routes: [
      "/a": ServerSteps.head(of: png, then: .stall)
    ])
    defer { server.stop() }
    let result = try await Tool.run(["probe", server.url("/a").absoluteString, "--json"])
    #expect(result.status == 0, "\(result.output)")
    #expect(try result.objects().first?["width"] as? Int == 40)
  }

  @Test("what is no picture has its code")
  func failures() async throws {
    let server = try ScriptedServer(routes: ["/html": .text("<!doctype html>"), "/missing": .status(404)])
    defer { server.stop() }
    let cut = folder.url.appendingPathComponent("cut.png")
    try Pictures.png(4, 3).prefix(12).write(to: cut)
    let empty = folder.url.appendingPathComponent("empty.png")
    try Data().write(to: empty)
    let table = [
      (server.url("/html").absoluteString, "image.notAnImage"), (server.url("/missing").absoluteString, "http.404"),
      (cut.path, "body.truncated"), (empty.path, "body.empty"), (folder.url.path, "file.unreadable"),
      (folder.path("nothing"), "file.notFound"), ("ftp://x/y", "url.unsupportedScheme"),
      ("/dev/zero", "file.unreadable"),
    ]
    for (source, expected) in table {
      let result = try await Tool.run(["probe", source, "--json"])
      #expect(result.status == 1)
      #expect(try code(result) == expected, "\(source)")
    }
  }
}

/// Answers that stop part of the way.
enum ServerSteps {
  /// A response that announces the whole of `data`, sends its first 60 bytes, and goes on with `step`.
  static func head(of data: Data, then step: ScriptedServer.Response.Step) -> ScriptedServer.Response {
    .data(data, type: "image/png").cut(after: 60, step)
  }
}
