import Foundation
import Glibc
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("Bodies on their way through the proxy", .timeLimit(.minutes(2)))
struct StreamingTests {
  private static let request = Data("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)

  @Test(
    "the first bytes arrive while the origin holds back the last, stored or not", arguments: ["no-store", "max-age=60"])
  func early(_ directives: String) async throws {
    let gate = Gate()
    let head = "HTTP/1.1 200 OK\r\nCache-Control: \(directives)\r\nContent-Length: 10\r\n\r\n"
    let stage = try ProxyStage { _ in
      .script([.send(Data((head + "hello").utf8)), .hold(gate), .send(Data("world".utf8)), .close])
    }
    // What is sent second is sent once something has come: the gate is opened by the client's having it.
    let first = try await RawClient.read(stage.proxy.port, Self.request, until: "hello") { gate.open() }
    #expect(first.hasSuffix("helloworld"))
    if directives == "max-age=60" {
      #expect(try await stage.send().headers["Cache-Status"] == "Vignette; hit; ttl=60")
    }
  }

  @Test("a body of unknown length is chunked for the client, and stored when it has come whole")
  func chunked() async throws {
    let body = String(repeating: "0123456789", count: 30_000)
    let stage = try ProxyStage { _ in .text(body).chunked(by: 7_000).cacheControl("max-age=60") }
    let first = try await stage.send()
    #expect(first.headers["Transfer-Encoding"] == "chunked")
    #expect(first.headers["Cache-Status"] == "Vignette; fwd=uri-miss; fwd-status=200; stored; ttl=60")
    #expect(first.isComplete)
    #expect(first.text == body)
    let second = try await stage.send()
    #expect(second.headers["Content-Length"] == "300000")
    #expect(second.text == body)
    #expect(stage.origin.log.totalRequests == 1)
  }

  @Test("a body that breaks off breaks off for the client, and is not stored", arguments: [true, false])
  func truncated(_ isChunked: Bool) async throws {
    let whole = ScriptedServer.Response.text("hello, world").cacheControl("max-age=60")
    let stage = try ProxyStage { request in
      guard request.number == 1 else { return whole }
      return isChunked ? whole.chunked(by: 5, terminated: false) : whole.cut(after: 5, .close)
    }
    let first = try await stage.send()
    #expect(first.status == 200)
    #expect(!first.isComplete)
    #expect(stage.records.map(\.isComplete) == [false])
    let second = try await stage.send()
    #expect(second.text == "hello, world")
    #expect(stage.origin.log.totalRequests == 2)
  }

  @Test("what is too long to be stored is passed on, whether its length is said or not", arguments: [true, false])
  func tooLong(_ isChunked: Bool) async throws {
    let body = Data(repeating: 65, count: 12 << 20)
    let stage = try ProxyStage { _ in
      let answer = ScriptedServer.Response.data(body, type: "text/plain").cacheControl("max-age=60")
      return isChunked ? answer.chunked(by: 1 << 20) : answer
    }
    for _ in 0..<2 { #expect(try await stage.send().body == body) }
    #expect(stage.origin.log.totalRequests == 2)
    #expect(stage.proxy.loader.memoryCost == 0)
  }

  @Test("what is gathered for the stores has a limit in all; beyond it bodies are passed on, and room is given back")
  func gatheringLimit() async throws {
    let (length, gate) = (6 << 20, Gate())
    let body = Data(repeating: 65, count: length)
    let fields = "Cache-Control: max-age=60\r\nContent-Length: \(length)\r\n"
    let stage = try ProxyStage(limits: .patient) { request in
      let head = Data("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)
      return request.path == "/free"
        ? .script([.send(head), .send(body), .close])
        : .script([.send(head + body.prefix(1)), .hold(gate), .close])
    }
    var held: [Int32] = []
    defer { for descriptor in held { close(descriptor) } }
    // The head of each goes out once it has its room.
    for number in 0..<10 { held.append(try await RawClient.begin(stage.proxy.port, "/\(number)")) }
    let beyond = try await stage.send("GET", "/free")
    #expect(beyond.body == body)
    #expect(beyond.headers["Cache-Status"]?.contains("stored") == false)
    gate.open()
    for descriptor in held { try await RawClient.drain(descriptor) }
    let after = try await stage.send("GET", "/free")
    #expect(after.body == body)
    #expect(after.headers["Cache-Status"]?.contains("stored") == true)
  }

  @Test("a client that does not read makes the origin wait, while others have what they ask for")
  func backPressure() async throws {
    let length = 96 << 20
    let whole = ScriptedServer.Response.data(Data(count: length), type: "a/b").cacheControl("no-store")
    let stage = try ProxyStage { _ in whole }
    let descriptor = try await RawClient.begin(stage.proxy.port, "/")
    defer { close(descriptor) }
    // As much as this one could have been sent in the same time.
    #expect(try await stage.send("GET", "/other").body.count == length)
    #expect(stage.origin.log.bytesSent < length + length / 3)
  }

  @Test("what a client left behind is gone on with for the next, where a strong validator allows it")
  func resumed() async throws {
    let body = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
    let gate = Gate()
    let stage = try ProxyStage { request in
      let fields = "Accept-Ranges: bytes\r\nETag: \"1\"\r\nCache-Control: max-age=60\r\n"
      guard let range = request.headers["Range"], let start = Int(range.dropFirst(6).dropLast()) else {
        let head = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 400000\r\n\r\n"
        return .script([.send(Data(head.utf8)), .send(body.prefix(100_000)), .hold(gate), .close])
      }
      let head =
        "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Range: bytes \(start)-399999/400000\r\n"
        + "Content-Length: \(400_000 - start)\r\n\r\n"
      return .script([.send(Data(head.utf8)), .send(body.dropFirst(start)), .close])
    }
    _ = try await RawClient.read(stage.proxy.port, Self.request, until: "\r\n\r\n") { gate.open() }
    let second = try await stage.send()
    #expect(second.body == body)
    #expect(second.status == 200)
    #expect(stage.origin.log.last(for: "/")?.headers["Range"] != nil)
    #expect(try await stage.send().headers["Cache-Status"]?.hasPrefix("Vignette; hit") == true)
  }
}
