#if !canImport(Darwin)
  import Foundation
  import Synchronized

  /// A server that is a program of the system, for the package's own tests: it runs in a folder of its own, with a
  /// certificate made for the occasion, and ends with this object.
  final class ServerProgram: Sendable {
    struct NotStarted: Error {}

    /// A program at work.
    struct Running {
      fileprivate var process: Process
      /// What it had written when it was ready.
      var text: String
    }

    enum Output {
      case standard, error
    }

    private static let openSSL = "/usr/bin/openssl"
    /// Whether certificates can be made.
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: openSSL) }

    private let folder: URL
    private let process: Process
    let port: UInt16

    /// - Parameters:
    ///   - subject: the host that the certificate names.
    ///   - days: how long the certificate is valid from now on.
    ///   - start: runs the program in the folder, where the certificate is `cert.pem` and its key `key.pem`.
    init(subject: String, days: Int, start: (_ folder: URL) throws -> (Running, port: UInt16)) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.makeCertificate(for: subject, days: days, in: folder)
        let (running, port) = try start(folder)
        (process, self.port) = (running.process, port)
      } catch {
        try? FileManager.default.removeItem(at: folder)
        throw error
      }
    }

    deinit {
      // Not SIGTERM: the child has inherited the test runner's mask of signals.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }

    /// The certificate, which is its own authority, in PEM.
    var certificate: URL { folder.appendingPathComponent("cert.pem") }

    func url(_ path: String) -> URL {
      URL(string: "https://localhost:\(port)\(path)") ?? URL(fileURLWithPath: path)
    }

    /// Runs a program until it has written that it is ready. What it writes later is read over, so that it never waits
    /// for a reader.
    /// - Returns: `nil` where it ended instead.
    static func run(
      _ program: String, _ arguments: [String], in folder: URL, reading output: Output, until isReady: (String) -> Bool
    ) throws -> Running? {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.currentDirectoryURL = folder
      let pipe = Pipe()
      process.standardOutput = output == .standard ? pipe : FileHandle.nullDevice
      process.standardError = output == .error ? pipe : FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let reader = pipe.fileHandleForReading
      var text = ""
      while !isReady(text) {
        let bytes = reader.availableData
        guard !bytes.isEmpty else { return nil }
        text += String(decoding: bytes, as: UTF8.self)
      }
      // It ends with the program.
      guard WorkerThread({ while !reader.availableData.isEmpty {} }) != nil else { throw NotStarted() }
      return Running(process: process, text: text)
    }

    private static func makeCertificate(for subject: String, days: Int, in folder: URL) throws {
      let file = { (name: String) in folder.appendingPathComponent(name).path }
      try Data("subjectAltName=DNS:\(subject)\n".utf8).write(to: folder.appendingPathComponent("names"))
      _ = try ChildProcess.output(
        of: openSSL,
        [
          "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file("key.pem"),
          "-out", file("request.pem"), "-subj", "/CN=\(subject)",
        ])
      _ = try ChildProcess.output(
        of: openSSL,
        [
          "x509", "-req", "-in", file("request.pem"), "-signkey", file("key.pem"), "-days", "\(days)", "-extfile",
          file("names"), "-out", file("cert.pem"),
        ])
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
