#if !canImport(Darwin)
  import Foundation
  import Testing
  import VignetteTesting

  @Suite("vignette --ca --public-only", .serialized, .timeLimit(.minutes(2)))
  struct NetworkTests {
    private func code(_ result: Tool.Result) throws -> String? {
      (try result.objects().first?["error"] as? [String: String])?["code"]
    }

    @Test("load, probe and bench trust the authority they are given", .enabled(if: TLSServer.isAvailable))
    func authority() async throws {
      let png = try Pictures.png(4, 3)
      let head = Data("HTTP/1.0 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(png.count)\r\n\r\n".utf8)
      let server = try TLSServer(subject: "localhost", answers: ["a.png": head + png])
      let url = server.url("/a.png").absoluteString
      let folder = TemporaryFolder()
      let list = try folder.emptyFile("urls")
      try Data(url.utf8).write(to: list)
      for arguments in [["load", url], ["probe", url], ["bench", "thumbnails", list.path, "4x3"]] {
        let trusting = try await Tool.run(arguments + ["--ca", server.certificate.path])
        #expect(trusting.status == 0, "\(trusting.errors)")
        let doubting = try await Tool.run(arguments)
        #expect(doubting.status == 1)
        #expect(doubting.errors.contains("transport.tls"), "\(doubting.errors)")
      }
    }

    @Test("a file whose certificates are damaged is wrong usage", .enabled(if: TLSServer.isAvailable))
    func damaged() async throws {
      let server = try TLSServer(subject: "localhost", answers: [:])
      let text = try String(contentsOf: server.certificate, encoding: .utf8)
      let folder = TemporaryFolder()
      let file = try folder.emptyFile("ca.pem")
      for damaged in [text.replacingOccurrences(of: "A", with: ""), String(text.prefix(200)), String(text.suffix(200))]
      {
        try Data(damaged.utf8).write(to: file)
        let result = try await Tool.run(["load", "a", "--ca", file.path])
        #expect(result.status == 2)
        #expect(result.errors.contains("PEM"), "\(result.errors)")
      }
    }

    @Test("public only: this machine is not reached, by name, number, redirect or proxy", arguments: ["load", "probe"])
    func publicOnly(_ command: String) async throws {
      let png = try Pictures.png(4, 3)
      let server = try ScriptedServer { _ in .data(png, type: "image/png") }
      for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"] {
        let url = "http://\(host):\(server.port)/a.png"
        let result = try await Tool.run([command, url, "--json", "--public-only"])
        #expect(result.status == 1)
        #expect(try code(result) == "address.denied")
      }
      // The proxy would answer for any host.
      let proxy = ["http_proxy": server.url().absoluteString]
      let far = "http://192.0.2.1/a.png"
      #expect(try await Tool.run([command, far, "--json"], environment: proxy).status == 0)
      #expect(server.log.totalRequests == 1)
      let result = try await Tool.run([command, far, "--json", "--public-only"], environment: proxy)
      #expect(try code(result) == "address.denied")
      #expect(server.log.totalRequests == 1)
    }
  }
#endif
