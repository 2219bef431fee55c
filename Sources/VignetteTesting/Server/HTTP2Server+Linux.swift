#if !canImport(Darwin)
  import Foundation

  /// nginx speaking HTTP/2 over TLS, for the package's own tests; only where it is installed.
  ///
  /// Answers `/redirect/X` with a redirect to `/target/X`, and anything else with its path. Fields say which protocol
  /// (`X-Protocol`) and which of its connections (`X-Connection`) a request came by.
  package final class HTTP2Server: Sendable {
    private static let program = "/usr/sbin/nginx"
    package static var isAvailable: Bool {
      TLSServer.isAvailable && FileManager.default.isExecutableFile(atPath: program)
    }

    private struct NotStarted: Error {}

    private let folder: URL
    private let port: UInt16
    private let process: Process

    package init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try TLSServer.makeCertificate(for: "localhost", days: 2, in: folder)
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

    /// A port that somebody took meanwhile is given up for another.
    private static func start(in folder: URL) throws -> (Process, UInt16) {
      for _ in 0..<5 {
        let probe = try ScriptedServer { _ in .status(404) }
        probe.stop()
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(configuration(port: probe.port, in: folder.path).utf8).write(to: file)
        if let process = try launch(file) { return (process, probe.port) }
      }
      throw NotStarted()
    }

    /// - Returns: `nil` where it ended instead of listening.
    private static func launch(_ configuration: URL) throws -> Process? {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [
        "-c", configuration.path, "-p", configuration.deletingLastPathComponent().path, "-e", "stderr",
      ]
      let messages = Pipe()
      process.standardError = messages
      process.standardOutput = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      // "using the "epoll" event method": it listens by then.
      var text = ""
      while !text.contains("epoll") {
        let bytes = messages.fileHandleForReading.availableData
        guard !bytes.isEmpty else { return nil }
        text += String(decoding: bytes, as: UTF8.self)
      }
      return process
    }

    private static func configuration(port: UInt16, in folder: String) -> String {
      """
      daemon off; master_process off; pid \(folder)/pid; error_log stderr notice;
      events { worker_connections 512; }
      http {
        access_log off; error_log /dev/null crit; default_type text/plain; keepalive_requests 1000000;
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(folder)/cert.pem; ssl_certificate_key \(folder)/key.pem;
          add_header X-Protocol $server_protocol always; add_header X-Connection $connection always;
          location ~ ^/redirect/(.*)$ { return 302 /target/$1; }
          location / { return 200 $request_uri; }
        }
      }
      """
    }
  }
#endif
