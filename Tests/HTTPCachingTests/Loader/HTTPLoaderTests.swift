import Foundation
import HTTPCaching
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The loader", .timeLimit(.minutes(5)))
struct HTTPLoaderTests {
  let clock = ManualClock()
  let url = URL(fileURLWithPath: "/picture")

  private func loader(
    budget: Int = 1 << 20, _ handler: @escaping @Sendable (URLRequest) async throws -> ScriptedTransport.Reply
  ) -> (HTTPLoader, ScriptedTransport) {
    var configuration = HTTPLoader.Configuration()
    configuration.clock = clock.wall
    configuration.memoryBudget = budget
    let transport = ScriptedTransport(handler)
    return (HTTPLoader(transport: transport, configuration: configuration), transport)
  }

  private func request(_ headers: [String: String] = [:], policy: URLRequest.CachePolicy = .useProtocolCachePolicy)
    -> URLRequest
  {
    var request = URLRequest(url: url, cachePolicy: policy)
    request.allHTTPHeaderFields = headers
    return request
  }

  private static func fresh(_ text: String = "body") -> ScriptedTransport.Reply {
    .data(Data(text.utf8)).header("Cache-Control", "max-age=60")
  }

  @Test("a fresh response comes from memory, with its age, until it is stale")
  func freshness() async throws {
    let (loader, transport) = loader { _ in Self.fresh() }
    #expect(try await loader.data(for: request()).origin == .network)
    clock.advance(by: 59)
    let second = try await loader.data(for: request())
    #expect(second.origin == .memory)
    #expect(second.data == Data("body".utf8))
    #expect(second.response.headers["Age"] == "59")
    clock.advance(by: 1)
    #expect(try await loader.data(for: request()).origin == .network)
    #expect(transport.log.requests.count == 2)
  }

  @Test("what may not be stored is fetched each time", arguments: ["no-store, max-age=60", "no-cache, max-age=60", ""])
  func notStored(_ control: String) async throws {
    let (loader, _) = loader { _ in .data(Data("x".utf8)).header("Cache-Control", control).header("ETag", "\"1\"") }
    for _ in 0..<2 {
      let result = try await loader.data(for: request())
      #expect(result.origin == .network)
      #expect(result.mayBeStored == !control.contains("no-store"))
      #expect(result.freshUntil == clock.now)
    }
  }

  @Test("a response that says nothing at all is fresh for 7 days, and its date of expiry says so")
  func defaultLifetime() async throws {
    let (loader, _) = loader { _ in .data(Data("x".utf8)) }
    let expiry = clock.now + 7 * 86_400
    #expect(try await loader.data(for: request()).freshUntil == expiry)
    clock.advance(by: 7 * 86_400 - 1)
    let second = try await loader.data(for: request())
    #expect(second.origin == .memory && second.freshUntil == expiry && second.mayBeStored)
    clock.advance(by: 1)
    #expect(try await loader.data(for: request()).origin == .network)
  }

  @Test("a forgotten response is fetched again")
  func forgetting() async throws {
    let (loader, _) = loader { _ in Self.fresh() }
    _ = try await loader.data(for: request())
    loader.forget(request())
    #expect(try await loader.data(for: request()).origin == .network)
  }

  @Test("a failed status is a result with its body, and is kept where the server says for how long")
  func failedStatus() async throws {
    let (loader, _) = loader { request in
      let control = request.value(forHTTPHeaderField: "X-Control") ?? ""
      return .data(Data("sorry".utf8), status: 404).header("Cache-Control", control).header("Vary", "X-Control")
    }
    for (control, origins) in [("", [.network, .network]), ("max-age=60", [.network, .memory])]
      as [(String, [HTTPResult.Origin])]
    {
      for origin in origins {
        let result = try await loader.data(for: request(["X-Control": control]))
        #expect(result.response.status == 404 && result.data == Data("sorry".utf8) && result.origin == origin)
      }
    }
  }

  @Test("an incomplete body is thrown, and never stored")
  func incomplete() async throws {
    let cut = HTTPError(.truncatedBody, "cut")
    let (loader, transport) = loader { _ in Self.fresh().failing(with: cut) }
    for _ in 0..<2 { await #expect(throws: HTTPError.self) { try await loader.data(for: request()) } }
    #expect(transport.log.requests.count == 2)
    #expect(loader.memoryCost == 0)
  }

  @Test("two users never see each other's answers", arguments: ["Authorization", "Cookie"])
  func users(_ field: String) async throws {
    let (loader, _) = loader { request in Self.fresh(request.value(forHTTPHeaderField: field) ?? "nobody") }
    for _ in 0..<2 {
      for user in ["alice", "bob"] {
        #expect(try await loader.data(for: request([field: user])).data == Data(user.utf8))
      }
      #expect(try await loader.data(for: request()).data == Data("nobody".utf8))
    }
  }

  @Test("an answer that varies by a header is used for equal values only")
  func vary() async throws {
    let (loader, transport) = loader { request in
      Self.fresh(request.value(forHTTPHeaderField: "Accept") ?? "").header("Vary", "Accept")
    }
    for _ in 0..<2 { #expect(try await loader.data(for: request(["Accept": "a"])).data == Data("a".utf8)) }
    #expect(transport.log.requests.count == 1)
    #expect(try await loader.data(for: request(["Accept": "b"])).data == Data("b".utf8))
  }

  @Test("the cache policy of a request is honoured")
  func policies() async throws {
    let (loader, transport) = loader { _ in Self.fresh() }
    do {
      _ = try await loader.data(for: request(policy: .returnCacheDataDontLoad))
      Issue.record("there was nothing to return")
    } catch let error as HTTPError {
      #expect(error.code == .cacheMiss)
    }
    #expect(transport.log.requests.isEmpty)
    _ = try await loader.data(for: request())
    #expect(try await loader.data(for: request(policy: .reloadIgnoringLocalCacheData)).origin == .network)
    clock.advance(by: 1000)
    #expect(try await loader.data(for: request(policy: .returnCacheDataElseLoad)).origin == .memory)
    #expect(try await loader.data(for: request(policy: .returnCacheDataDontLoad)).origin == .memory)
    #expect(try await loader.data(for: request()).origin == .network)
  }

  @Test("the fragment of a URL does not matter, its query does")
  func keys() async throws {
    let (loader, _) = loader { _ in Self.fresh() }
    let base = try #require(URL(string: "http://host/p"))
    func origin(_ suffix: String) async throws -> HTTPResult.Origin {
      try await loader.data(for: URLRequest(url: #require(URL(string: base.absoluteString + suffix)))).origin
    }
    _ = try await origin("?a")
    #expect(try await origin("?a#part") == .memory)
    #expect(try await origin("?b") == .network)
  }

  @Test("an unsafe method makes the stored answer void (RFC 9111, section 4.4)")
  func invalidation() async throws {
    let (loader, _) = loader { _ in Self.fresh() }
    _ = try await loader.data(for: request())
    var post = request()
    post.httpMethod = "POST"
    _ = try await loader.data(for: post)
    #expect(try await loader.data(for: request()).origin == .network)
  }

  @Test("memory stays within its budget, and what was used longest ago goes first")
  func budget() async throws {
    let (loader, _) = loader(budget: 40_000) { _ in Self.fresh(String(repeating: "x", count: 9_000)) }
    func origin(_ name: String) async throws -> HTTPResult.Origin {
      let result = try await loader.data(for: URLRequest(url: url.appendingPathComponent(name)))
      #expect(loader.memoryCost <= 40_000)
      return result.origin
    }
    for name in ["a", "b", "c", "d"] { #expect(try await origin(name) == .network) }
    #expect(try await origin("a") == .memory)
    #expect(try await origin("e") == .network)
    #expect(try await origin("a") == .memory)
    #expect(try await origin("b") == .network)
  }

  @Test("a response that would take more than a quarter of the memory is not kept")
  func largeEntry() async throws {
    let (loader, _) = loader(budget: 40_000) { _ in Self.fresh(String(repeating: "x", count: 11_000)) }
    for _ in 0..<2 { #expect(try await loader.data(for: request()).origin == .network) }
    loader.removeAll()
    #expect(loader.memoryCost == 0)
  }

  @Test("a body beyond the limit is body.tooLarge")
  func limit() async throws {
    let (loader, transport) = loader { _ in .chunks([.init(Data(count: 600)), .init(Data(count: 600))]) }
    do {
      _ = try await loader.data(for: request(), options: options(limit: 1000))
      Issue.record("the limit was passed")
    } catch let error as HTTPError {
      #expect(error.code == .bodyTooLarge)
    }
    try await transport.until { $0.running == 0 }
  }

  @Test("an error prints its code and its sentence")
  func description() async throws {
    let (loader, _) = loader { _ in throw HTTPError(.refused, "Nobody is there.") }
    let error = try #require(await #expect(throws: HTTPError.self) { try await loader.data(for: request()) })
    #expect("\(error)" == "transport.refused: Nobody is there.")
    #expect(error.localizedDescription == "Nobody is there.")
  }

  @Test("cancelling the load stops the transfer and throws CancellationError")
  func cancellation() async throws {
    let gate = Gate()
    let (loader, transport) = loader { _ in .chunks([.init(Data(count: 6)), .init(Data(count: 6), heldBy: gate)]) }
    let request = request()
    let task = Task { try await loader.data(for: request) }
    try await transport.until { $0.running == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await transport.until { $0.cancelled == 1 && $0.running == 0 }
  }
}
