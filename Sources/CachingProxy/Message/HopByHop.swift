import HTTPCaching

/// Fields that are meant for the next recipient alone (RFC 9110, section 7.6.1).
enum HopByHop {
  private static let names: Set = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings",
  ]

  /// The fields to pass on: without these, and without those that Connection names.
  static func removed(from headers: HTTPHeaders) -> [HTTPHeaders.Field] {
    let dropped = names.union(headers["Connection"]?.lowercasedElements ?? [])
    return headers.filter { !dropped.contains($0.name.asciiLowercased) }
  }
}
