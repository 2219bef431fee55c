import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("Places that clients and the origin hold", .timeLimit(.minutes(2)))
struct PlaceTests {
  private static let request = Data("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

  // MARK: Clients

  @Test(
    "from a client that goes on sending after its last answer is read for a bounded time, and a bounded number of bytes",
    arguments: [(0.1, Int.max), (600, 64 << 10)])
  func lingering(_ seconds: Double, _ bytes: Int) async throws {
    var limits = ProxyLimits.patient
    limits.lingerSeconds = seconds
    limits.lingerBytes = bytes
    let stage = try ProxyStage(limits: limits) { _ in .text("") }
    _ = try await RawClient.flood(stage.proxy.port, "BAD\r\n\r\n", with: Data(repeating: 65, count: 1000))
    #expect(stage.records.map(\.status) == [400])
  }

  @Test(
    "a body that comes byte by byte is refused in the end",
    arguments: ["Content-Length: 999999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nFFFFF\r\n"])
  func slowBody(_ end: String) async throws {
    var limits = ProxyLimits.patient
    limits.idleSeconds = 0.5
    limits.bytesPerSecond = 1e9
    let stage = try ProxyStage(limits: limits) { _ in .text("") }
    let answer = try await RawClient.dribble(stage.proxy.port, "POST / HTTP/1.1\r\nHost: a\r\n" + end)
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
    #expect(stage.origin.log.totalRequests == 0)
  }

  @Test("a client that takes a body byte by byte is let go of in the end, and the origin with it")
  func slowReader() async throws {
    var limits = ProxyLimits.patient
    limits.idleSeconds = 1
    limits.bytesPerSecond = 1e12
    let stage = try ProxyStage(limits: limits) { _ in .endlessBody }
    let hasClosed = Locked(false)
    async let reading: Void = RawClient.sip(stage.proxy.port, Self.request) { hasClosed.withLock { $0 } }
    try await stage.origin.clientClosed(after: "/")
    hasClosed.withLock { $0 = true }
    try await reading
    #expect(stage.records.map(\.isComplete) == [false])
  }

  @Test("the time a body may take runs while its client is waited for, and bytes bring back no more than the limit")
  func pace() {
    var limits = ProxyLimits()
    limits.idleSeconds = 10
    limits.bytesPerSecond = 100
    var pace = Pace(limits)
    pace.note(bytes: 1 << 30)
    #expect(pace.secondsLeft == 10)
    pace.note(waited: 4)
    #expect(pace.secondsLeft == 6)
    pace.note(bytes: 100)
    #expect(pace.secondsLeft == 7)
    pace.note(bytes: 1000)
    #expect(pace.secondsLeft == 10)
    // 50 bytes a second of 100: half of each second is lost.
    for _ in 0..<20 {
      #expect(pace.secondsLeft > 0)
      pace.note(waited: 1)
      pace.note(bytes: 50)
    }
    #expect(pace.secondsLeft == 0.5)
    pace.note(waited: 9)
    #expect(pace.secondsLeft == 0)
  }

  @Test("an idle connection makes way for a new one")
  func idle() async throws {
    var limits = ProxyLimits.patient
    limits.connections = 1
    let stage = try ProxyStage(limits: limits) { .text($0.target) }
    for number in 0..<3 {
      async let kept = RawClient.exchange(
        stage.proxy.port, [Data("GET /kept\(number) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
      try await stage.origin.requests(1, for: "/kept\(number)")
      #expect(try await stage.send("GET", "/new\(number)").text == "/new\(number)")
      #expect(RawClient.responses(try await kept, methods: []).map(\.text) == ["/kept\(number)"])
    }
  }

  @Test("a connection that is busy does not, until it has answered")
  func busy() async throws {
    var limits = ProxyLimits.patient
    limits.connections = 1
    let gate = Gate()
    let stage = try ProxyStage(limits: limits) { $0.path == "/" ? .text("held").held(by: gate) : .text("new") }
    async let held = RawClient.exchange(stage.proxy.port, [Self.request])
    try await stage.origin.requests(1, for: "/")
    async let new = stage.send("GET", "/new")
    gate.open()
    #expect(RawClient.responses(try await held, methods: []).map(\.text) == ["held"])
    #expect(try await new.text == "new")
  }

  @Test("the one that has been idle longest is the one that makes way, or the first that becomes idle")
  func longestIdle() throws {
    let poller = try #require(SocketPoller())
    let idle = IdleConnections()
    func enter() throws -> IdleConnections.Ticket? {
      idle.enter(try Socket.listening(host: "127.0.0.1", port: 0, poller: poller))
    }
    let tickets = try (0..<4).map { _ in try #require(try enter()) }
    #expect(idle.leave(tickets[0]))
    idle.wantRoom()
    #expect(tickets.dropFirst().map(idle.leave) == [false, true, true])
    idle.wantRoom()
    #expect(try enter() == nil)
    let next = try #require(try enter())
    #expect(idle.leave(next))
    // Whoever wanted it has had its place.
    idle.wantRoom()
    idle.haveRoom()
    #expect(try enter() != nil)
  }

  @Test("a request that has come is served, also where its connection has to make way")
  func sentBefore() async throws {
    var limits = ProxyLimits.patient
    limits.connections = 1
    let gate = Gate()
    let stage = try ProxyStage(limits: limits) { $0.path == "/1" ? .text("1").held(by: gate) : .text($0.path) }
    // The first is as long as what is read at once, so that the second waits in the system's buffer.
    let fields = "Host: a\r\nX: "
    let filler = String(repeating: "x", count: (16 << 10) - "GET /1 HTTP/1.1\r\n".utf8.count - fields.utf8.count - 4)
    let requests = "GET /1 HTTP/1.1\r\n\(fields)\(filler)\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
    async let first = RawClient.exchange(stage.proxy.port, [Data(requests.utf8)])
    try await stage.origin.requests(1, for: "/1")
    async let new = stage.send("GET", "/new")
    gate.open()
    #expect(RawClient.responses(try await first, methods: []).map(\.text) == ["1", "/2"])
    #expect(try await new.text == "/new")
  }

  @Test("stopping does not wait for a place")
  func stopping() async throws {
    var limits = ProxyLimits.patient
    limits.connections = 1
    let gate = Gate()
    let stage = try ProxyStage(limits: limits) { _ in .text("").held(by: gate) }
    async let held = RawClient.exchange(stage.proxy.port, [Self.request])
    try await stage.origin.requests(1, for: "/")
    async let waiting = RawClient.exchange(stage.proxy.port, [Self.request])
    await stage.proxy.stop()
    #expect(try await held.isEmpty)
    #expect(try await waiting.isEmpty)
    gate.open()
  }

  // MARK: The origin

  /// Makes so many clients that read nothing but the beginning of an endless answer.
  private func hold(_ stage: ProxyStage, _ count: Int) async throws -> [Int32] {
    var held: [Int32] = []
    for _ in 0..<count { held.append(try await RawClient.begin(stage.proxy.port, "/endless")) }
    return held
  }

  @Test("where all turns at the origin are taken a miss is answered with 503, and what is stored as ever")
  func originBusy() async throws {
    var limits = ProxyLimits.patient
    limits.originExchanges = 2
    limits.originWaitSeconds = 0
    let stage = try ProxyStage(limits: limits) {
      $0.path == "/endless" ? .endlessBody : .text("stored").cacheControl("max-age=\($0.path == "/hit" ? 600 : 1)")
    }
    for path in ["/hit", "/stale"] { #expect(try await stage.send("GET", path).text == "stored") }
    stage.clock.advance(by: 5)
    let held = try await hold(stage, 2)
    defer { for descriptor in held { close(descriptor) } }
    let miss = try await stage.send("GET", "/miss")
    #expect(miss.status == 503)
    #expect(miss.headers["Proxy-Status"] == "Vignette; error=connection_limit_reached")
    #expect(try await stage.send("GET", "/hit").text == "stored")
    let stale = try await stage.send("GET", "/stale")
    #expect(stale.text == "stored")
    #expect(stale.headers["Cache-Status"]?.contains("detail=transport.timedOut") == true)
    #expect(stage.origin.log.count(of: "/miss") == 0)
  }

  @Test("a miss waits for its turn, and has it when another's client leaves or has its answer")
  func originTurn() async throws {
    var limits = ProxyLimits.patient
    limits.originExchanges = 1
    limits.originWaitSeconds = 600
    let stage = try ProxyStage(limits: limits) { $0.path == "/endless" ? .endlessBody : .text($0.path) }
    let held = try await hold(stage, 1)
    async let first = stage.send("GET", "/first")
    async let second = stage.send("GET", "/second")
    for descriptor in held { close(descriptor) }
    #expect(try await (first.text, second.text) == ("/first", "/second"))
  }

  @Test("places go to who has waited longest, are given back, and whoever is cancelled or too late takes none")
  func places() async throws {
    let places = Places(1)
    var place = try await places.take()
    #expect(place != nil && places.areTaken)
    #expect(try await places.take(within: 0) == nil)
    #expect(try await places.take(within: 0.001) == nil)
    #expect(place != nil)
    let cancelled = Task { try await places.take() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let next = Task { try await places.take() }
    place = nil
    #expect(try await next.value != nil)
  }
}
