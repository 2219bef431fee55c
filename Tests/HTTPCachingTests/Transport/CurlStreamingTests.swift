#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Synchronized
  import Testing
  import VignetteTesting

  @Suite("Streaming", .timeLimit(.minutes(5)))
  struct CurlStreamingTests {
    let transport = CurlTransport()

    @Test("the head is there before the body is complete")
    func headFirst() async throws {
      let gate = Gate()
      let server = try ScriptedServer { _ in
        .script([
          .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc".utf8)), .hold(gate), .send(Data("def".utf8)),
        ])
      }
      let exchange = try await transport.send(URLRequest(url: server.url()), options: options())
      #expect(exchange.response.status == 200)
      var iterator = exchange.body.makeAsyncIterator()
      #expect(try await iterator.next() == Data("abc".utf8))
      gate.open()
      #expect(try await iterator.next() == Data("def".utf8))
      #expect(try await iterator.next() == nil)
      #expect(try await iterator.next() == nil)
    }

    @Test("while nobody reads, the server cannot push more than buffers hold; afterwards all arrives")
    func backPressure() async throws {
      let size = 64 << 20
      let body = Data(repeating: 7, count: size)
      let server = try ScriptedServer { request in request.path == "/big" ? .data(body, type: "a/b") : .text("small") }
      let exchange = try await transport.send(URLRequest(url: server.url("/big")), options: options())
      // The event thread is busy all the while, and would take more if it wanted to.
      for _ in 0..<200 { _ = try await transport.get(server.url("/small")) }
      let pushed = server.log.bytesSent
      for _ in 0..<200 { _ = try await transport.get(server.url("/small")) }
      // 256 KiB of ours and the kernel's socket buffers (up to 6 MiB here by default).
      #expect(pushed < 16 << 20)
      #expect(server.log.bytesSent < 16 << 20)
      #expect(try await exchange.body.collect().count == size)
    }

    @Test("a reader that is slow does not make the transfer idle")
    func slowReader() async throws {
      let big = Response.data(Data(repeating: 7, count: 32 << 20), type: "a/b")
      let server = try ScriptedServer { request in request.path == "/big" ? big : .text("x").delayed(2.5) }
      let exchange = try await transport.send(URLRequest(url: server.url("/big")), options: options(idle: 2))
      _ = try await transport.get(server.url("/wait"))
      #expect(try await exchange.body.collect().count == 32 << 20)
    }

    @Test("progress is told while the body is under way, grows to the whole and knows the length beforehand")
    func progress() async throws {
      let body = pattern(2_000_000)
      let gates = [Gate(), Gate()]
      let server = try ScriptedServer { _ in
        .script([
          .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n".utf8)),
          .send(body[..<500_000]), .hold(gates[0]), .send(body[500_000..<1_000_000]), .hold(gates[1]),
          .send(body[1_000_000...]),
        ])
      }
      let seen = Locked<[HTTPProgress]>([])
      let result = try await HTTPLoader(transport: transport).data(for: URLRequest(url: server.url())) { progress in
        seen.withLock { $0.append(progress) }
        // The rest of a half is less than the 64 KiB of a step.
        if progress.received > 400_000 { gates[0].open() }
        if progress.received > 900_000 { gates[1].open() }
      }
      #expect(result.data == body)
      let steps = seen.withLock { $0 }
      #expect(steps.count > 2)
      #expect(steps.map(\.received) == steps.map(\.received).sorted())
      #expect(steps.last == HTTPProgress(received: body.count, expected: body.count))
    }

    @Test("a second reader of the same body is told so")
    func secondReader() async throws {
      let server = try ScriptedServer { _ in .data(pattern(1000), type: "a/b").cut(after: 0, .stall) }
      let exchange = try await transport.send(URLRequest(url: server.url()), options: options())
      let ends = await withTaskGroup(of: String.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do { return "\(try await exchange.body.collect().count)" } catch let error as HTTPError {
              return error.code.rawValue
            } catch { return "\(error)" }
          }
        }
        let first = await group.next()
        group.cancelAll()
        return [first, await group.next()]
      }
      #expect(ends == ["transport.protocol", "CancellationError()"])
    }
  }
#endif
