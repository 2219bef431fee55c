#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("Compressed bodies nobody asked for", .timeLimit(.minutes(5)))
  struct ContentCodingTests {
    let transport = CurlTransport()

    static let text = Data("hello hello hello hello hello, this is compressed".utf8)
    static let gzip = base64("H4sIAAAAAAACA8tIzcnJV8jATuoolGRkFisAUXJ+bkFRanFxagoAvyWWkDEAAAA=")
    static let zlib = base64("eNrLSM3JyVfIwE7qKJRkZBYrAFFyfm5BUWpxcWoKAMQ+Ejo=")
    static let deflate = base64("y0jNyclXyMBO6iiUZGQWKwBRcn5uQVFqcXFqCgA=")

    static func base64(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

    private func get(
      _ body: Data, coding: String, options: TransportOptions = options(), change: (Response) -> Response = { $0 }
    ) async throws -> String {
      let response = change(.data(body, type: "text/plain").header("Content-Encoding", coding))
      let server = try ScriptedServer { _ in response }
      do {
        let (head, body) = try await transport.get(server.url(), options: options)
        #expect(head.headers["Content-Encoding"] == nil && head.headers["Content-Length"] == nil)
        return body == Self.text ? "text" : "\(body.count) bytes"
      } catch let error as HTTPError {
        return error.code.rawValue
      }
    }

    @Test(
      "gzip, x-gzip and both kinds of deflate are undone, and the headers describe what is delivered",
      arguments: [("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("deflate", deflate)])
    func decoded(_ coding: String, _ body: Data) async throws {
      #expect(try await get(body, coding: coding) == "text")
      #expect(try await get(body, coding: coding) { $0.chunked(by: 3) } == "text")
    }

    @Test("a stream cut in half is body.truncated, although its Content-Length matches")
    func half() async throws {
      #expect(try await get(Self.gzip.prefix(25), coding: "gzip") == "body.truncated")
      #expect(try await get(Self.gzip.dropLast(1), coding: "gzip") == "body.truncated")
      #expect(try await get(Self.deflate.dropLast(3), coding: "deflate") == "body.truncated")
    }

    @Test("a damaged stream, or none at all, is transport.protocol")
    func damaged() async throws {
      var damaged = Self.gzip
      damaged[20] ^= 0xff
      #expect(try await get(damaged, coding: "gzip") == "transport.protocol")
      #expect(try await get(Data("no gzip at all".utf8), coding: "gzip") == "transport.protocol")
    }

    @Test("two members are one body, and padding after the end is ignored")
    func members() async throws {
      #expect(try await get(Self.gzip + Self.gzip, coding: "gzip") == "98 bytes")
      #expect(try await get(Self.gzip + Data(count: 100), coding: "gzip") == "text")
    }

    @Test(
      "codings on codings are undone, the last one first",
      arguments: [
        (["gzip", "gzip"], "gzip, gzip"), (["deflate", "gzip"], "deflate,gzip"), (["gzip"], "identity, gzip"),
      ])
    func stacked(_ codings: [String], _ field: String) async throws {
      let body = try codings.dropFirst().reduce(codings[0] == "gzip" ? Self.gzip : Self.zlib) { body, _ in
        try Self.compress(body)
      }
      #expect(try await get(body, coding: field) == "text")
      #expect(try await get(body, coding: field) { $0.chunked(by: 3) } == "text")
      #expect(try await get(body.dropLast(9), coding: field) == "body.truncated")
    }

    @Test("codings in several fields are one list, and one that is not ours stays for the reader")
    func severalFields() async throws {
      let twice = try Self.compress(Self.gzip)
      #expect(try await get(twice, coding: "gzip") { $0.header("Content-Encoding", "x-gzip") } == "text")
      let server = try ScriptedServer { _ in .data(Self.gzip, type: "a/b").header("Content-Encoding", "br, gzip") }
      let (response, body) = try await transport.get(server.url())
      #expect(response.headers["Content-Encoding"] == "br")
      #expect(body == Self.text)
    }

    @Test("more codings than any honest server applies are left alone")
    func tooManyCodings() async throws {
      let field = Array(repeating: "gzip", count: 6).joined(separator: ", ")
      let server = try ScriptedServer { _ in .text("as it is").header("Content-Encoding", field) }
      let (response, body) = try await transport.get(server.url())
      #expect(response.headers["Content-Encoding"] == field)
      #expect(body == Data("as it is".utf8))
    }

    @Test("a bomb in a bomb comes through back-pressure whole, or stops at the limit")
    func nestedBomb() async throws {
      let bomb = try Self.compress(Self.compress(Data(count: 32 << 20)))
      #expect(bomb.count < 2000)
      #expect(try await get(bomb, coding: "gzip, gzip", options: options(limit: 1 << 20)) == "body.tooLarge")
      let response = Response.data(bomb, type: "a/b").header("Content-Encoding", "gzip, gzip")
      let server = try ScriptedServer { _ in response }
      var count = 0
      for try await chunk in try await transport.send(URLRequest(url: server.url()), options: options()).body {
        #expect(chunk.count <= 1 << 20)
        count += chunk.count
      }
      #expect(count == 32 << 20)
    }

    @Test("padding without end after a compressed body stops at the limit", arguments: ["gzip", "deflate"])
    func endlessPadding(_ coding: String) async throws {
      let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n".utf8)
      let server = try ScriptedServer { _ in
        .script([.send(head + (coding == "gzip" ? Self.gzip : Self.zlib)), .sendForever(Data(count: 64 << 10))])
      }
      #expect(await transport.failure(server.url(), options: options(limit: 1 << 20)) == "body.tooLarge")
    }

    @Test("an empty body is empty whatever its coding")
    func empty() async throws {
      #expect(try await get(Data(), coding: "gzip") == "0 bytes")
    }

    @Test("a coding that is not ours is handed on as it came")
    func unknown() async throws {
      let server = try ScriptedServer { _ in .text("as it is").header("Content-Encoding", "zstd") }
      let (response, body) = try await transport.get(server.url())
      #expect(response.headers["Content-Encoding"] == "zstd")
      #expect(body == Data("as it is".utf8))
    }

    @Test("a bomb stops at the limit, and a body within it arrives whole through back-pressure")
    func bomb() async throws {
      let bomb = try Self.compress(Data(count: 32 << 20))
      #expect(bomb.count < 100_000)
      #expect(try await get(bomb, coding: "gzip", options: options(limit: 1 << 20)) == "body.tooLarge")
      #expect(try await get(bomb, coding: "gzip") == "\(32 << 20) bytes")
      // Read piece by piece, so that the decoder has to wait for the reader.
      let response = Response.data(bomb, type: "a/b").header("Content-Encoding", "gzip")
      let server = try ScriptedServer { _ in response }
      let exchange = try await transport.send(URLRequest(url: server.url()), options: options())
      var count = 0
      for try await chunk in exchange.body {
        #expect(chunk.count <= 1 << 20)
        count += chunk.count
      }
      #expect(count == 32 << 20)
    }

    /// By the system's gzip, as a server would.
    private static func compress(_ data: Data) throws -> Data {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
      try data.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      return try ChildProcess.output(of: "/bin/gzip", ["-c", file.path])
    }
  }
#endif
