import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("The proxy's connections", .timeLimit(.minutes(2)))
struct ConnectionTests {
  @Test("requests sent ahead are answered in their order on one connection")
  func pipelined() async throws {
    let stage = try ProxyStage { .text($0.target).cacheControl("max-age=60") }
    let text = (0..<50).map { number in
      "\(number % 5 == 4 ? "POST" : "GET") /\(number % 7) HTTP/1.1\r\nHost: a\r\n"
        + (number % 5 == 4 ? "Content-Length: 2\r\n\r\nab" : "\r\n")
    }.joined()
    let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let responses = try await stage.raw(text + last, methods: [])
    #expect(responses.map(\.text) == (0..<50).map { "/\($0 % 7)" } + ["/last"])
    #expect(responses.last?.headers["Connection"] == "close")
    #expect(responses.first?.headers["Connection"] == nil)
  }

  @Test("HTTP/1.0 gets a length or the end of the connection, and keeps it where it asks")
  func http10() async throws {
    let stage = try ProxyStage { $0.path == "/chunked" ? .text("chunked").chunked() : .text("plain") }
    let plain = try await stage.raw("GET / HTTP/1.0\r\n\r\n")
    #expect(plain.first?.headers["Connection"] == "close")
    #expect(plain.first?.text == "plain")
    let kept = try await stage.raw(
      "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n", methods: [])
    #expect(kept.map { $0.headers["Connection"] } == ["keep-alive", "close"])
    let chunked = try await stage.raw("GET /chunked HTTP/1.0\r\n\r\n")
    #expect(chunked.first?.headers["Transfer-Encoding"] == nil)
    #expect(chunked.first?.text == "chunked")
  }

  @Test("a request that can be read in two ways is refused, and what follows it is not read", arguments: [true, false])
  func smuggling(_ hasBoth: Bool) async throws {
    let stage = try ProxyStage { _ in .text("") }
    let lengths = hasBoth ? "Transfer-Encoding: chunked" : "Content-Length: 30"
    let text =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\(lengths)\r\n\r\n0\r\n\r\n"
      + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    let responses = try await stage.raw(text, methods: [])
    #expect(responses.map(\.status) == [400])
    #expect(responses.first?.headers["Connection"] == "close")
    #expect(stage.origin.log.totalRequests == 0)
  }

  @Test("a head or a body beyond its limit is refused with the status that says so")
  func tooLong() async throws {
    var limits = ProxyLimits()
    limits.headBytes = 2_000
    limits.bodyBytes = 10
    let stage = try ProxyStage(limits: limits) { .text("\($0.body.count)") }
    let filler = String(repeating: "x", count: 4_000)
    #expect(try await stage.send("GET", "/" + filler).status == 414)
    #expect(try await stage.send("GET", "/", ["X: \(filler)"]).status == 431)
    #expect(try await stage.send("POST", "/", ["Content-Length: 11"], body: "12345678901").status == 413)
    let chunks = "6\r\n123456\r\n5\r\n12345\r\n0\r\n\r\n"
    #expect(try await stage.send("POST", "/", ["Transfer-Encoding: chunked"], body: chunks).status == 413)
    #expect(try await stage.send("POST", "/", ["Content-Length: 99999999999999999999"]).status == 413)
    #expect(try await stage.send("POST", "/", ["Content-Length: 10"], body: "1234567890").text == "10")
  }

  @Test("all bodies together have a limit, and what one took is given back")
  func bodyBudget() async throws {
    var limits = ProxyLimits()
    limits.totalBodyBytes = 10
    let stage = try ProxyStage(limits: limits) { .text("\($0.body.count)") }
    for _ in 0..<3 {
      #expect(try await stage.send("POST", "/", ["Content-Length: 8"], body: "12345678").text == "8")
      #expect(try await stage.send("POST", "/", ["Content-Length: 12"], body: "123456789012").status == 503)
    }
  }

  @Test("a client that says nothing, or half a head, is let go of")
  func slow() async throws {
    var limits = ProxyLimits()
    limits.idleSeconds = 0.1
    limits.headSeconds = 0.1
    let stage = try ProxyStage(limits: limits) { _ in .text("") }
    #expect(try await stage.raw("").isEmpty)
    #expect(try await stage.raw("GET / HTTP/1.1\r\nHos").map(\.status) == [408])
    #expect(try await stage.raw("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab").map(\.status) == [408])
    #expect(stage.origin.log.totalRequests == 0)
  }

  @Test(
    "a bare line feed is refused as soon as it has come",
    arguments: [
      "\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n",
      "\r\n\nGET / HTTP/1.1\r\n",
    ])
  func bareLineFeed(_ text: String) async throws {
    let stage = try ProxyStage { _ in .text("") }
    // Waiting for more of it would end in 408.
    #expect(try await stage.raw(text).map(\.status) == [400])
  }

  @Test(
    "where few descriptors may be open, fewer connections and exchanges are served, and never none",
    arguments: [
      (1024, 256, 64), (20_000, 256, 64), (256, 96, 64), (128, 32, 32), (64, 1, 1), (8, 1, 1), (0, 1, 1),
    ])
  func descriptors(_ descriptors: Int, connections: Int, exchanges: Int) {
    let limits = ProxyLimits(descriptors: descriptors)
    #expect(limits.connections == connections)
    #expect(limits.originExchanges == exchanges)
  }

  @Test("connections beyond the limit wait until one has ended")
  func connectionLimit() async throws {
    var limits = ProxyLimits()
    limits.connections = 2
    let gate = Gate()
    let stage = try ProxyStage(limits: limits) { $0.path == "/held" ? .text("held").held(by: gate) : .text("free") }
    let origin = stage.origin
    async let one = stage.send("GET", "/held")
    async let other = stage.send("GET", "/held")
    try await origin.requests(2, for: "/held")
    async let free = stage.send("GET", "/free")
    // It is not served while the others are; nothing can be waited for that must not happen.
    #expect(origin.log.count(of: "/free") == 0)
    gate.open()
    #expect(try await (one.text, other.text) == ("held", "held"))
    #expect(try await free.text == "free")
  }

  @Test("a client that leaves early does not keep the others from being served")
  func leaves() async throws {
    let stage = try ProxyStage { _ in
      .data(Data(repeating: 65, count: 4 << 20), type: "text/plain").cacheControl("no-store")
    }
    for _ in 0..<20 {
      let descriptor = try RawClient.connect(stage.proxy.port)
      _ = Data("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      close(descriptor)
    }
    #expect(try await stage.send().body.count == 4 << 20)
  }

  @Test("stopping ends open connections")
  func stop() async throws {
    let gate = Gate()
    let stage = try ProxyStage { _ in .text("").held(by: gate) }
    async let answer = RawClient.exchange(stage.proxy.port, [Data("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
    try await stage.origin.requests(1, for: "/")
    await stage.proxy.stop()
    #expect(try await answer.isEmpty)
    gate.open()
  }

  @Test("every exchange is told of")
  func records() async throws {
    let stage = try ProxyStage { _ in .text("hello").cacheControl("max-age=60") }
    _ = try await stage.send("GET", "/a")
    _ = try await stage.send("HEAD", "/a")
    _ = try await stage.send("GET", "/a", ["Content-Length: x"])
    let records = stage.records
    #expect(records.map(\.method) == ["GET", "HEAD", ""])
    #expect(records.map(\.status) == [200, 200, 400])
    #expect(records.map(\.bytes).prefix(2) == [5, 0])
    #expect(records.map(\.cacheStatus)[1] == "Vignette; hit; ttl=60")
    #expect(records.allSatisfy { $0.isComplete && $0.milliseconds >= 0 })
  }

  @Test("an address that is taken is a failure that says so")
  func taken() throws {
    let stage = try ProxyStage { _ in .text("") }
    var configuration = CachingProxy.Configuration(origin: stage.origin.url(""))
    configuration.port = stage.proxy.port
    let transport = CurlTransport()
    #expect(throws: CachingProxy.Failure.self) {
      try CachingProxy(configuration, transport: transport, caching: HTTPLoader.Configuration())
    }
    configuration.host = "no.such.host.invalid"
    #expect(throws: CachingProxy.Failure.self) {
      try CachingProxy(configuration, transport: transport, caching: HTTPLoader.Configuration())
    }
  }
}
