import Foundation
import HTTPCaching
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("vignette cache", .serialized, .timeLimit(.minutes(2)))
struct CacheTests {
  let folder = TemporaryFolder()

  private func cache(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(["cache"] + arguments + ["--cache", folder.path("cache")])
  }

  /// A loader that keeps what it loads in the cache that the command works on.
  private func loader() -> HTTPLoader {
    var configuration = HTTPLoader.Configuration()
    configuration.disk = DiskStore.Configuration(directory: folder.url.appendingPathComponent("cache"))
    return HTTPLoader(
      transport: ScriptedTransport { request in
        let path = request.url?.path ?? ""
        let status = path == "/gone" ? 404 : 200
        return .data(Data(repeating: 7, count: path == "/large" ? 200_000 : 300), type: "image/png", status: status)
          .header("Cache-Control", "max-age=600").header("ETag", "\"\(path)\"")
      }, configuration: configuration)
  }

  private func fill(_ paths: String...) async throws {
    let loader = loader()
    for path in paths {
      let url = try #require(URL(string: "http://example.test\(path)"))
      _ = try await loader.data(for: URLRequest(url: url))
    }
    await loader.disk?.flush()
  }

  @Test("list tells of every response, in the order of storing")
  func list() async throws {
    try await fill("/b", "/gone", "/a?q=1")
    let before = Date()
    let result = try await cache("list", "--json")
    #expect(result.status == 0, "\(result.errors)")
    let objects = try result.objects()
    #expect(
      objects.compactMap { $0["url"] as? String } == ["/b", "/gone", "/a?q=1"].map { "http://example.test\($0)" })
    #expect(objects.compactMap { $0["status"] as? Int } == [200, 404, 200])
    #expect(objects.allSatisfy { $0["bodyBytes"] as? Int == 300 && ($0["bytes"] as? Int ?? 0) > 300 })
    let formatter = ISO8601DateFormatter()
    for object in objects {
      let stored = try #require((object["stored"] as? String).flatMap { formatter.date(from: $0) })
      let fresh = try #require((object["freshUntil"] as? String).flatMap { formatter.date(from: $0) })
      #expect(abs(stored.timeIntervalSince(before)) < 100)
      #expect(abs(fresh.timeIntervalSince(stored) - 600) <= 1)
      #expect((object["lastUsed"] as? String).flatMap { formatter.date(from: $0) } != nil)
    }
    let text = try await cache("list")
    #expect(text.lines.count == 4)
    #expect(text.lines[2].hasPrefix("404 "))
    #expect(text.lines[2].hasSuffix("  http://example.test/gone"))
  }

  @Test("list prints more than one page, and an empty cache as nothing")
  func pages() async throws {
    let loader = loader()
    for number in 0..<250 {
      let url = try #require(URL(string: "http://example.test/\(number)"))
      _ = try await loader.data(for: URLRequest(url: url))
    }
    await loader.disk?.flush()
    let urls = try await cache("list", "--json").objects().compactMap { $0["url"] as? String }
    #expect(urls == (0..<250).map { "http://example.test/\($0)" })
    #expect(try await cache("clear").status == 0)
    #expect(try await cache("list", "--json").output == "")
  }

  @Test("info counts responses and bytes, and knows the budget and the schema")
  func info() async throws {
    try await fill("/a", "/large")
    let result = try await cache("info", "--json")
    #expect(result.status == 0)
    let object = try #require(try result.objects().first)
    let listed = try await cache("list", "--json").objects().compactMap { $0["bytes"] as? Int }
    #expect(object["entries"] as? Int == 2)
    #expect(object["bytes"] as? Int == listed.reduce(0, +))
    #expect(object["budgetBytes"] as? Int == 500_000_000)
    #expect(object["schema"] as? Int == DiskStore.schemaVersion)
    #expect(object["status"] as? String == "success")
    #expect(try await cache("info").output.contains("2 responses"))
  }

  @Test("verify finds a whole cache whole, and names and removes what is damaged")
  func verify() async throws {
    try await fill("/a", "/large")
    let whole = try await cache("verify", "--json")
    #expect(whole.status == 0)
    let object = try #require(try whole.objects().first)
    #expect(object["whole"] as? Int == 2)
    #expect(object["damaged"] as? Int == 0)

    try damageLargeBody()
    let damaged = try await cache("verify", "--json")
    #expect(damaged.status == 1)
    #expect(try damaged.objects().first?["damaged"] as? Int == 1)
    #expect(damaged.errors.contains("http://example.test/large"))
    let again = try await cache("verify")
    #expect(again.status == 0)
    #expect(again.output.contains("1 whole, 0 damaged"))
  }

  /// Turns one byte of the only body that is a file.
  private func damageLargeBody() throws {
    let root = folder.url.appendingPathComponent("cache")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).map(root.appendingPathComponent)
    let body = try #require(
      files.first { (try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize) == 200_000 }, "\(files)")
    var bytes = try Data(contentsOf: body)
    bytes[bytes.startIndex + 100_000] ^= 1
    try bytes.write(to: body)
  }

  @Test("trim leaves no more than asked for, and says what went")
  func trim() async throws {
    try await fill("/large", "/a", "/b")
    let result = try await cache("trim", "--to", "100kB", "--json")
    #expect(result.status == 0)
    let object = try #require(try result.objects().first)
    #expect(object["removedEntries"] as? Int == 1)
    #expect(try #require(object["removedBytes"] as? Int) > 200_000)
    #expect(object["entries"] as? Int == 2)
    let urls = try await cache("list", "--json").objects().compactMap { $0["url"] as? String }
    #expect(urls == ["http://example.test/a", "http://example.test/b"])
  }

  @Test("trim by age lets the young stay and the old go")
  func age() async throws {
    try await fill("/a")
    #expect(try await cache("trim", "--older-than", "7d", "--json").objects().first?["removedEntries"] as? Int == 0)
    #expect(try await cache("trim", "--older-than", "0s", "--json").objects().first?["removedEntries"] as? Int == 1)
  }

  @Test("clear removes every response and nothing else")
  func clear() async throws {
    try await fill("/a", "/large")
    let foreign = folder.url.appendingPathComponent("cache").appendingPathComponent("notes.txt")
    try Data("mine".utf8).write(to: foreign)
    let result = try await cache("clear", "--json")
    #expect(result.status == 0)
    #expect(try result.objects().first?["removedEntries"] as? Int == 2)
    #expect(try result.objects().first?["entries"] as? Int == 0)
    #expect(try Data(contentsOf: foreign) == Data("mine".utf8))
  }

  @Test("a cache in use by another process goes on", arguments: ["clear", "verify", "trim", "list", "info"])
  func inUse(_ action: String) async throws {
    let loader = loader()
    let url = try #require(URL(string: "http://example.test/a"))
    _ = try await loader.data(for: URLRequest(url: url))
    let result = try await cache(action, action == "trim" ? "--to=0" : "--json")
    #expect(result.status == 0, "\(result.errors)")
    let other = try #require(URL(string: "http://example.test/large"))
    _ = try await loader.data(for: URLRequest(url: other))
    let statistics = try #require(await loader.statistics().disk)
    #expect(statistics.failures == 0)
    #expect(statistics.rebuilds == 0)
    #expect(statistics.entries == (["clear", "trim"].contains(action) ? 1 : 2))
  }

  @Test(
    "what is no cache is refused and left as it is, and nothing is made",
    arguments: ["list", "info", "verify", "trim", "clear"], [true, false])
  func foreign(_ action: String, _ exists: Bool) async throws {
    let directory = folder.url.appendingPathComponent("cache")
    if exists {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: directory.appendingPathComponent("a"))
    }
    let result = try await cache(action, "--json", action == "trim" ? "--to=0" : "--json")
    #expect(result.status == 1)
    let error = try #require(try result.objects().first?["error"] as? [String: String])
    #expect(error["code"] == (exists ? "store.foreign" : "store.missing"))
    #expect(try folder.names == (exists ? ["cache"] : []))
    if exists { #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a"]) }
  }

  @Test("without --json a failure goes to standard error with its code")
  func textFailure() async throws {
    let result = try await cache("info")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("vignette: store.missing: "))
  }
}
