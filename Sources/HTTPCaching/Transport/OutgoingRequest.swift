import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request checked and reduced to what goes on the wire: the URL is http or https with a host, and no field can
/// smuggle another (RFC 9110, section 5.5).
struct OutgoingRequest: Sendable {
  var url: URL
  var method: String
  var headers: HTTPHeaders
  var body: Data?
  /// Scheme, host and port: what shares connections and what credentials belong to.
  var origin: Origin

  struct Origin: Hashable, Sendable {
    var scheme: String
    var host: String
    var port: Int
  }

  /// RFC 9110, section 9.2.1.
  var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  /// - Throws: `HTTPError` with `url.invalid`, `url.unsupportedScheme` or `transport.protocol`.
  init(_ request: URLRequest) throws {
    guard let url = request.url else {
      throw HTTPError(.invalidURL, "The request has no URL; give it an http or https URL.")
    }
    guard request.httpBodyStream == nil else {
      throw HTTPError(.protocolError, "A body stream cannot be sent; set httpBody instead.", url: url)
    }
    self.url = url.absoluteURL
    origin = try Self.origin(of: url)
    method = request.httpMethod ?? "GET"
    headers = HTTPHeaders((request.allHTTPHeaderFields ?? [:]).map { HTTPHeaders.Field(name: $0.key, value: $0.value) })
    body = request.httpBody
    try checkFields()
  }

  static func origin(of url: URL) throws -> Origin {
    guard let scheme = url.scheme?.lowercased() else {
      throw HTTPError(.invalidURL, "“\(url)” is not a whole URL; it needs a scheme, such as https.", url: url)
    }
    guard scheme == "http" || scheme == "https" else {
      throw HTTPError(.unsupportedScheme, "“\(scheme)” URLs cannot be fetched here; use http or https.", url: url)
    }
    guard let host = url.host, !host.isEmpty else {
      throw HTTPError(.invalidURL, "“\(url)” names no host; check the URL.", url: url)
    }
    return Origin(scheme: scheme, host: host.lowercased(), port: url.port ?? (scheme == "https" ? 443 : 80))
  }

  private func checkFields() throws {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte) else {
      throw HTTPError(.protocolError, "“\(method)” is not a request method (RFC 9110, section 9.1).", url: url)
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte) else {
        throw HTTPError(.protocolError, "“\(field.name)” is not a header name (RFC 9110, section 5.1).", url: url)
      }
      guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        throw HTTPError(.protocolError, "The header “\(field.name)” contains a line break; remove it.", url: url)
      }
    }
  }

  /// RFC 9110, section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
