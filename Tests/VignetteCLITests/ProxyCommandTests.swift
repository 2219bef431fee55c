#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("vignette proxy", .serialized, .timeLimit(.minutes(2)))
  struct ProxyCommandTests {
    let folder = TemporaryFolder()

    private func get(_ address: String, _ path: String) async throws -> HTTPResult {
      let url = try #require(URL(string: address + path))
      let loader = HTTPLoader(transport: CurlTransport())
      return try await loader.data(for: URLRequest(url: url))
    }

    @Test("it says where it listens, tells of each request, and ends well by a signal", arguments: [SIGTERM, SIGINT])
    func run(_ signal: Int32) async throws {
      let server = try ScriptedServer { _ in .text("hello").cacheControl("max-age=60") }
      defer { server.stop() }
      let origin = "http://127.0.0.1:\(server.port)"
      let arguments = ["proxy", "--origin", origin, "--port", "0", "--cache", folder.path("cache"), "--json"]
      let proxy = try RunningTool(arguments)
      let address = try #require(try await proxy.nextObject()["listening"] as? String)
      for (status, origin) in [("fwd=uri-miss", 1), ("hit", 1)] {
        let result = try await get(address, "/a?b")
        #expect(String(decoding: result.data, as: UTF8.self) == "hello")
        let record = try await proxy.nextObject()
        #expect(record["method"] as? String == "GET")
        #expect(record["target"] as? String == "/a?b")
        #expect(record["status"] as? Int == 200)
        #expect((record["cacheStatus"] as? String)?.hasPrefix("Vignette; \(status)") == true)
        #expect(record["bytes"] as? Int == 5)
        #expect(record["isComplete"] as? Bool == true)
        #expect(server.log.totalRequests == origin)
      }
      #expect(await proxy.end(by: signal) == 0)
      // What it stored is there for the next.
      let listed = try await Tool.run(["cache", "list", "--cache", folder.path("cache"), "--json"]).objects()
      #expect(listed.compactMap { $0["url"] as? String } == [origin + "/a?b"])
    }

    @Test("a port that is taken is a failure")
    func taken() async throws {
      let server = try ScriptedServer { _ in .text("") }
      defer { server.stop() }
      let result = try await Tool.run(["proxy", "--origin", "http://127.0.0.1:1", "--port", "\(server.port)"])
      #expect(result.status == 1)
      #expect(result.errors.contains("cannot be listened on"))
    }

    @Test(
      "wrong usage names the fault",
      arguments: [
        ([], "--origin"), (["--origin", "http://a"], "--port"), (["--origin", "a", "--port", "0"], "no origin"),
        (["--origin", "ftp://a", "--port", "0"], "no origin"),
        (["--origin", "http://a/b", "--port", "0"], "no origin"),
        (["--origin", "http://u@a", "--port", "0"], "no origin"),
        (["--origin", "http://", "--port", "0"], "no origin"),
        (["--origin", "http://a?b", "--port", "0"], "no origin"),
        (["--origin", "http://a", "--port", "65536"], "65535"),
        (["--origin", "http://a", "--port", "-1"], "65535"), (["--origin", "http://a", "--port", "http"], "65535"),
        (["--origin", "http://a", "--port", "0", "--host", ""], "--host"),
        (["--origin", "http://a", "--port", "0", "more"], "more"),
      ] as [([String], String)])
    func usage(_ arguments: [String], _ fault: String) async throws {
      let result = try await Tool.run(["proxy"] + arguments)
      #expect(result.status == 2)
      #expect(result.errors.contains(fault), "\(result.errors)")
      #expect(result.errors.contains("See vignette proxy --help."))
    }

    @Test("the help names the command and lists its options")
    func help() async throws {
      #expect(try await Tool.run(["--help"]).output.contains("vignette proxy --origin URL --port N"))
      let help = try await Tool.run(["proxy", "--help"]).output
      for option in ["origin URL", "port N", "host HOST", "cache DIR", "ca FILE", "json"] {
        #expect(help.contains("--\(option) "))
      }
    }
  }

  /// A command that goes on until it is told to end; what it prints is read line by line.
  final class RunningTool: Sendable {
    struct Ended: Error {}

    private let lines: AsyncStream<String>
    private let pid: Int32
    private let exit: Task<Int32, Never>

    init(_ arguments: [String]) throws {
      let process = Process()
      process.executableURL = Tool.url
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      let pipe = Pipe()
      process.standardOutput = pipe
      let (lines, printed) = AsyncStream.makeStream(of: String.self)
      let (exits, exited) = AsyncStream.makeStream(of: Int32.self)
      process.terminationHandler = { exited.yield($0.terminationReason == .exit ? $0.terminationStatus : -1) }
      try process.run()
      pid = process.processIdentifier
      self.lines = lines
      exit = Task { await exits.first { _ in true } ?? -1 }
      Thread.detachNewThread {
        var rest = Data()
        while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
          rest += data
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            printed.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
          }
        }
        printed.finish()
      }
    }

    deinit { kill(pid, SIGKILL) }

    /// The next line, which is a JSON object.
    func nextObject() async throws -> [String: Any] {
      guard let line = await lines.first(where: { _ in true }) else { throw Ended() }
      return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    /// - Returns: the exit status; -1 where a signal ended it.
    func end(by signal: Int32) async -> Int32 {
      kill(pid, signal)
      return await exit.value
    }
  }
#endif
