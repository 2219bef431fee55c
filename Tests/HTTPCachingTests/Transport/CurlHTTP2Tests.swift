#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("HTTP/2", .enabled(if: HTTP2Server.isAvailable), .timeLimit(.minutes(5)))
  struct CurlHTTP2Tests {
    private func transport(_ server: HTTP2Server) -> CurlTransport {
      var configuration = CurlTransport.Configuration()
      configuration.certificateAuthorities = server.certificate
      return CurlTransport(configuration: configuration)
    }

    @Test("many redirects at once all arrive, over one connection")
    func redirects() async throws {
      let server = try HTTP2Server()
      let transport = transport(server)
      for _ in 0..<5 {
        try await withThrowingTaskGroup(of: String?.self) { group in
          for index in 0..<40 {
            group.addTask {
              let (response, body) = try await transport.get(server.url("/redirect/\(index)"))
              #expect(response.headers["X-Protocol"] == "HTTP/2.0")
              #expect(response.url == server.url("/target/\(index)"))
              #expect(body == Data("/target/\(index)".utf8))
              return response.headers["X-Connection"]
            }
          }
          let connections = try await group.reduce(into: Set()) { $0.insert($1) }
          #expect(connections.count == 1)
        }
      }
    }

    @Test("cancelling some streams leaves the others of their connection alone")
    func cancelling() async throws {
      let server = try HTTP2Server()
      let transport = transport(server)
      _ = try await transport.get(server.url("/warm"))
      await withTaskGroup(of: Bool.self) { group in
        for index in 0..<400 {
          let isLeaving = index % 2 == 0
          group.addTask {
            let task = Task { await transport.failure(server.url("/\(index)")) }
            if isLeaving {
              for _ in 0..<index { await Task.yield() }
              task.cancel()
            }
            let whole = "status 200, \("/\(index)".utf8.count) bytes"
            let end = await task.value
            return end == whole || isLeaving && end == "CancellationError()"
          }
        }
        for await isRight in group { #expect(isRight) }
      }
    }

    @Test(
      "a request that may not be repeated is not, though others have joined its connection before that is cut",
      arguments: [("GET", false), ("POST", true), ("DELETE", true)])
    func cutWhileShared(_ method: String, _ mayRepeat: Bool) async throws {
      let gate = Gate()
      let origin = try ScriptedServer { .text($0.path).held(by: gate) }
      let server = try HTTP2Server(origin: origin)
      let relay = try ConnectionRelay(to: server.port)
      let transport = transport(server)
      func url(_ path: String) throws -> URL {
        try #require(URL(string: "https://localhost:\(relay.port)/origin/\(path)"))
      }
      var request = URLRequest(url: try url("once"))
      request.httpMethod = method
      var once = options()
      once.repeatsRequests = mayRepeat
      let (asked, options) = (request, once)
      async let end = transport.failure(asked, options: options)
      try await origin.requests(1, for: "/origin/once")
      let joining = try url("joined")
      async let joined = transport.failure(joining)
      try await origin.requests(1, for: "/origin/joined")
      let connections = ["/origin/once", "/origin/joined"].map { origin.log.last(for: $0)?.headers["X-Connection"] }
      #expect(connections[0] != nil && connections[0] == connections[1])
      relay.cut()
      // libcurl tells the second of two only that nothing more comes.
      #expect(["transport.reset", "body.truncated"].contains(await end))
      gate.open()
      _ = await joined
      #expect(origin.log.count(of: "/origin/once") == 1)
    }

    @Test("a request that may not be repeated goes by a connection of its own")
    func freshConnection() async throws {
      let server = try HTTP2Server()
      let transport = transport(server)
      let (first, _) = try await transport.get(server.url("/a"))
      var options = options()
      options.repeatsRequests = false
      let (second, _) = try await transport.get(server.url("/a"), options: options)
      #expect(second.headers["X-Protocol"] == "HTTP/2.0")
      #expect(first.headers["X-Connection"] != second.headers["X-Connection"])
    }
  }
#endif
