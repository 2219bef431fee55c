import HTTPCaching

extension HTTPHeaders {
  /// Fields that a head has at most, in either direction.
  static let mostFields = 256

  /// Whether these can be passed on and mean the same to everybody. White space before a colon, for one, has been read
  /// as part of a name by some and not by others (RFC 9112, section 5.1).
  var mayBePassedOn: Bool { fields.count <= Self.mostFields && fields.allSatisfy { $0.name.isToken } }
}

extension HTTPResponse {
  /// - Throws: `HTTPError` with `transport.protocol` where it may not be passed on.
  func checkMayBePassedOn() throws {
    // No request asks for another protocol: Upgrade is not passed on.
    guard status >= 200 else {
      throw HTTPError(.protocolError, "The server switched to a protocol that nobody asked for.", url: url)
    }
    // Nobody undoes another coding, and nobody was told that it may be used (RFC 9112, section 6.1).
    guard ["chunked", "identity", nil].contains(headers["Transfer-Encoding"]?.asciiLowercased) else {
      throw HTTPError(
        .protocolError, "The server sent the body in a transfer coding other than chunked, which nobody asked for.",
        url: url)
    }
    guard headers.mayBePassedOn else {
      throw HTTPError(
        .protocolError,
        "The server's head has a field whose name is no name, or more than \(HTTPHeaders.mostFields) fields.", url: url)
    }
  }
}
