import Foundation

/// What proves that parts received at different times belong to one body (RFC 9110, section 8.8.1).
enum StrongValidator: Hashable, Sendable {
  case tag(String)
  /// A Last-Modified, as it was written.
  case date(String)

  /// - Returns: `nil` where the response has none. A date counts only where there is no tag (section 13.1.5), and where
  ///   the body had not changed for a second when it was sent (section 8.8.2.2): another change within that second
  ///   would have the same date.
  init?(_ response: HTTPResponse) {
    let tags = response.headers.values(of: "ETag")
    if let tag = tags.first {
      guard tags.count == 1, EntityTag.isStrong(tag) else { return nil }
      self = .tag(tag)
      return
    }
    guard let text = response.headers.values(of: "Last-Modified").first, let modified = HTTPDate.parse(text),
      let date = Freshness.date(of: response), date.timeIntervalSince(modified) >= 1
    else { return nil }
    self = .date(text)
  }

  /// The value of If-Range that asks for the rest of this very body.
  var text: String {
    switch self {
    case .tag(let text), .date(let text): text
    }
  }
}
