import Foundation
import HTTPCaching
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The scripted server", .timeLimit(.minutes(5)))
struct ScriptedServerTests {
  let transport = PlatformTransport.shared

  @Test("routes answer by path, and anything else is 404")
  func routes() async throws {
    let server = try ScriptedServer(routes: ["/a": .text("A"), "/with space": .json(["n": 1])])
    #expect(try await transport.get(server.url("/a?query")).body == Data("A".utf8))
    #expect(try await transport.get(server.url("/with%20space")).body == Data("{\"n\":1}".utf8))
    #expect(try await transport.get(server.url("/b")).response.status == 404)
  }

  @Test("a file is served with its type, and one that is not there is 404")
  func files() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString).png")
    try pattern(1000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try ScriptedServer { request in .file(request.path == "/p" ? file : file.appendingPathExtension("x")) }
    let (response, body) = try await transport.get(server.url("/p"))
    #expect(response.headers["Content-Type"] == "image/png")
    #expect(body == pattern(1000))
    #expect(try await transport.get(server.url("/q")).response.status == 404)
  }

  @Test("requests are recorded and numbered by path")
  func log() async throws {
    let server = try ScriptedServer { request in .text("\(request.number)") }
    for expected in 1...3 {
      let body = try await transport.get(server.url("/x?n=\(expected)"), headers: ["X-A": "b"]).body
      #expect(body == Data("\(expected)".utf8))
    }
    try await server.requests(3, for: "/x")
    let last = try #require(server.log.last(for: "/x"))
    #expect(last.method == "GET" && last.query == ["n": "3"] && last.headers["x-a"] == "b")
    #expect(server.log.count(of: "/x") == 3 && server.log.totalRequests == 3)
    #expect(server.log.bytesSent > 3)
  }

  @Test("an entity tag is sent, and a request that knows it gets 304")
  func entityTag() async throws {
    let server = try ScriptedServer { _ in .text("body").etag("\"v1\"") }
    let (first, body) = try await transport.get(server.url())
    #expect(first.headers["ETag"] == "\"v1\"" && body == Data("body".utf8))
    let (second, nothing) = try await transport.get(server.url(), headers: ["If-None-Match": "\"v1\""])
    #expect(second.status == 304 && nothing.isEmpty)
    #expect(try await transport.get(server.url(), headers: ["If-None-Match": "\"v0\""]).response.status == 200)
  }

  @Test("a held answer comes when its gate opens, a delayed one by itself")
  func holding() async throws {
    let gate = Gate()
    let server = try ScriptedServer(routes: ["/held": .text("h").held(by: gate), "/late": .text("l").delayed(0.05)])
    let transport = transport
    let held = Task { try await transport.get(server.url("/held")).body }
    try await server.requests(for: "/held")
    #expect(try await transport.get(server.url("/late")).body == Data("l".utf8))
    gate.open()
    #expect(try await held.value == Data("h".utf8))
    // An open gate holds nobody up.
    #expect(try await transport.get(server.url("/held")).body == Data("h".utf8))
  }

  @Test("stopping ends stalled, held and endless answers, and those who wait for the log")
  func stopping() async throws {
    let server = try ScriptedServer(routes: [
      "/stall": .stall, "/held": .text("x").held(by: Gate()), "/endless": .endlessBody, "/slow": .text("x").delayed(60),
    ])
    let transport = transport
    let paths = ["/stall", "/held", "/endless", "/slow"]
    let loads = paths.map { path in Task { await transport.failure(server.url(path), options: options(limit: .max)) } }
    for path in paths { try await server.requests(for: path) }
    let waiting = Task { try await server.requests(2, for: "/stall") }
    server.stop()
    server.stop()
    // The endless body has no length, so that its end is the connection's.
    for (path, load) in zip(paths, loads) where path != "/endless" { #expect(await load.value == "transport.reset") }
    #expect(await loads[2].value.hasPrefix("status 200"))
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(server.log.openConnections == 0)
    #expect(await transport.failure(server.url("/stall")) == "transport.refused")
  }

  #if !canImport(Darwin)
    @Test("a stopped server leaves no descriptor and no thread behind")
    func leaks() async throws {
      func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let before = try descriptors()
      for _ in 0..<250 {
        let server = try ScriptedServer { _ in .text("hi") }
        let transport = CurlTransport()
        _ = try await transport.get(server.url())
        server.stop()
      }
      // Other tests open theirs meanwhile, some hundred at most; these servers would have left 750.
      #expect(try descriptors() < before + 500)
    }
  #endif

  @Test("waiting is ended by cancelling the task that waits")
  func cancelledWait() async throws {
    let server = try ScriptedServer { _ in .text("hi") }
    let gate = Gate()
    let tasks = [
      Task { try await server.requests(for: "/never") }, Task { try await server.clientClosed(after: "/never") },
      Task { try await gate.wait() },
    ]
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}

@Suite("The scripted transport", .timeLimit(.minutes(5)))
struct ScriptedTransportTests {
  private let url = URL(fileURLWithPath: "/x")

  @Test("a chunk waits for its gate, and the counters know who is under way")
  func gates() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in .chunks([.init(Data("a".utf8)), .init(Data("b".utf8), heldBy: gate)]) }
    let exchange = try await transport.send(URLRequest(url: url), options: options())
    #expect(transport.log.running == 1)
    var iterator = exchange.body.makeAsyncIterator()
    #expect(try await iterator.next() == Data("a".utf8))
    gate.open()
    #expect(try await iterator.next() == Data("b".utf8))
    #expect(try await iterator.next() == nil)
    #expect(transport.log.running == 0 && transport.log.cancelled == 0 && transport.log.count(of: url) == 1)
  }

  @Test("letting go of a body counts as cancelled")
  func lettingGo() async throws {
    let transport = ScriptedTransport { _ in .data(Data("a".utf8)) }
    _ = try await transport.send(URLRequest(url: url), options: options())
    try await transport.until { $0.cancelled == 1 && $0.running == 0 }
  }

  @Test("a scripted failure is thrown before the head, or after the chunks")
  func failures() async throws {
    let error = HTTPError(.reset, "gone")
    let early = ScriptedTransport { _ in .failure(error) }
    #expect(await early.failure(url) == "transport.reset")
    let late = ScriptedTransport { _ in .data(Data("a".utf8)).failing(with: error) }
    #expect(try await late.send(URLRequest(url: url), options: options()).response.status == 200)
    #expect(await late.failure(url) == "transport.reset")
  }
}
