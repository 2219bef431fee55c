#if !canImport(Darwin)
  import Foundation

  /// `openssl s_server` with a certificate made for the occasion, for the package's own tests.
  package final class TLSServer: Sendable {
    private static let program = "/usr/bin/openssl"
    package static var isAvailable: Bool { ServerProgram.isAvailable }

    private let server: ServerProgram

    /// - Parameters:
    ///   - subject: the host that the certificate names.
    ///   - days: how long the certificate is valid from now on.
    ///   - answers: by path, without its slash: head and body as they go out.
    package init(subject: String, days: Int = 2, answers: [String: Data]) throws {
      server = try ServerProgram(subject: subject, days: days) { folder in
        for (name, answer) in answers { try answer.write(to: folder.appendingPathComponent(name)) }
        // "ACCEPT [::]:41231"
        let running = try ServerProgram.run(
          Self.program, ["s_server", "-HTTP", "-accept", "0", "-key", "key.pem", "-cert", "cert.pem"], in: folder,
          reading: .standard, until: { $0.hasSuffix("\n") && $0.contains("ACCEPT") })
        guard let running, let port = running.text.split(whereSeparator: { !$0.isNumber }).last.flatMap({ UInt16($0) })
        else { throw ServerProgram.NotStarted() }
        return (running, port)
      }
    }

    /// The certificate, which is its own authority, in PEM.
    package var certificate: URL { server.certificate }

    package func url(_ path: String) -> URL { server.url(path) }
  }
#endif
