import HTTPCaching

/// Fields that are meant for the next recipient alone (RFC 9110, section 7.6.1).
enum HopByHop {
  private static let names = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings",
  ]

  /// The fields to pass on: without these, and without those that Connection names.
  static func removed(from headers: HTTPHeaders) -> [HTTPHeaders.Field] {
    let dropped = names + self.names(in: headers, field: "Connection")
    return headers.filter { !dropped.contains($0.name.lowercased()) }
  }

  /// The elements of a list of names, in lower case.
  static func names(in headers: HTTPHeaders, field: String) -> [String] {
    (headers[field] ?? "").split(separator: ",").map { name in
      name.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
  }
}
