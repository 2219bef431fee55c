import Foundation
import Pixels
import Testing
import VignetteTesting

@Suite("vignette load --output", .serialized, .timeLimit(.minutes(2)))
struct OutputTests {
  let folder = TemporaryFolder()

  private func write(_ name: String, _ data: Data) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  @Test("the ending chooses the format", arguments: [("o.png", "png"), ("o.JPG", "jpeg"), ("o.jpeg", "jpeg")])
  func ending(_ name: String, _ format: String) async throws {
    let file = try write("a.png", Pictures.png(40, 30))
    let result = try await Tool.run(["load", file, "--size", "20x20", "--output", folder.path(name)])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Pictures.format(of: folder.path(name))?.rawValue == format)
    #expect(try Pictures.size(of: folder.path(name)) == PixelSize(width: 20, height: 15))
  }

  @Test("a PNG that is written holds the pixels that were read")
  func pixels() async throws {
    let data = try Pictures.png(40, 30)
    let file = try write("a.png", data)
    _ = try await Tool.run(["load", file, "--output", folder.path("o.png")])
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("o.png")) == data)
  }

  @Test("several sources are written to a directory, none over another")
  func directory() async throws {
    let sources = [
      try write("1/a.png", Pictures.png(1, 1)), try write("2/a.png", Pictures.png(2, 2)),
      try write("3/A.jpg", Pictures.jpeg(3, 3)), try write("a-2.png", Pictures.png(4, 4)),
    ]
    let result = try await Tool.run(["load"] + sources + ["--output", folder.path("out")])
    #expect(result.status == 0, "\(result.errors)")
    let names = ["a.png", "a-2.png", "A-3.png", "a-2-2.png"]
    for (side, name) in names.enumerated() {
      #expect(try Pictures.size(of: folder.path("out/\(name)"))?.width == side + 1, "\(name)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 4)
  }

  @Test("names from a server never leave the directory")
  func traversal() async throws {
    let png = try Pictures.png(1, 1)
    let server = try ScriptedServer { _ in .data(png, type: "image/png") }
    defer { server.stop() }
    let paths = [
      "/..%2F..%2Fevil.png", "/%2e%2e", "/", "/.hidden", "/a%00b.png", "/c%0Ad.png",
      "/\(String(repeating: "x", count: 900))",
    ]
    let sources = paths.map { "http://127.0.0.1:\(server.port)\($0)" }
    let result = try await Tool.run(["load", "--json"] + sources + ["--output", folder.path("in/out/")])
    #expect(result.status == 0, "\(result.output)")
    #expect(try folder.names == ["in"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("in")) == ["out"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("in/out"))
    #expect(names.count == paths.count)
    #expect(names.allSatisfy { $0.hasSuffix(".png") && !$0.hasPrefix(".") && $0.utf8.count < 255 })
  }

  @Test("sources in the output directory are not overwritten")
  func sourcesAreSafe() async throws {
    let data = try Pictures.png(40, 30)
    let file = try write("a.png", data)
    let result = try await Tool.run(["load", file, "--size", "4x3", "--output", folder.url.path])
    #expect(result.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == data)
    #expect(try folder.names == ["a-2.png", "a.png"])
  }

  @Test("a picture that cannot be written is a failure")
  func unwritable() async throws {
    let file = try write("a.png", Pictures.png(1, 1))
    for output in [file + "/o.png", file + "/", folder.path("missing/o.png")] {
      let result = try await Tool.run(["load", file, "--output", output, "--json"])
      #expect(result.status == 1, "\(output)")
      #expect((try result.objects().first?["error"] as? [String: String])?["code"] == "output.unwritable")
    }
    #expect(try folder.names == ["a.png"])
  }

  @Test("a source that fails leaves no file behind")
  func nothingLeft() async throws {
    let file = try write("broken.png", Data("<html>".utf8))
    let result = try await Tool.run(["load", file, "--output", folder.path("o.png")])
    #expect(result.status == 1)
    #expect(try folder.names == ["broken.png"])
  }
}
