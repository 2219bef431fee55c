#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("Many transfers", .serialized, .timeLimit(.minutes(10)))
  struct CurlStressTests {
    private static let isLong = ProcessInfo.processInfo.environment["VIGNETTE_LONG_TESTS"] != nil

    /// Threads and descriptors of this process. Other tests run beside this one, so that only growth that keeps step
    /// with the number of transfers tells.
    private static var resources: Int {
      ["/proc/self/task", "/proc/self/fd"].reduce(0) { count, path in
        count + ((try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0)
      }
    }

    @Test("20,000 cancellations racing completion: each ends once, and nothing is left open")
    func cancellations() async throws {
      let rounds = Self.isLong ? 2000 : 200
      let server = try ScriptedServer { _ in .text("hi") }
      let transport = CurlTransport()
      let before = Self.resources
      var ends: [String: Int] = [:]
      for round in 0..<rounds {
        await withTaskGroup(of: String.self) { group in
          for index in 0..<100 {
            // 397 is prime: every number of turns below it comes up, in an order that looks like none.
            let turns = (round * 100 + index) * 131 % 397
            group.addTask {
              let task = Task { await transport.failure(server.url()) }
              for _ in 0..<turns { await Task.yield() }
              task.cancel()
              return await task.value
            }
          }
          for await end in group { ends[end, default: 0] += 1 }
        }
      }
      #expect(ends.values.reduce(0, +) == rounds * 100)
      #expect(Set(ends.keys).isSubset(of: ["status 200, 2 bytes", "CancellationError()"]))
      #expect(try await transport.get(server.url()).body == Data("hi".utf8))
      try await server.until { $0.openConnections <= 12 }
      #expect(Self.resources < before + 1000)
    }

    @Test("500 requests that queue, of which every third leaves and every fifth fails, all end")
    func queue() async throws {
      let server = try ScriptedServer { request in
        request.path.hasSuffix("0") || request.path.hasSuffix("5") ? .closeBeforeHeaders : .text("hi")
      }
      var configuration = CurlTransport.Configuration()
      configuration.connectionsPerHost = 2
      let transport = CurlTransport(configuration: configuration)
      await withTaskGroup(of: Bool.self) { group in
        for index in 0..<500 {
          group.addTask {
            let task = Task { await transport.failure(server.url("/\(index)")) }
            if index % 3 == 0 { task.cancel() }
            let expected = index % 5 == 0 ? "transport.reset" : "status 200, 2 bytes"
            let end = await task.value
            return end == expected || index % 3 == 0 && end == "CancellationError()"
          }
        }
        for await isRight in group { #expect(isRight) }
      }
      #expect(try await transport.get(server.url("/1")).body == Data("hi".utf8))
    }
  }
#endif
