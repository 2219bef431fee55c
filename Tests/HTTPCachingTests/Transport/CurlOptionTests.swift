#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Synchronized
  import Testing
  import VignetteTesting

  @Suite("What a caller may ask of one transfer", .timeLimit(.minutes(5)))
  struct CurlOptionTests {
    let transport = CurlTransport()

    @Test(
      "a redirect that is not to be followed is the response, with its body, and under the limits",
      arguments: [301, 307])
    func redirect(_ status: Int) async throws {
      let server = try ScriptedServer { _ in
        .text("elsewhere", status: status).header("Location", "/target")
      }
      var options = options()
      options.followsRedirects = false
      let (response, body) = try await transport.get(server.url("/x"), options: options)
      #expect(response.status == status)
      #expect(response.url == server.url("/x"))
      #expect(response.headers["Location"] == "/target")
      #expect(body == Data("elsewhere".utf8))
      #expect(server.log.totalRequests == 1)
      options.maximumBodyBytes = 8
      #expect(await transport.failure(server.url("/x"), options: options) == "body.tooLarge")
    }

    @Test("a body that is not to be decoded comes as it was sent, with its headers")
    func coded() async throws {
      let coded = ContentCodingTests.gzip
      let server = try ScriptedServer { _ in .data(coded, type: "text/plain").header("Content-Encoding", "gzip") }
      var options = options()
      options.decodesContent = false
      let (response, body) = try await transport.get(server.url(), options: options)
      #expect(response.headers["Content-Encoding"] == "gzip")
      #expect(response.headers["Content-Length"] == "\(coded.count)")
      #expect(body == coded)
      options.maximumBodyBytes = coded.count - 1
      #expect(await transport.failure(server.url(), options: options) == "body.tooLarge")
    }

    @Test(
      "a request on a kept connection that turns out dead goes out again only where it may",
      arguments: [
        ("GET", true, 2, "status 200, 2 bytes"), ("GET", false, 1, "transport.reset"),
        ("POST", true, 1, "transport.reset"), ("DELETE", true, 1, "transport.reset"),
      ])
    func repeating(_ method: String, _ isAllowed: Bool, _ count: Int, _ end: String) async throws {
      let server = try ScriptedServer { request in
        request.path == "/x" && request.number == 1 ? .closeBeforeHeaders : .text("ok")
      }
      _ = try await transport.get(server.url("/warm"))
      var request = URLRequest(url: server.url("/x"))
      request.httpMethod = method
      var options = options()
      options.repeatsRequests = isAllowed
      #expect(await transport.failure(request, options: options) == end)
      #expect(server.log.count(of: "/x") == count)
    }

    @Test("a request that may not be repeated does not fail because of a connection that closed while idle")
    func freshConnection() async throws {
      let server = try ScriptedServer { request in
        request.path == "/warm"
          ? .script([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)), .close]) : .text("ok")
      }
      var options = options()
      options.repeatsRequests = false
      _ = try await transport.get(server.url("/warm"))
      #expect(try await transport.get(server.url("/x"), options: options).body == Data("ok".utf8))
      #expect(server.log.count(of: "/x") == 1)
    }

    @Test("interim responses are told in order, those of redirects too, and 101 is none")
    func interim() async throws {
      let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
      let server = try ScriptedServer { request in
        let final =
          request.path == "/start"
          ? "HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n"
          : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        return .script([.send(Data((early + final).utf8)), .close])
      }
      let seen = Locked<[String]>([])
      var options = options()
      options.interim = InterimResponses { status, headers in
        seen.withLock { $0.append("\(status) \(headers["Link"] ?? "")") }
      }
      #expect(try await transport.get(server.url("/start"), options: options).body == Data("ok".utf8))
      #expect(seen.withLock { $0 } == ["103 </a>", "102 ", "103 </a>", "102 "])
    }

    @Test("what hears of interim responses is equal only to itself, so that options compare")
    func identity() {
      let interim = InterimResponses { _, _ in }
      var (one, other) = (TransportOptions(), TransportOptions())
      #expect(one == other)
      one.interim = interim
      #expect(one != other)
      other.interim = InterimResponses { _, _ in }
      #expect(one != other)
      other.interim = interim
      #expect(one == other)
      #expect(one.hashValue == other.hashValue)
    }
  }
#endif
