import Foundation
import HTTPCaching
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A session that is given", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
  let transport: URLSessionTransport

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    transport = URLSessionTransport(session: URLSession(configuration: configuration))
  }

  @Test("status, headers and body come through, failed statuses too", arguments: [200, 404])
  func answer(_ status: Int) async throws {
    let server = try ScriptedServer { _ in .data(pattern(100_000), type: "image/jpeg", status: status) }
    let (response, body) = try await transport.get(server.url("/x"))
    #expect(response.status == status)
    #expect(response.headers["content-type"] == "image/jpeg")
    #expect(body == pattern(100_000))
  }

  @Test("failures have the codes they have elsewhere")
  func failures() async throws {
    let server = try ScriptedServer { _ in .text("hello") }
    #expect(await transport.failure(server.url(), options: options(limit: 4)) == "body.tooLarge")
    let url = server.url()
    server.stop()
    #expect(await transport.failure(url) == "transport.refused")
    let file = URL(fileURLWithPath: "/etc/passwd")
    #expect(await transport.failure(file) == "url.unsupportedScheme")
  }

  @Test("the total timeout is real seconds")
  func timeout() async throws {
    let server = try ScriptedServer { _ in .stall }
    #expect(await transport.failure(server.url(), options: options(total: 0.2)) == "transport.timedOut")
  }

  @Test("cancelling is a CancellationError and closes the connection")
  func cancellation() async throws {
    let server = try ScriptedServer { _ in .stall }
    let transport = transport
    let task = Task { await transport.failure(server.url("/x")) }
    try await server.requests(for: "/x")
    task.cancel()
    #expect(await task.value == "CancellationError()")
    try await server.clientClosed(after: "/x")
  }
}
