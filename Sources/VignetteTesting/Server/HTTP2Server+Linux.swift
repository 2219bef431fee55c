#if !canImport(Darwin)
  import Foundation

  /// nginx speaking HTTP/2 over TLS, for the package's own tests; only where it is installed.
  ///
  /// Answers `/redirect/X` with a redirect to `/target/X`, `/origin/X` with what another server does, and anything else
  /// with its path. Fields say which protocol (`X-Protocol`) and which of its connections (`X-Connection`) a request came
  /// by; the other server is told the latter too.
  package final class HTTP2Server: Sendable {
    private static let program = "/usr/sbin/nginx"
    package static var isAvailable: Bool {
      ServerProgram.isAvailable && FileManager.default.isExecutableFile(atPath: program)
    }

    private let server: ServerProgram

    /// - Parameter origin: answers `/origin/X`. Default none.
    package init(origin: ScriptedServer? = nil) throws {
      server = try ServerProgram(subject: "localhost", days: 2) { try Self.start(in: $0, origin: origin?.port) }
    }

    package var port: UInt16 { server.port }

    /// The certificate, which is its own authority, in PEM.
    package var certificate: URL { server.certificate }

    package func url(_ path: String) -> URL { server.url(path) }

    /// A port that somebody took meanwhile is given up for another.
    private static func start(in folder: URL, origin: UInt16?) throws -> (ServerProgram.Running, port: UInt16) {
      for _ in 0..<5 {
        let probe = try ScriptedServer { _ in .status(404) }
        probe.stop()
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(configuration(port: probe.port, origin: origin, in: folder.path).utf8).write(to: file)
        // "using the "epoll" event method": it listens by then.
        let running = try ServerProgram.run(
          program, ["-c", file.path, "-p", folder.path, "-e", "stderr"], in: folder, reading: .error,
          until: { $0.contains("epoll") })
        if let running { return (running, probe.port) }
      }
      throw ServerProgram.NotStarted()
    }

    private static func configuration(port: UInt16, origin: UInt16?, in folder: String) -> String {
      // Port 9 is that of nobody.
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
          location /origin/ {
            proxy_pass http://127.0.0.1:\(origin ?? 9); proxy_set_header X-Connection $connection;
          }
          location / { return 200 $request_uri; }
        }
      }
      """
    }
  }
#endif
