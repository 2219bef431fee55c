import Foundation

/// The rules of a private cache (RFC 9111) as pure functions: request, response and time in, decision and reason out.
///
/// The part built so far: fresh responses are reused, whatever is not is fetched. Validation and service of stale
/// responses are not decided here yet.
struct CachePolicy: Sendable {
  /// Seconds for which a response is fresh that says nothing of it and has no validator by which to ask again; `nil`
  /// to be strict and ask every time.
  var defaultLifetime: Double?

  /// What the rules look at in a request.
  struct Query: Sendable {
    enum Preference: Sendable {
      /// By the rules.
      case standard
      /// The network, whatever is stored.
      case reload
      /// What is stored, however old; the network where there is nothing.
      case storedElseLoad
      /// What is stored, however old; never the network.
      case storedOnly
    }

    var method: String
    var url: URL
    var headers: HTTPHeaders
    var preference = Preference.standard
  }

  enum Decision: Equatable {
    /// - Parameter age: seconds since the origin made it (section 4.2.3).
    case use(age: Double)
    case fetch(FetchReason)
  }

  enum FetchReason: Equatable {
    case nothingStored
    /// Another method than GET, or a request that is itself about ranges or validation.
    case requestNotCacheable
    /// The caller asked for it: cache policy, no-cache, no-store, max-age, Pragma.
    case requestDirective
    /// Vary names a field that differs, or is "*".
    case variant
    /// no-cache.
    case responseDirective
    case stale(age: Double, lifetime: Double)
    /// It says nothing of how long it is fresh.
    case noFreshness
    /// The clock shows an earlier time than when it was stored.
    case clockSetBack
  }

  enum StoreDecision: Equatable {
    case store
    case ignore(IgnoreReason)
  }

  enum IgnoreReason: Equatable {
    case requestNotCacheable, requestNoStore, status, noStore, variesByEverything, redirected, noFreshness
  }

  // MARK: Use

  func decide(_ query: Query, stored: StoredResponse?, now: Date) -> Decision {
    guard isCacheable(query) else { return .fetch(.requestNotCacheable) }
    guard let stored else { return .fetch(.nothingStored) }
    guard selects(stored, query.headers) else { return .fetch(.variant) }
    let age = currentAge(of: stored, now: now)
    switch query.preference {
    case .reload: return .fetch(.requestDirective)
    case .storedElseLoad, .storedOnly: return .use(age: max(age, 0))
    case .standard: break
    }
    let request = CacheControl(query.headers)
    let response = CacheControl(stored.response.headers)
    if request.noCache || request.noStore || isPragmaNoCache(query.headers) { return .fetch(.requestDirective) }
    if response.noCache { return .fetch(.responseDirective) }
    guard now >= stored.responseTime else { return .fetch(.clockSetBack) }
    guard let lifetime = lifetime(of: stored.response, control: response, received: stored.responseTime) else {
      return .fetch(.noFreshness)
    }
    guard age < lifetime else { return .fetch(.stale(age: age, lifetime: lifetime)) }
    if let limit = request.maxAge, age > Double(limit) { return .fetch(.requestDirective) }
    return .use(age: age)
  }

  // MARK: Storing

  /// Section 3, for a whole body. A redirected answer is not stored: it belongs to another URL than was asked for.
  func mayStore(_ query: Query, _ response: HTTPResponse, received: Date) -> StoreDecision {
    guard isCacheable(query) else { return .ignore(.requestNotCacheable) }
    guard !CacheControl(query.headers).noStore else { return .ignore(.requestNoStore) }
    guard response.status == 200 else { return .ignore(.status) }
    let control = CacheControl(response.headers)
    guard !control.noStore else { return .ignore(.noStore) }
    guard !variesByEverything(response) else { return .ignore(.variesByEverything) }
    guard CacheKey.withoutFragment(response.url) == CacheKey.withoutFragment(query.url) else {
      return .ignore(.redirected)
    }
    guard lifetime(of: response, control: control, received: received) != nil else { return .ignore(.noFreshness) }
    return .store
  }

  /// The request fields by which the response was chosen (section 4.1).
  func selectingHeaders(_ query: Query, _ response: HTTPResponse) -> HTTPHeaders {
    var selecting = HTTPHeaders()
    for name in varyingFields(response) { selecting[name] = query.headers[name] }
    return selecting
  }

  // MARK: Freshness

  /// Seconds for which the response is fresh (section 4.2.1); `nil` where that is not known.
  func lifetime(of response: HTTPResponse, control: CacheControl, received: Date) -> Double? {
    if let maxAge = control.maxAge { return Double(maxAge) }
    let made = date(of: response) ?? received
    if let expires = response.headers.values(of: "Expires").first {
      return HTTPDate.parse(expires).map { max($0.timeIntervalSince(made), 0) } ?? 0
    }
    if let modified = response.headers.values(of: "Last-Modified").first {
      // A tenth of the time it had not changed for (section 4.2.2).
      return HTTPDate.parse(modified).map { max(made.timeIntervalSince($0), 0) / 10 }
    }
    return response.headers["ETag"] == nil ? defaultLifetime : nil
  }

  /// When the response stops being fresh; the time it was received where it never is without asking.
  func freshUntil(_ stored: StoredResponse) -> Date {
    let control = CacheControl(stored.response.headers)
    let lifetime = lifetime(of: stored.response, control: control, received: stored.responseTime)
    guard let lifetime, !control.noCache, !control.noStore else { return stored.responseTime }
    return stored.responseTime + (lifetime - currentAge(of: stored, now: stored.responseTime))
  }

  /// Seconds since the origin made the response (section 4.2.3).
  func currentAge(of stored: StoredResponse, now: Date) -> Double {
    let apparent = date(of: stored.response).map { max(stored.responseTime.timeIntervalSince($0), 0) } ?? 0
    let delay = max(stored.responseTime.timeIntervalSince(stored.requestTime), 0)
    // An unreadable Age is ignored, and of several the first counts (section 5.1).
    let first = stored.response.headers["Age"]?.split(separator: ",").first?.trimmed
    let told = Double(DeltaSeconds.parse(first) ?? 0) + delay
    return max(apparent, told) + now.timeIntervalSince(stored.responseTime)
  }

  private func date(of response: HTTPResponse) -> Date? {
    response.headers.values(of: "Date").first.flatMap { HTTPDate.parse($0) }
  }

  // MARK: Selection

  private func isCacheable(_ query: Query) -> Bool {
    let conditions = ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
    return query.method == "GET" && !conditions.contains { query.headers[$0] != nil }
  }

  private func isPragmaNoCache(_ headers: HTTPHeaders) -> Bool {
    headers["Cache-Control"] == nil && headers["Pragma"]?.lowercased().contains("no-cache") == true
  }

  private func varyingFields(_ response: HTTPResponse) -> [String] {
    (response.headers["Vary"] ?? "").split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
  }

  private func variesByEverything(_ response: HTTPResponse) -> Bool {
    varyingFields(response).contains("*")
  }

  private func selects(_ stored: StoredResponse, _ headers: HTTPHeaders) -> Bool {
    varyingFields(stored.response).allSatisfy { $0 != "*" && stored.selectingHeaders[$0] == headers[$0] }
  }
}
