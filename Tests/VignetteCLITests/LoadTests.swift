import Foundation
import HTTPCaching
import Pixels
import Testing
import VignetteTesting

@Suite("vignette load", .serialized, .timeLimit(.minutes(2)))
struct LoadTests {
  let folder = TemporaryFolder()

  private func write(_ name: String, _ data: Data) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try data.write(to: url)
    return url.path
  }

  @Test("a success has every key, in order")
  func successKeys() async throws {
    let file = try write("a.png", Pictures.png(40, 30))
    let result = try await Tool.run(["load", file, "--json", "--size", "20x20"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let bytes = try Pictures.png(40, 30).count
    let expected =
      #"{"source":"\#(file)","status":"success","format":"png","width":20,"height":15,"sourceWidth":40,"#
      + #""sourceHeight":30,"origin":"file","cacheStatus":null,"bytes":\#(bytes),"milliseconds":"#
    #expect(result.output.replacingOccurrences(of: "\\/", with: "/").hasPrefix(expected), "\(result.output)")
    #expect(result.output.hasSuffix(",\"error\":null}\n"))
    let milliseconds = try #require(try result.objects().first?["milliseconds"] as? Double)
    #expect(milliseconds >= 0 && milliseconds < 60_000)
  }

  @Test("a failure has every key, and its error a code and a message")
  func failureKeys() async throws {
    let result = try await Tool.run(["load", folder.path("nothing.png"), "--json"])
    #expect(result.status == 1)
    let object = try #require(try result.objects().first)
    #expect(object.keys.count == 14)
    #expect(object["status"] as? String == "failure")
    #expect(object["width"] is NSNull)
    let error = try #require(object["error"] as? [String: String])
    #expect(error["code"] == "file.notFound")
    #expect(error["message"]?.isEmpty == false)
  }

  @Test(
    "the box is in points, its pixels are points times scale",
    arguments: [
      (["--size", "10x10"], "10x8"), (["--size", "10x10", "--scale", "2"], "20x15"),
      (["--size", "10x10", "--mode", "fill"], "13x10"), (["--size", "999999x999999"], "40x30"),
      (["--size", "1000000x1000000", "--scale", "100"], "40x30"), (["--full"], "40x30"), ([], "40x30"),
      (["--size=5x5", "--scale=1.5"], "8x6"), (["--size", "1x1"], "1x1"),
    ])
  func sizes(_ options: [String], _ size: String) async throws {
    let file = try write("a.png", Pictures.png(40, 30))
    let object = try #require(try await Tool.run(["load", file, "--json"] + options).objects().first)
    #expect("\(object["width"] ?? "")x\(object["height"] ?? "")" == size)
  }

  @Test("every kind of source loads and says where it came from")
  func origins() async throws {
    let png = try Pictures.png(4, 3)
    let server = try ScriptedServer(routes: ["/a": .data(png, type: "image/png")])
    defer { server.stop() }
    // A file each: one picture asked for twice may come from memory.
    let files = try ["ünï 1%.png", "ünï 2%.png", "ünï 3%.png"].map { try write($0, png) }
    let sources = [
      server.url("/a").absoluteString, files[0], URL(fileURLWithPath: files[1]).absoluteString,
      "data:image/png;base64,\(png.base64EncodedString())", "ünï 3%.png",
    ]
    let result = try await Tool.run(["load", "--json"] + sources, in: folder.url)
    #expect(result.status == 0)
    let objects = try result.objects()
    #expect(objects.compactMap { $0["origin"] as? String } == ["network", "file", "file", "data", "file"])
    #expect(objects.compactMap { $0["source"] as? String } == sources)
  }

  @Test("results come in the order given, whichever arrives first, and one failure does not stop the rest")
  func order() async throws {
    let png = try Pictures.png(4, 3)
    let gate = Gate()
    let server = try ScriptedServer { request in
      switch request.path {
      case "/slow": return .data(png, type: "image/png").held(by: gate)
      case "/missing": return .status(404)
      default:
        gate.open()
        return .data(png, type: "image/png")
      }
    }
    defer { server.stop() }
    let sources = ["/slow", "/missing", "/last"].map { server.url($0).absoluteString }
    let result = try await Tool.run(["load", "--json"] + sources)
    #expect(result.status == 1)
    let objects = try result.objects()
    #expect(objects.compactMap { $0["source"] as? String } == sources)
    #expect(objects.compactMap { $0["status"] as? String } == ["success", "failure", "success"])
    #expect((objects[1]["error"] as? [String: String])?["code"] == "http.404")
  }

  @Test("headers are sent", arguments: ["load", "probe", "hash"])
  func headers(command: String) async throws {
    let png = try Pictures.png(4, 3)
    let server = try ScriptedServer(routes: ["/a": .data(png, type: "image/png")])
    defer { server.stop() }
    let result = try await Tool.run([
      command, server.url("/a").absoluteString, "--header", "Authorization: Bearer x y", "--header=X-Two:2",
    ])
    #expect(result.status == 0)
    #expect(server.log.last(for: "/a")?.headers["Authorization"] == "Bearer x y")
    #expect(server.log.last(for: "/a")?.headers["X-Two"] == "2")
  }

  @Test("a timeout ends what waits for a stalled source", arguments: ["load", "probe", "hash"])
  func timeout(command: String) async throws {
    let server = try ScriptedServer(routes: ["/stall": .stall])
    defer { server.stop() }
    let result = try await Tool.run([command, server.url("/stall").absoluteString, "--timeout", "0.05", "--json"])
    #expect(result.status == 1)
    #expect((try result.objects().first?["error"] as? [String: String])?["code"] == "transport.timedOut")
  }

  @Test("without --json results are text and failures go to standard error")
  func text() async throws {
    let file = try write("a.png", Pictures.png(4, 3))
    let result = try await Tool.run(["load", file, "unknown://x", "--size", "2x2"])
    #expect(result.status == 1)
    #expect(result.lines.count == 1)
    #expect(result.output.contains("2x2 from 4x3 png"))
    #expect(result.errors.contains("url.unsupportedScheme"))
  }

  @Test(
    "no source can write escape sequences to the terminal, nor turn the order of its letters",
    arguments: ["\u{1B}", "\u{7F}", "\u{9B}", "\u{61C}", "\u{200F}", "\u{202E}", "\u{2066}"] as [Unicode.Scalar])
  func escapes(scalar: Unicode.Scalar) async throws {
    let result = try await Tool.run(["load", "a\(scalar)[2Jb", "--json"])
    let digits = String(scalar.value, radix: 16)
    #expect(result.output.contains("a\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)[2Jb"))
    #expect(try await !Tool.run(["load", "a\(scalar)[2Jb"]).errors.unicodeScalars.contains(scalar))
  }

  @Test("thousands of sources load within bounds")
  func many() async throws {
    let file = try write("a.png", Pictures.png(1, 1))
    let result = try await Tool.run(["load", "--json"] + Array(repeating: file, count: 3_000))
    #expect(result.status == 0)
    #expect(result.lines.count == 3_000)
  }

  @Test("strange sources fail and crash nothing")
  func strange() async throws {
    let sources = [
      " ", "-", ":", "http:", "http://", "http:///x", "https://", "file:", "data:", "data:,", "file://host/x", "a:b",
      "http://[::1", "http://exa mple/", "http://127.0.0.1:99999/", "%", "\u{0}", "/", "//", ".", "..", "\u{FFFF}",
      String(repeating: "x", count: 5_000), "http://" + String(repeating: "x", count: 5_000),
    ].map { $0.replacingOccurrences(of: "\u{0}", with: "") }.filter { $0 != "" }
    let result = try await Tool.run(["load", "--json", "--timeout", "20", "--"] + sources)
    #expect(result.status == 1)
    let objects = try result.objects()
    #expect(objects.count == sources.count)
    for object in objects { #expect(object["status"] as? String == "failure", "\(object)") }
  }

  /// Runs the command for one small file by a shell, which redirects; answers what the shell wrote to "errors".
  private func shell(_ redirected: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "\(redirected) 2>\"$2\"", Tool.url.path, try write("a.png", Pictures.png(1, 1)), folder.path("errors"),
    ]
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: folder.url.appendingPathComponent("errors"), encoding: .utf8)
  }

  @Test("a reader that has gone ends the command without a signal and without a word")
  func closedPipe() throws {
    let errors = try shell(#"{ { "$0" load "$1" "$1" "$1" --json; echo "status $?" >&2; } | :; }"#)
    // The reader may be slow to go.
    #expect(errors == "status 1\n" || errors == "status 0\n")
  }

  @Test("a closed standard output is an error, and nothing is printed into a file that takes its place")
  func closedOutput() throws {
    let errors = try shell(#"{ "$0" load "$1" --json --output "$1.out.png" >&-; echo "status $?" >&2; }"#)
    #expect(errors.contains("Standard output cannot be written"))
    #expect(errors.hasSuffix("status 1\n"))
    #expect(try Pictures.png(1, 1) == Data(contentsOf: folder.url.appendingPathComponent("a.png.out.png")))
  }
}
