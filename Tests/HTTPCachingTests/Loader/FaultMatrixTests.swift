#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Synchronized
  import Testing
  import VignetteTesting

  @Suite("What a server does wrong never becomes what is stored", .timeLimit(.minutes(5)))
  struct FaultMatrixTests {
    /// What a loader makes of a fault.
    enum Outcome: Equatable, Sendable {
      /// It throws an error with this code.
      case fails(String)
      /// It hands the answer on with this status, and keeps nothing of it.
      case passes(Int)
      /// By its framing this is a whole response with this body, and it may be kept.
      case keeps(Data)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
      var name: String
      var response: Response
      var outcome: Outcome
      var options = HTTPCachingTests.options()
      var headers: [String: String] = [:]
      var testDescription: String { name }

      init(
        _ name: String, _ response: Response, _ code: String, options: TransportOptions = HTTPCachingTests.options()
      ) {
        self.init(name, response, .fails(code), options: options)
      }

      init(
        _ name: String, _ response: Response, _ outcome: Outcome,
        options: TransportOptions = HTTPCachingTests.options(), headers: [String: String] = [:]
      ) {
        self.name = name
        self.response = response
        self.outcome = outcome
        self.options = options
        self.headers = headers
      }
    }

    static let body = pattern(60_000)
    /// What every row begins with: nothing but the fault keeps it from being stored.
    static let cacheable = Response.data(body, type: "image/jpeg").cacheControl("max-age=60").header("ETag", "\"bad\"")

    static let connections: [Fault] = [
      Fault("a close before the headers", .closeBeforeHeaders, "transport.reset"),
      Fault("a reset before the headers", .resetBeforeHeaders, "transport.reset"),
      Fault("a close in the headers", .closeInHeaders, "transport.protocol"),
      Fault("a reset in the headers", .resetInHeaders, "transport.reset"),
      Fault("a close right after the headers", cacheable.cut(after: 0, .close), "body.truncated"),
      Fault("a reset right after the headers", cacheable.cut(after: 0, .reset), "transport.reset"),
      Fault("a close in the body", cacheable.cut(after: 30_000, .close), "body.truncated"),
      Fault("a reset in the body", cacheable.cut(after: 30_000, .reset), "transport.reset"),
      Fault("a close one byte before the end", cacheable.cut(after: 59_999, .close), "body.truncated"),
      Fault("silence", .stall, "transport.timedOut", options: options(idle: 0.2)),
      Fault(
        "silence in the body", cacheable.cut(after: 30_000, .stall), "transport.timedOut", options: options(idle: 0.2)),
      Fault(
        "a byte at a time", cacheable.paced(bytes: 1, every: 0.02), "transport.timedOut", options: options(total: 0.3)),
    ]

    static let framing: [Fault] = [
      Fault(
        "a length that is too long", cacheable.declaringLength(60_001).cut(after: 60_000, .close), "body.truncated"),
      Fault(
        "more than the length says", .script([.send(head("Content-Length: 5") + Data("helloHTTP/1.1 ".utf8)), .stall]),
        .keeps(Data("hello".utf8))),
      Fault(
        "the same length twice", .script([.send(head("Content-Length: 5\r\nContent-Length: 5") + Data("hello".utf8))]),
        .keeps(Data("hello".utf8))),
      Fault(
        "two lengths", .script([.send(head("Content-Length: 5\r\nContent-Length: 3") + Data("hello".utf8))]),
        "transport.protocol"),
      Fault(
        "a negative length", .script([.send(head("Content-Length: -5") + Data("hello".utf8))]), "transport.protocol"),
      Fault("chunks that do not end", cacheable.chunked(terminated: false), "body.truncated"),
      Fault("a close in a chunk", cacheable.chunked(by: 20_000).cut(after: 30_000, .close), "body.truncated"),
      Fault(
        "a chunk whose size is no number",
        .script([.send(head("Transfer-Encoding: chunked") + Data("many\r\nhello\r\n0\r\n\r\n".utf8))]),
        "transport.protocol"),
      Fault("a body without end", .endlessBody, "body.tooLarge", options: options(limit: 1 << 20)),
      Fault("a body longer than allowed", cacheable, "body.tooLarge", options: options(limit: 59_999)),
      Fault("headers without end", .endlessHeaders, "transport.protocol"),
      Fault(
        "one line without end", .script([.sendForever(Data("HTTP/1.1 200 OK and".utf8))]), "transport.protocol"),
      Fault("something that is not HTTP", .garbage, "transport.protocol"),
      Fault(
        "a status that is no number", .script([.send(Data("HTTP/1.1 OK 200\r\n\r\nhello".utf8))]), "transport.protocol"),
      Fault("interim responses without end", .endlessInterim, "transport.protocol"),
      Fault(
        "gzip cut in half under a length that is right",
        cacheable.with(body: ContentCodingTests.gzip.prefix(25)).header("Content-Encoding", "gzip"), "body.truncated"),
      Fault(
        "gzip that is none", cacheable.header("Content-Encoding", "gzip"), "transport.protocol"),
    ]

    static let redirects: [Fault] = [
      Fault("a redirect to itself", .redirect(to: "/picture"), "redirect.tooMany"),
      Fault("a redirect to a file", .redirect(to: "file:///etc/passwd"), "redirect.target"),
      Fault("a redirect to data", .redirect(to: "data:image/png;base64,AAAA"), "redirect.target"),
      Fault("a redirect to a host without a name", .redirect(to: "http:///picture"), "redirect.target"),
    ]

    static let semantics: [Fault] = [
      Fault(
        "a 304 that nobody asked for, or for another tag", .status(304).header("ETag", "\"bad\""), .passes(304)),
      Fault(
        "a part that nobody asked for", cacheable.with(status: 206).header("Content-Range", "bytes 0-59999/90000"),
        "transport.protocol"),
      Fault(
        "another part than was asked for", cacheable.with(status: 206).header("Content-Range", "bytes 100-60099/90000"),
        .passes(206), headers: ["Range": "bytes=0-9"]),
    ]

    private static func head(_ fields: String) -> Data {
      Data("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"bad\"\r\n\(fields)\r\n\r\n".utf8)
    }

    @Test(
      "with nothing stored: the fault has its outcome, nothing is kept, and the next request works",
      arguments: [connections, framing, redirects, semantics].flatMap { $0 })
    func empty(_ fault: Fault) async throws {
      let stage = try MatrixStage(fault.response)
      #expect(await stage.outcome(fault) == fault.outcome)
      let stored = try await stage.stored()
      if case .keeps(let body) = fault.outcome {
        #expect(stored.map(\.bodyBytes) == [body.count])
      } else {
        #expect(stored.isEmpty && stage.loader.memoryCost == 0)
      }
      try await stage.expectToWork()
    }

    @Test(
      "with an earlier response stored: it stays as it was, and the next request works",
      arguments: [connections, framing, redirects, semantics].flatMap { $0 })
    func earlier(_ fault: Fault) async throws {
      let stage = try MatrixStage(.data(Self.body, type: "image/jpeg").cacheControl("max-age=60, must-revalidate"))
      _ = try await stage.load()
      let before = try await stage.stored()
      #expect(before.count == 1)
      stage.clock.advance(by: 61)
      stage.answer(fault.response)
      #expect(await stage.outcome(fault) == fault.outcome)
      let after = try await stage.stored()
      if case .keeps(let body) = fault.outcome {
        #expect(after.map(\.bodyBytes) == [body.count])
      } else {
        #expect(after.map(\.id) == before.map(\.id) && after.first?.stored == before.first?.stored)
        #expect(try await stage.load(policy: .returnCacheDataDontLoad).data == Self.body)
      }
      try await stage.expectToWork()
    }

    @Test("a redirect to another host takes no secrets there, so that what comes back is nobody's own")
    func secrets() async throws {
      let other = try ScriptedServer { _ in .text("other").cacheControl("max-age=60") }
      let stage = try MatrixStage(.redirect(to: other.url("/there").absoluteString))
      let secrets = ["Authorization": "Bearer t", "Cookie": "s=1", "X-Api-Key": "k"]
      #expect(try await stage.load(secrets).data == Data("other".utf8))
      let seen = try #require(other.log.last(for: "/there"))
      for name in secrets.keys { #expect(seen.headers[name] == nil) }
      let stored = try await stage.stored()
      #expect(stored.map(\.url) == [other.url("/there").absoluteString] && !stored.contains { $0.hasCredentials })
      stage.answer(.text("anonymous").cacheControl("max-age=60"))
      #expect(try await stage.load().data == Data("anonymous".utf8))
    }

    enum Certificate: CaseIterable, Sendable {
      case unknown, expired, otherHost
    }

    @Test(
      "a certificate that does not hold ends the load, with nothing stored", .enabled(if: TLSServer.isAvailable),
      arguments: Certificate.allCases)
    func certificate(_ certificate: Certificate) async throws {
      let server = try TLSServer(
        subject: certificate == .otherHost ? "elsewhere.test" : "localhost",
        days: certificate == .expired ? -1 : 2,
        answers: ["picture": Data("HTTP/1.0 200 OK\r\nCache-Control: max-age=60\r\n\r\nhello".utf8)])
      let transport = certificate == .unknown ? CurlTransport() : CurlTransport(trusting: server)
      let stage = try MatrixStage(.status(404), transport: transport)
      #expect(await stage.outcome(of: server.url("/picture")) == .fails("transport.tls"))
      #expect(try await stage.stored().isEmpty)
      try await stage.expectToWork()
    }

    @Test("https where plain http is spoken ends the load, with nothing stored")
    func noTLS() async throws {
      let stage = try MatrixStage(Self.cacheable)
      let url = try #require(URL(string: "https://127.0.0.1:\(stage.server.port)/picture"))
      #expect(await stage.outcome(of: url) == .fails("transport.tls"))
      #expect(try await stage.stored().isEmpty)
      try await stage.expectToWork()
    }

    @Test("a redirect from https to http is not followed", .enabled(if: TLSServer.isAvailable))
    func downgrade() async throws {
      let stage = try MatrixStage(Self.cacheable)
      let location = stage.server.url("/picture").absoluteString
      let server = try TLSServer(
        subject: "localhost",
        answers: ["redirect": Data("HTTP/1.0 302 Found\r\nLocation: \(location)\r\n\r\n".utf8)])
      let secure = try MatrixStage(.status(404), transport: CurlTransport(trusting: server))
      #expect(await secure.outcome(of: server.url("/redirect")) == .fails("redirect.insecure"))
      #expect(stage.server.log.totalRequests == 0)
      #expect(try await secure.stored().isEmpty)
      try await secure.expectToWork()
    }
  }

  /// A loader over libcurl with a store on disk, and a server whose answer is set from request to request.
  private final class MatrixStage {
    let clock = ManualClock()
    let server: ScriptedServer
    let loader: HTTPLoader
    private let directory = TemporaryDirectory()
    private let reply: Locked<Response>

    init(_ first: Response, transport: CurlTransport = CurlTransport()) throws {
      let reply = Locked(first)
      self.reply = reply
      server = try ScriptedServer { _ in reply.withLock { $0 } }
      var configuration = HTTPLoader.Configuration()
      configuration.clock = clock.wall
      configuration.disk = DiskStore.Configuration(directory: directory.url)
      configuration.disk?.inlineBytes = 1000
      loader = HTTPLoader(transport: transport, configuration: configuration)
    }

    func answer(_ next: Response) { reply.withLock { $0 = next } }

    func load(
      _ headers: [String: String] = [:], policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
      options: TransportOptions = HTTPCachingTests.options()
    ) async throws -> HTTPResult {
      var request = URLRequest(url: server.url("/picture"), cachePolicy: policy)
      request.allHTTPHeaderFields = headers
      return try await loader.data(for: request, options: options)
    }

    func outcome(_ fault: FaultMatrixTests.Fault) async -> FaultMatrixTests.Outcome {
      await outcome { try await self.load(fault.headers, options: fault.options) }
    }

    func outcome(of url: URL) async -> FaultMatrixTests.Outcome {
      await outcome { try await self.loader.data(for: URLRequest(url: url), options: options()) }
    }

    private func outcome(_ load: () async throws -> HTTPResult) async -> FaultMatrixTests.Outcome {
      do {
        let result = try await load()
        return result.entry == nil ? .passes(result.response.status) : .keeps(result.data)
      } catch {
        return .fails((error as? HTTPError)?.code.rawValue ?? "\(error)")
      }
    }

    /// Everything on disk, read back.
    func stored() async throws -> [DiskStore.Entry] {
      let store = try #require(loader.disk)
      #expect(try await store.verify().damaged == 0)
      return try await store.entries()
    }

    /// The same loader gets a good response from the same server, and keeps it.
    func expectToWork() async throws {
      answer(.data(FaultMatrixTests.body, type: "image/jpeg").cacheControl("max-age=1000").header("ETag", "\"good\""))
      let first = try await load(policy: .reloadIgnoringLocalCacheData)
      #expect(first.data == FaultMatrixTests.body && first.origin == .network)
      let second = try await load()
      #expect(second.data == FaultMatrixTests.body && second.origin == .memory)
      #expect(try await stored().map(\.id) == [second.entry])
    }
  }

  extension Response {
    fileprivate func with(status: Int? = nil, body: Data? = nil) -> Response {
      var copy = self
      copy.status = status ?? copy.status
      copy.body = body ?? copy.body
      return copy
    }
  }
#endif
