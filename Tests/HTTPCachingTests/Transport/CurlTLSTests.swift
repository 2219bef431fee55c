#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  /// Against `openssl s_server`, which sends the files of its folder as whole answers.
  @Suite("TLS", .enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(5)))
  struct CurlTLSTests {
    @Test("a certificate nobody vouches for is refused, and accepted where its authority is given")
    func authority() async throws {
      let server = try TLSServer(subject: "localhost")
      #expect(await CurlTransport().failure(server.url("/hello")) == "transport.tls")
      let (response, body) = try await server.trustingTransport.get(server.url("/hello"))
      #expect(response.status == 200)
      #expect(body == Data("hello".utf8))
    }

    @Test("a certificate for another host is refused")
    func wrongHost() async throws {
      let server = try TLSServer(subject: "elsewhere.test")
      #expect(await server.trustingTransport.failure(server.url("/hello")) == "transport.tls")
    }

    @Test("an expired certificate is refused")
    func expired() async throws {
      let server = try TLSServer(subject: "localhost", days: -1)
      #expect(await server.trustingTransport.failure(server.url("/hello")) == "transport.tls")
    }

    @Test("a redirect from https to http is refused")
    func downgrade() async throws {
      let plain = try ScriptedServer { _ in .text("plain") }
      let server = try TLSServer(subject: "localhost", redirectingTo: plain.url().absoluteString)
      #expect(await server.trustingTransport.failure(server.url("/redirect")) == "redirect.insecure")
      #expect(plain.log.totalRequests == 0)
    }
  }

  /// `openssl s_server` with a certificate made for the occasion.
  final class TLSServer {
    private static let program = "/usr/bin/openssl"
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    struct NotStarted: Error {}

    private let folder: URL
    private let process = Process()
    private let port: Int

    init(subject: String, days: Int = 2, redirectingTo location: String = "") throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8).write(
        to: folder.appendingPathComponent("hello"))
      try Data("HTTP/1.0 302 Found\r\nLocation: \(location)\r\n\r\n".utf8)
        .write(to: folder.appendingPathComponent("redirect"))
      let key = folder.appendingPathComponent("key.pem").path
      let certificate = folder.appendingPathComponent("cert.pem").path
      let request = folder.appendingPathComponent("request.pem").path
      let names = folder.appendingPathComponent("names").path
      try Data("subjectAltName=DNS:\(subject)\n".utf8).write(to: URL(fileURLWithPath: names))
      _ = try ChildProcess.output(
        of: Self.program,
        [
          "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", request,
          "-subj", "/CN=\(subject)",
        ])
      _ = try ChildProcess.output(
        of: Self.program,
        [
          "x509", "-req", "-in", request, "-signkey", key, "-days", "\(days)", "-extfile", names, "-out", certificate,
        ])
      process.executableURL = URL(fileURLWithPath: Self.program)
      process.arguments = ["s_server", "-HTTP", "-accept", "0", "-key", key, "-cert", certificate]
      process.currentDirectoryURL = folder
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      // "ACCEPT [::]:41231"
      var text = ""
      while !text.hasSuffix("\n") || !text.contains("ACCEPT") {
        let bytes = output.fileHandleForReading.availableData
        guard !bytes.isEmpty else { throw NotStarted() }
        text += String(decoding: bytes, as: UTF8.self)
      }
      guard let number = text.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
        throw NotStarted()
      }
      port = number
    }

    deinit {
      // Not SIGTERM: the child has inherited the test runner's mask of signals.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> URL {
      URL(string: "https://localhost:\(port)\(path)") ?? URL(fileURLWithPath: path)
    }

    var trustingTransport: CurlTransport {
      var configuration = CurlTransport.Configuration()
      configuration.certificateAuthorities = folder.appendingPathComponent("cert.pem")
      return CurlTransport(configuration: configuration)
    }
  }
#endif
