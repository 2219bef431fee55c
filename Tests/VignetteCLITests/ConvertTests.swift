import Foundation
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@Suite("vignette convert", .serialized, .timeLimit(.minutes(2)))
struct ConvertTests {
  let folder = TemporaryFolder()

  private func write(_ name: String, _ data: Data) throws -> String {
    try data.write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  private func bitmap(_ name: String) throws -> Bitmap {
    try ImageDecoder().decode(try Data(contentsOf: folder.url.appendingPathComponent(name))).bitmap
  }

  /// Red at half strength on the left, nothing on the right.
  private func halfTransparent() throws -> Data {
    try ImageEncoder.png(
      Bitmap(size: PixelSize(width: 32, height: 16), isOpaque: false) { bytes in
        for at in stride(from: 0, to: bytes.count, by: 4) where at / 4 % 32 < 16 {
          (bytes[at], bytes[at + 3]) = (128, 128)
        }
      })
  }

  #if canImport(Darwin)
    static let formats = ["png", "jpg", "jpeg"]
  #else
    static let formats = ["png", "jpg", "jpeg", "webp"]
  #endif

  @Test("the ending chooses the format, and the result is as large as was asked", arguments: formats)
  func ending(_ ending: String) async throws {
    let file = try write("a.png", Pictures.png(40, 30))
    let name = "o.\(ending)"
    let result = try await Tool.run(["convert", file, "--output", folder.path(name), "--size", "20x20"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Pictures.format(of: folder.path(name))?.rawValue == (ending == "jpg" ? "jpeg" : ending))
    #expect(try Pictures.size(of: folder.path(name)) == PixelSize(width: 20, height: 15))
  }

  @Test("a PNG keeps every pixel and its alpha")
  func png() async throws {
    let file = try write("a.png", halfTransparent())
    _ = try await Tool.run(["convert", file, "--output", folder.path("o.png")])
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("o.png")) == halfTransparent())
  }

  @Test("a JPEG is over white")
  func jpeg() async throws {
    let file = try write("a.png", halfTransparent())
    _ = try await Tool.run(["convert", file, "--output", folder.path("o.jpg"), "--quality", "100"])
    let result = try bitmap("o.jpg")
    // Half of red and half of white: (128 + 127, 127, 127); far from the edge, where colours bleed.
    for (x, expected) in [(4, [255, 127, 127]), (27, [255, 255, 255])] {
      let pixel = result[x, 8]
      for (value, wanted) in zip([pixel.red, pixel.green, pixel.blue], expected) {
        #expect(abs(Int(value) - wanted) <= 3, "x \(x)")
      }
    }
  }

  @Test("a lower quality makes a smaller file", arguments: formats.filter { $0 != "png" })
  func quality(_ ending: String) async throws {
    let file = try write("a.png", Pictures.noise(64, 64))
    var sizes: [Int] = []
    for quality in [[], ["--quality", "90"], ["--quality", "20"]] {
      let result = try await Tool.run(["convert", file, "--output", folder.path("o.\(ending)"), "--json"] + quality)
      let bytes = try #require(try result.objects().first?["outputBytes"] as? Int)
      #expect(try Data(contentsOf: folder.url.appendingPathComponent("o.\(ending)")).count == bytes)
      sizes.append(bytes)
    }
    #expect(sizes[0] == sizes[1])
    #expect(sizes[2] < sizes[1])
  }

  @Test("a URL is converted")
  func url() async throws {
    let server = try ScriptedServer(routes: ["/a": .data(try Pictures.jpeg(40, 30), type: "image/jpeg")])
    defer { server.stop() }
    let result = try await Tool.run(
      ["convert", server.url("/a").absoluteString, "--output", folder.path("o.png"), "--json"])
    #expect(result.status == 0, "\(result.errors)")
    let object = try #require(try result.objects().first)
    #expect(object["output"] as? String == folder.path("o.png"))
    #expect(object["format"] as? String == "jpeg")
    #expect(try Pictures.size(of: folder.path("o.png")) == PixelSize(width: 40, height: 30))
  }

  @Test("no picture is written over its source, by whatever name", arguments: ["convert", "load"])
  func ownSource(_ command: String) async throws {
    let data = try Pictures.png(40, 30)
    let file = try write("a.png", data)
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path("symbolic.png"), withDestinationPath: file)
    try files.linkItem(atPath: file, toPath: folder.path("hard.png"))
    let spellings = [
      (file, file), (file, folder.url.path + "/./a.png"), (file, folder.path("symbolic.png")),
      (folder.path("symbolic.png"), file), (file, folder.path("hard.png")),
      (URL(fileURLWithPath: file).absoluteString, file),
    ]
    for (source, output) in spellings {
      let result = try await Tool.run([command, source, "--size", "4x3", "--output", output])
      #expect(result.status == 2, "\(source) \(output)")
      #expect(result.errors.contains("another file"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == data)
    #expect(try folder.names == ["a.png", "hard.png", "symbolic.png"])
  }

  #if ColorManagement || canImport(Darwin)
    @Test("colours become sRGB, or are kept with their profile", arguments: formats)
    func keptColors(_ ending: String) async throws {
      let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../ImageCodecsTests/Fixtures/color-profile-p3.png")
      let source = try Data(contentsOf: fixture)
      let profile = try #require(try ImageDecoder(colors: .source).decode(source).bitmap.colorProfile)
      let file = try write("a.png", source)
      let output = folder.url.appendingPathComponent("o.\(ending)")
      for (options, expected) in [([], nil), (["--keep-color"], profile)] {
        let result = try await Tool.run(["convert", file, "--output", output.path] + options)
        #expect(result.status == 0, "\(result.errors)")
        let written = try ImageDecoder(colors: .source).decode(Data(contentsOf: output)).bitmap
        #expect(written.colorProfile == expected)
        guard ending == "png" else { continue }
        let kept = try ImageDecoder(colors: expected == nil ? .sRGB : .source).decode(source).bitmap
        #expect(kept.withUnsafeBytes { Data($0) } == written.withUnsafeBytes { Data($0) })
      }
    }
  #endif

  @Test("what fails leaves the file of before as it was")
  func failure() async throws {
    let broken = try write("broken.png", try Pictures.png(40, 30).dropLast(30))
    let output = try write("o.png", Data("before".utf8))
    let result = try await Tool.run(["convert", broken, "--output", output, "--json"])
    #expect(result.status == 1)
    #expect((try result.objects().first?["error"] as? [String: String])?["code"] == "body.truncated")
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("before".utf8))
    #expect(try folder.names == ["broken.png", "o.png"])
  }
}
