import Foundation

/// Asking whether a stored response still holds, and taking the answer (RFC 9111, section 4.3).
enum Validation {
  /// The fields that make a request conditional on what is stored (section 4.3.1); `nil` where it has no validator.
  static func conditions(for response: HTTPResponse) -> HTTPHeaders? {
    var conditions = HTTPHeaders()
    if let tag = response.headers.values(of: "ETag").first, !tag.isEmpty { conditions["If-None-Match"] = tag }
    if let modified = response.headers.values(of: "Last-Modified").first, HTTPDate.parse(modified) != nil {
      conditions["If-Modified-Since"] = modified
    }
    return conditions.fields.isEmpty ? nil : conditions
  }

  /// What an answer without the body says of the body that is stored.
  enum Verdict: Equatable {
    case same
    case different
    /// It names no validator that could tell.
    case untold
  }

  /// What a 304, or the head of a whole response, says by its validators (section 4.3.4). An answer without any is about
  /// a stored response that has none either; about others it tells nothing, unless it answers a condition made of their
  /// own validators.
  static func verdict(_ answer: HTTPResponse, on stored: HTTPResponse) -> Verdict {
    if let tag = answer.headers.values(of: "ETag").first {
      let known = stored.headers.values(of: "ETag").first
      return known.map { EntityTag.weaklyEqual($0, tag) } ?? false ? .same : .different
    }
    let known = stored.headers.values(of: "Last-Modified").first
    guard let modified = answer.headers.values(of: "Last-Modified").first else {
      return known == nil && stored.headers["ETag"] == nil ? .same : .untold
    }
    guard let known else { return .untold }
    return known == modified || HTTPDate.parse(known).map { $0 == HTTPDate.parse(modified) } ?? false
      ? .same : .different
  }

  /// Section 4.3.5: a HEAD also has to agree about the length.
  static func verdict(head answer: HTTPResponse, on stored: StoredHead) -> Verdict {
    if let length = answer.headers["Content-Length"], length != "\(stored.bodyLength)" { return .different }
    return verdict(answer, on: stored.response)
  }

  /// The stored response with what the answer brought anew (section 3.2); its body stays.
  static func freshened(_ stored: StoredHead, by answer: HTTPResponse, requested: Date, received: Date) -> StoredHead {
    var head = stored
    let brought = answer.headers.storable.without(bodyFields)
    var kept = stored.response.headers.without(brought.map { $0.name })
    // An age that the answer does not repeat was that of the old copy.
    kept["Age"] = nil
    head.response.headers = HTTPHeaders(kept.fields + brought.fields)
    head.requestTime = requested
    head.responseTime = received
    return head
  }

  /// Fields that describe the body as it is kept, which a 304 does not bring.
  private static let bodyFields = ["Content-Encoding", "Content-Length", "Content-Range", "Content-Type"]
}

/// RFC 9110, section 8.8.3.
enum EntityTag {
  /// The weak comparison: the opaque parts are the same.
  static func weaklyEqual(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
    opaque(one) == opaque(other)
  }

  static func isStrong(_ tag: some StringProtocol) -> Bool {
    tag.utf8.count > 1 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
  }

  private static func opaque(_ tag: some StringProtocol) -> String {
    String(tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : String(tag))
  }
}
