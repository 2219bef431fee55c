#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("What never reaches a server", .timeLimit(.minutes(5)))
  struct CurlFailureTests {
    let transport = CurlTransport()

    @Test(
      "URLs that cannot be fetched are refused with a reason",
      arguments: [
        ("/only/a/path", "url.invalid"), ("http:///no-host", "url.invalid"), ("http:", "url.invalid"),
        ("ftp://127.0.0.1/x", "url.unsupportedScheme"), ("file:///etc/passwd", "url.unsupportedScheme"),
        ("data:text/plain,hi", "url.unsupportedScheme"), ("gopher://127.0.0.1/", "url.unsupportedScheme"),
      ])
    func invalid(_ text: String, _ code: String) async throws {
      let url = try #require(URL(string: text))
      #expect(await transport.failure(url) == code)
    }

    @Test("a request without a URL is refused")
    func noURL() async throws {
      let url = try #require(URL(string: "http://127.0.0.1"))
      var request = URLRequest(url: url)
      request.url = nil
      #expect(await transport.failure(request) == "url.invalid")
    }

    @Test("a header with a line break is refused before anything is sent")
    func headerInjection() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      await #expect(throws: HTTPError.self) {
        _ = try await transport.get(server.url(), headers: ["X-A": "b\r\nX-C: d"])
      }
      #expect(server.log.totalRequests == 0)
    }

    @Test("an unknown host is transport.hostNotFound")
    func unknownHost() async throws {
      let url = try #require(URL(string: "http://no-such-host.invalid/"))
      #expect(await transport.failure(url) == "transport.hostNotFound")
    }

    @Test("a port nobody listens on is transport.refused")
    func refused() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      let url = server.url()
      server.stop()
      #expect(await transport.failure(url) == "transport.refused")
    }

    @Test("https to a server that speaks plain http is transport.tls")
    func notTLS() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      #expect(await transport.failure(url) == "transport.tls")
    }

    @Test("an error says what to do, where it happened and what lies beneath")
    func errorContent() async throws {
      let server = try ScriptedServer { _ in .resetBeforeHeaders }
      do {
        _ = try await transport.get(server.url("/x"))
        Issue.record("a reset is no success")
      } catch let error as HTTPError {
        #expect(error.url == server.url("/x"))
        #expect(error.message.contains("try again"))
        #expect(error.underlying != nil)
      }
    }
  }
#endif
