import Foundation

/// How long a response is fresh and how old it is (RFC 9111, section 4.2). Pure: everything comes in as values.
struct Freshness: Sendable {
  /// Seconds for which a 200 is fresh that says nothing of it and has no validator by which to ask again; `nil` to be
  /// strict.
  var defaultLifetime: Double?
  /// Seconds for which every response is fresh whatever it says; `nil` to go by what it says.
  var fixedLifetime: Double?

  /// Seconds for which the response is fresh (section 4.2.1); `nil` where it does not say.
  func lifetime(of response: HTTPResponse, control: CacheControl, received: Date) -> Double? {
    if let fixedLifetime { return fixedLifetime }
    if let explicit = Self.explicitLifetime(of: response, control: control, received: received) { return explicit }
    if let modified = response.headers.values(of: "Last-Modified").first {
      guard control.isPublic || Self.isHeuristicallyCacheable(response.status) else { return nil }
      // A tenth of the time it had not changed for (section 4.2.2).
      let made = Self.date(of: response) ?? received
      return HTTPDate.parse(modified).map { max(made.timeIntervalSince($0), 0) / 10 }
    }
    return response.status == 200 && response.headers["ETag"] == nil ? defaultLifetime : nil
  }

  /// What the origin says itself: `max-age` before `Expires`. A date that is no date has passed (section 5.3).
  static func explicitLifetime(of response: HTTPResponse, control: CacheControl, received: Date) -> Double? {
    if let maxAge = control.maxAge { return Double(maxAge) }
    guard let expires = response.headers.values(of: "Expires").first else { return nil }
    let made = date(of: response) ?? received
    return HTTPDate.parse(expires).map { max($0.timeIntervalSince(made), 0) } ?? 0
  }

  /// Seconds since the origin made the response (section 4.2.3). Negative only where the clock was set back.
  static func currentAge(of stored: StoredHead, now: Date) -> Double {
    let apparent = date(of: stored.response).map { max(stored.responseTime.timeIntervalSince($0), 0) } ?? 0
    let delay = max(stored.responseTime.timeIntervalSince(stored.requestTime), 0)
    // An unreadable Age is ignored, and of several the first counts (section 5.1).
    let first = stored.response.headers["Age"]?.split(separator: ",").first?.trimmed
    let told = Double(DeltaSeconds.parse(first) ?? 0) + delay
    return max(apparent, told) + now.timeIntervalSince(stored.responseTime)
  }

  static func date(of response: HTTPResponse) -> Date? {
    response.headers.values(of: "Date").first.flatMap { HTTPDate.parse($0) }
  }

  /// RFC 9110, section 15.1; 206 is not kept here.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }
}
