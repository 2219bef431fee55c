#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("Cancelling", .timeLimit(.minutes(5)))
  struct CurlCancellationTests {
    let transport = CurlTransport()
    static let body = pattern(1 << 20)

    @Test("a cancelled task sends nothing")
    func before() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      let transport = transport
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await transport.failure(server.url())
      }
      #expect(await task.value == "CancellationError()")
      #expect(server.log.totalRequests == 0)
    }

    @Test("cancelling before the headers closes the connection")
    func beforeHeaders() async throws {
      let server = try ScriptedServer { _ in .stall }
      let transport = transport
      let task = Task { await transport.failure(server.url("/x")) }
      try await server.requests(for: "/x")
      task.cancel()
      #expect(await task.value == "CancellationError()")
      try await server.clientClosed(after: "/x")
    }

    @Test("cancelling amid the headers closes the connection")
    func amidHeaders() async throws {
      let sent = Gate()
      let server = try ScriptedServer { _ in
        .script([.send(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .hold(sent), .stall])
      }
      let transport = transport
      let task = Task { await transport.failure(server.url("/x")) }
      try await server.until { $0.bytesSent > 0 }
      task.cancel()
      #expect(await task.value == "CancellationError()")
      try await server.clientClosed(after: "/x")
    }

    @Test("cancelling while the body is read closes the connection")
    func amidBody() async throws {
      let server = try ScriptedServer { _ in .data(Self.body, type: "a/b").cut(after: 1000, .stall) }
      let exchange = try await transport.send(URLRequest(url: server.url("/x")), options: options())
      let started = Gate()
      let task = Task {
        var count = 0
        do {
          for try await chunk in exchange.body {
            count += chunk.count
            started.open()
          }
          return "complete"
        } catch {
          return "\(error) after \(count)"
        }
      }
      try await started.wait()
      task.cancel()
      #expect(await task.value == "CancellationError() after 1000")
      try await server.clientClosed(after: "/x")
    }

    @Test("letting go of an unread body closes the connection")
    func unreadBody() async throws {
      let server = try ScriptedServer { _ in .endlessBody }
      _ = try await transport.send(URLRequest(url: server.url("/x")), options: options())
      try await server.clientClosed(after: "/x")
    }

    @Test("leaving the loop over a body closes the connection")
    func leavingTheLoop() async throws {
      let server = try ScriptedServer { _ in .endlessBody }
      for try await _ in try await transport.send(URLRequest(url: server.url("/x")), options: options()).body { break }
      try await server.clientClosed(after: "/x")
    }

    @Test("a body can still be read after its transport has been let go of")
    func transportReleased() async throws {
      let gate = Gate()
      let server = try ScriptedServer { _ in
        .script([
          .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab".utf8)), .hold(gate), .send(Data("cd".utf8)),
        ])
      }
      var transport: CurlTransport? = CurlTransport()
      let exchange = try await #require(transport).send(URLRequest(url: server.url()), options: options())
      transport = nil
      gate.open()
      #expect(try await exchange.body.collect() == Data("abcd".utf8))
    }

    @Test("cancelling one of two equal requests leaves the other alone")
    func neighbour() async throws {
      let gate = Gate()
      let server = try ScriptedServer { _ in .text("kept").held(by: gate) }
      let transport = transport
      let leaving = Task { await transport.failure(server.url("/x")) }
      let staying = Task { try await transport.get(server.url("/x")).body }
      try await server.requests(2, for: "/x")
      leaving.cancel()
      _ = await leaving.value
      try await server.clientClosed(after: "/x")
      gate.open()
      #expect(try await staying.value == Data("kept".utf8))
    }

    @Test("a request cancelled while it waits for its turn never reaches the server")
    func queued() async throws {
      var configuration = CurlTransport.Configuration()
      configuration.connectionsPerHost = 1
      let transport = CurlTransport(configuration: configuration)
      let gate = Gate()
      let server = try ScriptedServer { request in request.path == "/first" ? .text("1").held(by: gate) : .text("2") }
      let first = Task { try await transport.get(server.url("/first")).body }
      try await server.requests(for: "/first")
      let second = Task { await transport.failure(server.url("/second")) }
      let third = Task { try await transport.get(server.url("/third")).body }
      second.cancel()
      #expect(await second.value == "CancellationError()")
      gate.open()
      #expect(try await first.value == Data("1".utf8))
      #expect(try await third.value == Data("2".utf8))
      #expect(server.log.count(of: "/second") == 0)
    }

    @Test("1,000 cancellations racing completion: each ends once, and nothing is left open")
    func storm() async throws {
      let server = try ScriptedServer { _ in .data(Self.body.prefix(50_000), type: "a/b") }
      let transport = transport
      for round in 0..<20 {
        await withTaskGroup(of: String.self) { group in
          for index in 0..<50 {
            // 397 is prime: every number of turns below it comes up, in an order that looks like none.
            let turns = (round * 50 + index) * 131 % 397
            group.addTask {
              let task = Task { await transport.failure(server.url()) }
              for _ in 0..<turns { await Task.yield() }
              task.cancel()
              return await task.value
            }
          }
          for await end in group { #expect(["status 200, 50000 bytes", "CancellationError()"].contains(end)) }
        }
      }
      #expect(try await transport.get(server.url()).body.count == 50_000)
      // The transport may keep its idle connections: at most 12 in all. The server's own count, for the descriptors of
      // the process are those of every test that runs at the same time.
      try await server.until { $0.openConnections <= 12 }
    }

    @Test("a transport takes its thread and its descriptors with it")
    func release() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      for _ in 0..<50 { _ = try await CurlTransport().get(server.url("/x")) }
      // The event thread closes its connection as it ends.
      try await server.clientClosed(50, after: "/x")
      try await server.until { $0.openConnections == 0 }
    }
  }
#endif
