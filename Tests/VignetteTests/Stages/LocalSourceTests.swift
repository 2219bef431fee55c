import Foundation
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Files, data URLs and closures", .timeLimit(.minutes(5)))
struct LocalSourceTests {
  let scripted = Scripted()
  var pipeline: ImagePipeline { scripted.pipeline }
  let folder = TemporaryFolder()

  private func write(_ name: String, _ data: Data) throws -> URL {
    let url = folder.url.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  @Test("a file loads, whatever its name", arguments: ["a.png", "with space.png", "100%.png", "ünï✓.png", "a#b?c.png"])
  func file(_ name: String) async throws {
    let url = try write(name, ScriptedDecoder.picture(8, 6))
    let response = try await pipeline.image(for: ImageRequest(url: url))
    #expect(response.origin == .file)
    #expect(response.bytes == ScriptedDecoder.picture(8, 6).count)
    #expect(response.sourceSize.width == 8)
  }

  @Test("a file that changed is decoded anew, and no size of the old one stays")
  func changedFile() async throws {
    let url = try write("a.png", ScriptedDecoder.picture(8, 6, "old"))
    _ = try await pipeline.image(for: ImageRequest(url: url, target: .box(4, 3)))
    _ = try write("a.png", ScriptedDecoder.picture(8, 6, "newer"))
    let response = try await pipeline.image(for: ImageRequest(url: url))
    #expect(response.bitmap[0, 0].red == UInt8(ascii: "n"))
    #expect(pipeline.memory.count == 1)
  }

  @Test("an empty file has its own code")
  func emptyFile() async throws {
    let url = try write("empty.png", Data())
    #expect(await failureCode(pipeline, ImageRequest(url: url)) == "body.empty")
  }

  @Test("a file longer than the limit is refused before it is read")
  func longFile() async throws {
    let url = try write("long.png", Data(count: 11))
    var request = ImageRequest(url: url)
    request.transport.maximumBodyBytes = 10
    #expect(await failureCode(pipeline, request) == "body.tooLarge")
    #expect(scripted.decoder.started == 0)
  }

  @Test("folders, pipes and devices are not read, and do not block")
  func notRegular() async throws {
    let pipe = folder.url.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for url in [folder.url, pipe, URL(fileURLWithPath: "/dev/zero"), URL(fileURLWithPath: "/")] {
      #expect(await failureCode(pipeline, ImageRequest(url: url)) == "file.unreadable", "\(url.path)")
    }
  }

  @Test("a missing file, or a path that cannot exist, has its own code")
  func missing() async throws {
    let file = try write("a.png", Data())
    let urls = [
      folder.url.appendingPathComponent("nothing.png"), file.appendingPathComponent("below.png"),
      folder.url.appendingPathComponent(String(repeating: "x", count: 5_000)), URL(string: "file:///etc%00/passwd"),
    ]
    for url in urls {
      #expect(await failureCode(pipeline, ImageRequest(url: try #require(url))) == "file.notFound")
    }
  }

  @Test("a file that may not be read has its own code", .enabled(if: getuid() != 0, "root may read everything"))
  func forbidden() async throws {
    let url = try write("secret.png", ScriptedDecoder.picture(1, 1))
    chmod(url.path, 0)
    #expect(await failureCode(pipeline, ImageRequest(url: url)) == "file.unreadable")
  }

  @Test(
    "data URLs load in each of their forms",
    arguments: [
      "data:,picture%208x6%20plain", "data:image/png,picture%208x6%20plain", "data:;base64,cGljdHVyZSA4eDYgcGxhaW4=",
      "data:image/png;BASE64,cGljdHVyZSA4eDYgcGxhaW4=", "data:;base64,cGljdHVyZSA4eDYgcGxhaW4%3D",
      "data:;base64,cGljdHVyZSA4eDYgcGxhaW4", "data:image/png;%20base64,cGljdHVy%0AZSA4eDYgcGxhaW4=",
      "DATA:,picture%208x6%20plain#fragment",
    ])
  func dataURL(_ address: String) async throws {
    let response = try await pipeline.image(for: ImageRequest(url: try #require(URL(string: address))))
    #expect(response.origin == .data)
    #expect(response.sourceSize.width == 8)
  }

  @Test(
    "damaged data URLs have a code",
    arguments: [
      ("data:", "url.invalid"), ("data:image/png", "url.invalid"), ("data:;base64,===", "url.invalid"),
      ("data:,", "body.empty"), ("data:,%", "image.notAnImage"),
    ])
  func damagedDataURL(_ address: String, _ code: String) async throws {
    #expect(await failureCode(pipeline, ImageRequest(url: try #require(URL(string: address)))) == code)
  }

  @Test("a closure's bytes load once for each identifier")
  func closure() async throws {
    let calls = Turnstile(isOpen: true)
    let request = ImageRequest(id: "mine") {
      try await calls.pass()
      return ScriptedDecoder.picture(8, 6)
    }
    #expect(try await pipeline.image(for: request).origin == .data)
    #expect(try await pipeline.image(for: request).origin == .memory)
    #expect(calls.arrivals == 1)
  }

  @Test("a closure's error is reported with its cause")
  func closureFails() async throws {
    struct Broken: Error {}
    let request = ImageRequest(id: "broken") { throw Broken() }
    let error = await #expect(throws: ImageLoadingError.self) { try await pipeline.image(for: request) }
    #expect(error?.code == .source)
    #expect(error?.underlying is Broken)
  }

  @Test(
    "addresses that cannot be loaded have a code",
    arguments: [
      ("ftp://example.com/a.png", "url.unsupportedScheme"), ("about:blank", "url.unsupportedScheme"),
      ("relative/path.png", "url.invalid"), ("//host/path.png", "url.invalid"),
    ])
  func unsupported(_ address: String, _ code: String) async throws {
    #expect(await failureCode(pipeline, ImageRequest(url: try #require(URL(string: address)))) == code)
  }
}
