#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("What goes out and comes back", .timeLimit(.minutes(5)))
  struct CurlRequestTests {
    let transport = CurlTransport()

    @Test("method, headers and body arrive as they were given")
    func request() async throws {
      let server = try ScriptedServer { _ in .text("made", status: 201) }
      var request = URLRequest(url: server.url("/things?a=1&b=%20"))
      request.httpMethod = "PUT"
      request.httpBody = Data("hello".utf8)
      request.setValue("yes", forHTTPHeaderField: "X-Custom")
      request.setValue("", forHTTPHeaderField: "X-Empty")
      let exchange = try await transport.send(request, options: options())
      #expect(exchange.response.status == 201)
      #expect(try await exchange.body.collect() == Data("made".utf8))
      let seen = try #require(server.log.requests.first)
      #expect(seen.method == "PUT")
      #expect(seen.target == "/things?a=1&b=%20")
      #expect(seen.body == Data("hello".utf8))
      #expect(seen.headers["X-Custom"] == "yes")
      #expect(seen.headers["X-Empty"] == "")
      #expect(seen.headers["Content-Type"] == nil)
      #expect(seen.headers["Expect"] == nil)
    }

    @Test("no Accept-Encoding and no Cookie are sent unasked, and a User-Agent is")
    func defaultHeaders() async throws {
      let server = try ScriptedServer { _ in .text("hi").header("Set-Cookie", "a=b") }
      _ = try await transport.get(server.url("/1"))
      _ = try await transport.get(server.url("/2"))
      let seen = try #require(server.log.requests.last)
      #expect(seen.headers["Accept-Encoding"] == nil)
      #expect(seen.headers["Cookie"] == nil)
      #expect(seen.headers["User-Agent"] == "Vignette")
    }

    @Test("a POST without a body says that its length is 0")
    func emptyPost() async throws {
      let server = try ScriptedServer { _ in .status(200) }
      var request = URLRequest(url: server.url())
      request.httpMethod = "POST"
      _ = try await transport.send(request, options: options()).body.collect()
      #expect(server.log.requests.first?.headers["Content-Length"] == "0")
    }

    @Test("HEAD brings the headers of a body that does not come")
    func head() async throws {
      let server = try ScriptedServer { _ in .data(pattern(1 << 20), type: "image/png") }
      var request = URLRequest(url: server.url())
      request.httpMethod = "HEAD"
      let exchange = try await transport.send(request, options: options(limit: 10))
      #expect(exchange.response.headers["content-length"] == "1048576")
      #expect(try await exchange.body.collect().isEmpty)
    }

    @Test("an answer that is no success has a body too", arguments: [404, 410, 500, 503])
    func failureStatus(_ status: Int) async throws {
      let server = try ScriptedServer { _ in .text("sorry", status: status) }
      let (response, body) = try await transport.get(server.url())
      #expect(response.status == status)
      #expect(body == Data("sorry".utf8))
    }

    @Test(
      "a body arrives whole however it is framed",
      arguments: [0, 1, 1000, 300_000, 5_000_000], ["length", "chunked", "close"])
    func framing(_ size: Int, _ framing: String) async throws {
      let body = pattern(size)
      let server = try ScriptedServer { _ in
        let response = Response.data(body, type: "a/b")
        return framing == "chunked"
          ? response.chunked(by: 70_000) : framing == "close" ? response.untilClose() : response
      }
      let (_, received) = try await transport.get(server.url())
      #expect(received == body)
      var streamed = Data()
      for try await chunk in try await transport.send(URLRequest(url: server.url()), options: options()).body {
        #expect(!chunk.isEmpty)
        streamed.append(chunk)
      }
      #expect(streamed == body)
    }

    @Test("interim answers and folded headers are understood")
    func interim() async throws {
      let wire =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\nContent-Length: 2\r\n\r\nok"
      let server = try ScriptedServer { _ in .script([.send(Data(wire.utf8)), .close]) }
      let (response, body) = try await transport.get(server.url())
      #expect(response.headers["Link"] == nil)
      #expect(response.headers["X-Long"] == "one two")
      #expect(body == Data("ok".utf8))
    }

    @Test("equal repeated lengths are one length")
    func repeatedLength() async throws {
      let server = try ScriptedServer { _ in
        .text("hello").header("Content-Length", "5").header("Content-Length", "5")
      }
      #expect(try await transport.get(server.url()).body == Data("hello".utf8))
    }

    @Test("one connection serves requests that follow each other")
    func keepAlive() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      for _ in 0..<20 { _ = try await transport.get(server.url()) }
      #expect(server.log.acceptedConnections == 1)
    }

    @Test("what follows a body beyond its length does not become the next answer")
    func excess() async throws {
      let server = try ScriptedServer { request in
        guard request.path == "/long" else { return .text("good") }
        let wire = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        return .script([.send(Data(wire.utf8)), .stall])
      }
      #expect(try await transport.get(server.url("/long")).body == Data("body".utf8))
      #expect(try await transport.get(server.url("/next")).body == Data("good".utf8))
    }

    @Test("never more than six connections to one host, and 500 requests all answered")
    func queue() async throws {
      let body = pattern(2000)
      let server = try ScriptedServer { _ in .data(body, type: "a/b") }
      let transport = transport
      try await withThrowingTaskGroup { group in
        for index in 0..<500 {
          group.addTask { try await transport.get(server.url("/\(index)")).body == body }
        }
        for try await isWhole in group { #expect(isWhole) }
      }
      #expect(server.log.peakConnections <= 6)
      #expect(server.log.totalRequests == 500)
    }

    @Test("a request that waits for its turn is not idle")
    func waitingIsNotIdle() async throws {
      var configuration = CurlTransport.Configuration()
      configuration.connectionsPerHost = 1
      let transport = CurlTransport(configuration: configuration)
      let server = try ScriptedServer { request in
        request.path == "/slow" ? .text("slow").paced(bytes: 1, every: 0.6) : .text("quick")
      }
      async let slow = transport.get(server.url("/slow"), options: options(idle: 1.6))
      try await server.requests(for: "/slow")
      async let quick = transport.get(server.url("/quick"), options: options(idle: 1.6))
      #expect(try await slow.body == Data("slow".utf8))
      #expect(try await quick.body == Data("quick".utf8))
    }
  }
#endif
