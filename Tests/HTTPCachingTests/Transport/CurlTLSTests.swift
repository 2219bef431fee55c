#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  /// Against `openssl s_server`, which sends the files of its folder as whole answers.
  @Suite("TLS", .enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(5)))
  struct CurlTLSTests {
    private static let hello = ["hello": Data("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)]

    @Test("a certificate nobody vouches for is refused, and accepted where its authority is given")
    func authority() async throws {
      let server = try TLSServer(subject: "localhost", answers: Self.hello)
      #expect(await CurlTransport().failure(server.url("/hello")) == "transport.tls")
      let (response, body) = try await CurlTransport(trusting: server).get(server.url("/hello"))
      #expect(response.status == 200)
      #expect(body == Data("hello".utf8))
    }

    @Test("a certificate for another host is refused")
    func wrongHost() async throws {
      let server = try TLSServer(subject: "elsewhere.test", answers: Self.hello)
      #expect(await CurlTransport(trusting: server).failure(server.url("/hello")) == "transport.tls")
    }

    @Test("an expired certificate is refused")
    func expired() async throws {
      let server = try TLSServer(subject: "localhost", days: -1, answers: Self.hello)
      #expect(await CurlTransport(trusting: server).failure(server.url("/hello")) == "transport.tls")
    }

    @Test("a redirect from https to http is refused")
    func downgrade() async throws {
      let plain = try ScriptedServer { _ in .text("plain") }
      let server = try TLSServer(
        subject: "localhost",
        answers: ["redirect": Data("HTTP/1.0 302 Found\r\nLocation: \(plain.url().absoluteString)\r\n\r\n".utf8)])
      #expect(await CurlTransport(trusting: server).failure(server.url("/redirect")) == "redirect.insecure")
      #expect(plain.log.totalRequests == 0)
    }
  }

  extension CurlTransport {
    convenience init(trusting server: TLSServer) {
      var configuration = Configuration()
      configuration.certificateAuthorities = server.certificate
      self.init(configuration: configuration)
    }
  }
#endif
