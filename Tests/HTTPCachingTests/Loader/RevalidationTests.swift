import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A loader whose server's answers are set from request to request.
final class LoaderStage: Sendable {
  let clock = ManualClock()
  let transport: ScriptedTransport
  let loader: HTTPLoader
  private let reply: Locked<ScriptedTransport.Reply>

  static let url = URL(fileURLWithPath: "/picture")

  init(
    _ first: ScriptedTransport.Reply, configure: (inout HTTPLoader.Configuration) -> Void = { _ in }
  ) {
    let reply = Locked(first)
    self.reply = reply
    transport = ScriptedTransport { _ in reply.withLock { $0 } }
    var configuration = HTTPLoader.Configuration()
    configuration.clock = clock.wall
    configure(&configuration)
    loader = HTTPLoader(transport: transport, configuration: configuration)
  }

  func answer(_ next: ScriptedTransport.Reply) { reply.withLock { $0 = next } }

  func request(
    _ headers: [String: String] = [:], method: String = "GET",
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) -> URLRequest {
    var request = URLRequest(url: Self.url, cachePolicy: policy)
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    return request
  }

  func load(
    _ headers: [String: String] = [:], method: String = "GET",
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) async throws -> HTTPResult {
    try await loader.data(for: request(headers, method: method, policy: policy))
  }

  /// The last request's field of this name.
  func sent(_ name: String) -> String? { transport.log.requests.last?.value(forHTTPHeaderField: name) }

  static func reply(
    _ text: String = "body", _ control: String, tag: String? = "\"1\"", status: Int = 200
  ) -> ScriptedTransport.Reply {
    let reply = ScriptedTransport.Reply.data(Data(text.utf8), status: status).header("Cache-Control", control)
    return tag.map { reply.header("ETag", $0) } ?? reply
  }

  static func notModified(_ control: String, tag: String? = "\"1\"") -> ScriptedTransport.Reply {
    let reply = ScriptedTransport.Reply.status(304).header("Cache-Control", control)
    return tag.map { reply.header("ETag", $0) } ?? reply
  }
}

@Suite("The loader asks whether what it has still holds", .timeLimit(.minutes(5)))
struct RevalidationTests {
  @Test("a 304 refreshes the stored headers and serves the stored body")
  func notModified() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    let first = try await stage.load()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=100").header("X-New", "1"))
    let second = try await stage.load()
    #expect(stage.sent("If-None-Match") == "\"1\"")
    #expect(second.origin == .revalidated && second.data == first.data && second.response.status == 200)
    #expect(second.response.headers["X-New"] == "1")
    #expect(second.entry == first.entry && second.entry != nil)
    #expect(second.freshUntil == stage.clock.now + 100)
    #expect(second.cacheStatus.description == "Vignette; fwd=stale; fwd-status=304; stored; ttl=100")
    stage.clock.advance(by: 99)
    #expect(try await stage.load().origin == .memory)
    #expect(stage.transport.log.requests.count == 2)
  }

  @Test("a 200 replaces what was stored, under another name")
  func replaced() async throws {
    let stage = LoaderStage(LoaderStage.reply("one", "max-age=60"))
    let first = try await stage.load()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.reply("two", "max-age=60", tag: "\"2\""))
    let second = try await stage.load()
    #expect(second.origin == .network && second.data == Data("two".utf8))
    #expect(second.entry != nil && second.entry != first.entry)
    #expect(try await stage.load().data == Data("two".utf8))
  }

  @Test("a 304 about something else is not believed, and the whole is fetched")
  func otherValidator() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=0"))
    _ = try await stage.load()
    stage.answer(LoaderStage.notModified("max-age=60", tag: "\"other\""))
    let second = try await stage.load()
    #expect(second.response.status == 304 && second.entry == nil)
    #expect(stage.transport.log.requests.count == 3)
    #expect(stage.sent("If-None-Match") == nil)
  }

  @Test("a 304 that nobody asked for is passed on and never kept")
  func unasked() async throws {
    let stage = LoaderStage(LoaderStage.notModified("max-age=60"))
    for _ in 0..<2 {
      let result = try await stage.load()
      #expect(result.response.status == 304 && result.origin == .network && result.entry == nil)
    }
    #expect(stage.loader.memoryCost == 0)
  }

  @Test("what a 304 turns into no-store is given once more and then forgotten")
  func turnedNoStore() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=0"))
    _ = try await stage.load()
    stage.answer(LoaderStage.notModified("no-store"))
    let second = try await stage.load()
    #expect(second.origin == .revalidated && !second.mayBeStored)
    #expect(stage.loader.memoryCost == 0)
  }

  @Test("the caller's own comparison is answered from a fresh response, or sent on as it is")
  func callersComparison() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await stage.load()
    let unchanged = try await stage.load(["If-None-Match": "\"1\""])
    #expect(unchanged.response.status == 304 && unchanged.data.isEmpty && unchanged.origin == .memory)
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=60"))
    let passed = try await stage.load(["If-None-Match": "\"1\", \"2\""])
    #expect(passed.response.status == 304 && stage.sent("If-None-Match") == "\"1\", \"2\"")
    // It confirmed what is stored all the same.
    #expect(try await stage.load().origin == .memory)
  }

  @Test(
    "a 304 without a validator that answers the caller's own comparison says nothing of what is stored",
    arguments: [["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], ["If-None-Match": "\"9\""]])
  func callersCopy(fields: [String: String]) async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await stage.load()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=60", tag: nil))
    #expect(try await stage.load(fields).response.status == 304)
    stage.answer(LoaderStage.reply("two", "max-age=60"))
    let next = try await stage.load()
    #expect(next.origin == .network && next.data == Data("two".utf8))
  }

  @Test("a HEAD that names no validator neither freshens what is stored nor makes it void")
  func silentHead() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    let stored = try await stage.load()
    stage.clock.advance(by: 60)
    var head = LoaderStage.reply("", "max-age=60")
    head.headers["ETag"] = nil
    head.headers["Content-Length"] = nil
    stage.answer(head)
    _ = try await stage.load(method: "HEAD")
    stage.answer(LoaderStage.notModified("max-age=60", tag: nil))
    let confirmed = try await stage.load()
    #expect(confirmed.origin == .revalidated && confirmed.data == stored.data)
  }

  @Test("a part is cut out of a fresh response; a stale one is not asked about for the sake of a part")
  func parts() async throws {
    let stage = LoaderStage(LoaderStage.reply("0123456789", "max-age=60"))
    _ = try await stage.load()
    let part = try await stage.load(["Range": "bytes=2-4"])
    #expect(part.response.status == 206 && part.data == Data("234".utf8) && part.origin == .memory)
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.reply("23", "max-age=0", status: 206).header("Content-Range", "bytes 2-3/10"))
    for _ in 0..<2 { #expect(try await stage.load(["Range": "bytes=2-3"]).origin == .network) }
    #expect(stage.sent("Range") == "bytes=2-3" && stage.sent("If-None-Match") == nil)
  }

  @Test("HEAD is answered from a stored GET; one that disagrees makes that void, one that agrees makes it fresh")
  func head() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await stage.load()
    let head = try await stage.load(method: "HEAD")
    #expect(head.origin == .memory && head.data.isEmpty && head.response.headers["ETag"] == "\"1\"")
    stage.clock.advance(by: 60)
    var answer = LoaderStage.reply("", "max-age=60")
    answer.headers["Content-Length"] = "4"
    stage.answer(answer)
    #expect(try await stage.load(method: "HEAD").origin == .network)
    #expect(try await stage.load().origin == .memory)
    stage.clock.advance(by: 60)
    answer.headers["ETag"] = "\"2\""
    stage.answer(answer)
    _ = try await stage.load(method: "HEAD")
    #expect(stage.loader.memoryCost == 0)
  }

  @Test("a reload asks the caches on the way too, and a revalidating one compares")
  func reloads() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await stage.load()
    _ = try await stage.load(policy: .reloadIgnoringLocalAndRemoteCacheData)
    #expect(stage.sent("Cache-Control") == "no-cache" && stage.sent("If-None-Match") == nil)
    _ = try await stage.load(policy: .reloadIgnoringLocalCacheData)
    #expect(stage.sent("Cache-Control") == nil && stage.sent("If-None-Match") == nil)
    stage.answer(LoaderStage.notModified("max-age=60"))
    let confirmed = try await stage.load(policy: .reloadRevalidatingCacheData)
    #expect(confirmed.origin == .revalidated)
    #expect(stage.sent("Cache-Control") == "max-age=0" && stage.sent("If-None-Match") == "\"1\"")
  }

  @Test("several variants of one URL are kept side by side")
  func variants() async throws {
    let stage = LoaderStage(LoaderStage.reply("webp", "max-age=60").header("Vary", "Accept"))
    _ = try await stage.load(["Accept": "image/webp"])
    stage.answer(LoaderStage.reply("png", "max-age=60").header("Vary", "Accept"))
    let other = try await stage.load(["Accept": "image/png"])
    #expect(other.cacheStatus.forward == .varyMiss || other.cacheStatus.forward == .uriMiss)
    #expect(try await stage.load(["Accept": "image/webp"]).data == Data("webp".utf8))
    #expect(try await stage.load(["Accept": "image/png"]).data == Data("png".utf8))
    #expect(stage.transport.log.requests.count == 2)
  }

  @Test("an unsafe method makes void what it names, for every user; one that fails does not")
  func invalidation() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await stage.load(["Authorization": "a"])
    _ = try await stage.load()
    stage.answer(LoaderStage.reply("", "", status: 500))
    _ = try await stage.load(method: "DELETE")
    #expect(stage.loader.memoryCost > 0)
    stage.answer(LoaderStage.reply("", "", status: 200))
    _ = try await stage.load(method: "DELETE")
    #expect(stage.loader.memoryCost == 0)
  }

  @Test("only-if-cached is cache.miss where the server would have to be asked")
  func onlyIfCached() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    await #expect(throws: HTTPError.self) { try await stage.load(["Cache-Control": "only-if-cached"]) }
    _ = try await stage.load()
    #expect(try await stage.load(["Cache-Control": "only-if-cached"]).origin == .memory)
    #expect(stage.transport.log.requests.count == 1)
  }

  @Test("fields that no-cache names are not shown again")
  func withheldFields() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60, no-cache=\"X-Once\"").header("X-Once", "1"))
    #expect(try await stage.load().response.headers["X-Once"] == "1")
    let second = try await stage.load()
    #expect(second.origin == .memory && second.response.headers["X-Once"] == nil)
  }

  @Test("a loader that ignores its servers keeps what they forbid")
  func ignoring() async throws {
    let stage = LoaderStage(LoaderStage.reply("no-store", tag: nil)) {
      $0.ignoresServerDirectives = true
      $0.fixedLifetime = 10
    }
    let first = try await stage.load()
    #expect(first.mayBeStored && first.freshUntil == stage.clock.now + 10)
    #expect(try await stage.load().origin == .memory)
    stage.clock.advance(by: 10)
    #expect(try await stage.load().origin == .network)
  }
}

extension LoaderStage {
  /// The usual body.
  static func reply(_ control: String, tag: String? = "\"1\"") -> ScriptedTransport.Reply {
    reply("body", control, tag: tag)
  }
}
