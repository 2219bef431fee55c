#if !canImport(Darwin)
  import Foundation
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("What a server does wrong", .timeLimit(.minutes(5)))
  struct CurlFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
      var name: String
      var response: Response
      var code: String
      var options = HTTPCachingTests.options()
      var testDescription: String { name }
    }

    static let body = pattern(100_000)

    static let faults: [Fault] = [
      Fault(name: "closes before headers", response: .closeBeforeHeaders, code: "transport.reset"),
      Fault(name: "closes in headers", response: .closeInHeaders, code: "transport.protocol"),
      Fault(name: "resets before headers", response: .resetBeforeHeaders, code: "transport.reset"),
      Fault(name: "resets in headers", response: .resetInHeaders, code: "transport.reset"),
      Fault(name: "is not HTTP", response: .garbage, code: "transport.protocol"),
      Fault(name: "sends headers without end", response: .endlessHeaders, code: "transport.protocol"),
      Fault(name: "sends interim answers without end", response: .endlessInterim, code: "transport.protocol"),
      Fault(name: "never answers", response: .stall, code: "transport.timedOut", options: options(idle: 0.2)),
      Fault(
        name: "never answers in a total time that is no number", response: .stall, code: "transport.timedOut",
        options: options(total: .nan)),
      Fault(
        name: "never answers in an idle time that is no number", response: .stall, code: "transport.timedOut",
        options: options(idle: .nan, total: nil)),
      Fault(
        name: "sends one line without end",
        response: .script([.sendForever(Data("HTTP/1.1 200 OK and".utf8))]), code: "transport.protocol"),
      Fault(
        name: "stalls in the body", response: .data(body, type: "a/b").cut(after: 50_000, .stall),
        code: "transport.timedOut", options: options(idle: 0.2)),
      Fault(
        name: "drips for longer than the total timeout",
        response: .data(body, type: "a/b").paced(bytes: 1, every: 0.02), code: "transport.timedOut",
        options: options(total: 0.3)),
      Fault(
        name: "closes before the announced length", response: .data(body, type: "a/b").cut(after: 50_000, .close),
        code: "body.truncated"),
      Fault(
        name: "closes before any of the announced body", response: .data(body, type: "a/b").cut(after: 0, .close),
        code: "body.truncated"),
      Fault(
        name: "resets in the body", response: .data(body, type: "a/b").cut(after: 50_000, .reset),
        code: "transport.reset"),
      Fault(
        name: "does not end its chunks", response: .data(body, type: "a/b").chunked(terminated: false),
        code: "body.truncated"),
      Fault(
        name: "closes within a chunk",
        response: .data(body, type: "a/b").chunked(by: 50_000).cut(after: 70_000, .close),
        code: "body.truncated"),
      Fault(
        name: "gives two lengths",
        response: .data(body, type: "a/b").header("Content-Length", "100000").header("Content-Length", "5"),
        code: "transport.protocol"),
      Fault(
        name: "gives a length that is no number", response: .data(body, type: "a/b").header("Content-Length", "many"),
        code: "transport.protocol"),
      Fault(
        name: "announces more than the limit", response: .data(body, type: "a/b"), code: "body.tooLarge",
        options: options(limit: 99_999)),
      Fault(
        name: "sends a body without end", response: .endlessBody, code: "body.tooLarge",
        options: options(limit: 1 << 20)),
    ]

    @Test("each fault has its code, and the next request works", arguments: faults)
    func fault(_ fault: Fault) async throws {
      let server = try ScriptedServer { request in
        request.path == "/good" ? .data(Self.body, type: "image/jpeg") : fault.response
      }
      let transport = CurlTransport()
      #expect(await transport.failure(server.url("/bad"), options: fault.options) == fault.code)
      let next = try await transport.get(server.url("/good"))
      #expect(next.body == Self.body)
      server.stop()
    }
  }
#endif
