import Foundation
import Testing
import VignetteTesting

@Suite("vignette load --cache --policy", .serialized, .timeLimit(.minutes(2)))
struct CachedLoadTests {
  let folder = TemporaryFolder()

  private func load(_ server: ScriptedServer, _ options: [String]) async throws -> (status: Int32, [String: Any]) {
    let arguments = ["load", server.url("/a").absoluteString, "--json", "--cache", folder.path("cache")] + options
    let result = try await Tool.run(arguments)
    return (result.status, try #require(try result.objects().first))
  }

  private func serve(_ directives: String) throws -> ScriptedServer {
    let png = try Pictures.noise(200, 150)
    return try ScriptedServer(routes: ["/a": .data(png, type: "image/png").cacheControl(directives).etag("\"1\"")])
  }

  @Test("what one process stored another loads without the network, original and thumbnail")
  func acrossProcesses() async throws {
    let server = try serve("max-age=600")
    defer { server.stop() }
    for origin in ["network", "disk"] {
      let (status, object) = try await load(server, [])
      #expect(status == 0)
      #expect(object["origin"] as? String == origin)
    }
    for (options, origin) in [(["--size", "40x30"], "disk"), (["--size", "40x30"], "thumbnail")] {
      let (status, object) = try await load(server, options)
      #expect(status == 0)
      #expect(object["origin"] as? String == origin)
      #expect(try #require(object["cacheStatus"] as? String).hasPrefix("Vignette; hit; ttl="))
    }
    #expect(server.log.count(of: "/a") == 1)
  }

  @Test("the Cache-Status of a load from the network says why, and that it was stored")
  func status() async throws {
    let server = try serve("max-age=0")
    defer { server.stop() }
    let first = try await load(server, []).1["cacheStatus"] as? String
    #expect(try #require(first).hasPrefix("Vignette; fwd=uri-miss; fwd-status=200; stored; ttl="))
    let second = try await load(server, []).1
    #expect(second["origin"] as? String == "revalidated")
    #expect(
      try #require(second["cacheStatus"] as? String).hasPrefix("Vignette; fwd=stale; fwd-status=304; stored; ttl="))
  }

  @Test("a directory that holds other files is refused, and stays as it is", arguments: ["load", "bench", "proxy"])
  func foreignDirectory(command: String) async throws {
    let mine = folder.path("mine")
    try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: mine + "/a.txt"))
    let operands = [
      "load": ["a.png"], "bench": ["thumbnails", "urls", "2x2"], "proxy": ["--origin", "http://127.0.0.1:1"],
    ]
    let result = try await Tool.run([command] + (operands[command] ?? []) + ["--cache", mine])
    #expect(result.status == 2)
    #expect(result.errors.contains("of its own") || result.errors.contains("no command"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: mine) == ["a.txt"])
  }

  @Test("an empty directory may become a cache")
  func emptyDirectory() async throws {
    let server = try serve("max-age=600")
    defer { server.stop() }
    try FileManager.default.createDirectory(atPath: folder.path("cache"), withIntermediateDirectories: true)
    for origin in ["network", "disk"] { #expect(try await load(server, []).1["origin"] as? String == origin) }
  }

  @Test("reload asks the server whatever is stored")
  func reload() async throws {
    let server = try serve("max-age=600")
    defer { server.stop() }
    for (options, reason) in [([], "fwd=uri-miss"), (["--policy", "reload"], "fwd=request")] {
      let object = try await load(server, options).1
      #expect(object["origin"] as? String == "network")
      #expect((object["cacheStatus"] as? String)?.contains(reason) == true)
    }
    #expect(server.log.count(of: "/a") == 2)
  }

  @Test("offline takes what is stored, stale or not, and never the network")
  func offline() async throws {
    let server = try serve("max-age=0")
    defer { server.stop() }
    let (missing, miss) = try await load(server, ["--policy", "offline"])
    #expect(missing == 1)
    #expect((miss["error"] as? [String: String])?["code"] == "cache.miss")
    #expect(server.log.totalRequests == 0)
    _ = try await load(server, [])
    for (size, origin) in [([], "disk"), (["--size", "40x30"], "disk"), (["--size", "40x30"], "thumbnail")] {
      let (status, object) = try await load(server, ["--policy", "offline"] + size)
      #expect(status == 0)
      #expect(object["origin"] as? String == origin)
      #expect(try #require(object["cacheStatus"] as? String).hasSuffix("; detail=cachePolicy"))
    }
    #expect(server.log.totalRequests == 1)
  }

  @Test("offline still loads what needs no network")
  func local() async throws {
    let file = folder.url.appendingPathComponent("a.png")
    try Pictures.png(4, 3).write(to: file)
    let result = try await Tool.run(["load", file.path, "--policy", "offline", "--cache", folder.path("cache")])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("an offline load of what is fresh says how long it stays so")
  func freshOffline() async throws {
    let server = try serve("max-age=600")
    defer { server.stop() }
    _ = try await load(server, [])
    let text = try #require(try await load(server, ["--policy", "offline"]).1["cacheStatus"] as? String)
    let seconds = try #require(text.firstMatch(of: /ttl=(-?\d+)/).flatMap { Int($0.1) })
    #expect((400...600).contains(seconds), "\(text)")
  }
}
