#if !canImport(Darwin)
  import Foundation

  /// `openssl s_server` with a certificate made for the occasion, for the package's own tests.
  package final class TLSServer: Sendable {
    private static let program = "/usr/bin/openssl"
    package static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private struct NotStarted: Error {}

    private let folder: URL
    private let process: Process
    private let port: Int

    /// - Parameters:
    ///   - subject: the host that the certificate names.
    ///   - days: how long the certificate is valid from now on.
    ///   - answers: by path, without its slash: head and body as they go out.
    package init(subject: String, days: Int = 2, answers: [String: Data]) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, answer) in answers { try answer.write(to: folder.appendingPathComponent(name)) }
      try Self.makeCertificate(for: subject, days: days, in: folder)
      (process, port) = try Self.start(in: folder)
    }

    deinit {
      // Not SIGTERM: the child has inherited the test runner's mask of signals.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }

    /// The certificate, which is its own authority, in PEM.
    package var certificate: URL { folder.appendingPathComponent("cert.pem") }

    package func url(_ path: String) -> URL {
      URL(string: "https://localhost:\(port)\(path)") ?? URL(fileURLWithPath: path)
    }

    package static func makeCertificate(for subject: String, days: Int, in folder: URL) throws {
      let file = { (name: String) in folder.appendingPathComponent(name).path }
      try Data("subjectAltName=DNS:\(subject)\n".utf8).write(to: folder.appendingPathComponent("names"))
      _ = try ChildProcess.output(
        of: program,
        [
          "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file("key.pem"),
          "-out", file("request.pem"), "-subj", "/CN=\(subject)",
        ])
      _ = try ChildProcess.output(
        of: program,
        [
          "x509", "-req", "-in", file("request.pem"), "-signkey", file("key.pem"), "-days", "\(days)", "-extfile",
          file("names"), "-out", file("cert.pem"),
        ])
    }

    private static func start(in folder: URL) throws -> (Process, port: Int) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["s_server", "-HTTP", "-accept", "0", "-key", "key.pem", "-cert", "cert.pem"]
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
      guard let port = text.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
        throw NotStarted()
      }
      return (process, port)
    }
  }

  /// A program of the system, run to its end.
  package enum ChildProcess {
    /// - Returns: what it wrote to its standard output.
    package static func output(of program: String, _ arguments: [String]) throws -> Data {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return data
    }
  }
#endif
