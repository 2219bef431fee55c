import Foundation

/// The rules of a private cache (RFC 9111, RFC 5861, RFC 8246) as pure functions: request, stored response and time in,
/// decision and reason out. What is put together here is carried out by `CacheEngine`.
struct CachePolicy: Sendable {
  var freshness: Freshness
  /// Every 200 is kept and reused as if its server had said nothing but a lifetime.
  var ignoresServerDirectives: Bool

  /// - Parameters:
  ///   - defaultLifetime: seconds for a 200 that says nothing; `nil` to be strict.
  ///   - fixedLifetime: seconds for every response, against what its server says; `nil` to go by the server.
  init(defaultLifetime: Double?, fixedLifetime: Double? = nil) {
    freshness = Freshness(defaultLifetime: defaultLifetime, fixedLifetime: fixedLifetime)
    ignoresServerDirectives = fixedLifetime != nil
  }

  enum Decision: Equatable, Sendable {
    case use(Reuse)
    /// Ask the server with these fields whether what is stored still holds.
    case revalidate(HTTPHeaders, Reason)
    case fetch(Reason)
    /// There is no answer without the network, which the caller excludes.
    case fail(Reason)
  }

  /// A stored response that answers the request.
  struct Reuse: Equatable, Sendable {
    /// Seconds since the origin made it (section 4.2.3), and for how many it is fresh.
    var age: Double
    var lifetime: Double
    var permission = Permission.fresh
    /// Fields that must not be shown without asking (`no-cache="…"`).
    var withheldFields: [String] = []

    init(
      age: Double, lifetime: Double = 0, permission: Permission = .fresh, withheldFields: [String] = []
    ) {
      self.age = age
      self.lifetime = lifetime
      self.permission = permission
      self.withheldFields = withheldFields
    }
  }

  /// By what right a stored response is used.
  enum Permission: String, Equatable, Sendable {
    case fresh
    /// The caller's cache policy takes it whatever its age.
    case cachePolicy
    /// The request's max-stale.
    case maxStale
    /// RFC 5861: used now, and asked for behind the caller's back.
    case staleWhileRevalidate
    /// The server cannot be reached or has failed.
    case staleIfError
  }

  enum Reason: Equatable, Sendable {
    case nothingStored
    /// Another method than GET or HEAD, or a condition that only the origin can judge.
    case requestNotCacheable
    /// The caller asked for it: cache policy, no-cache, no-store, max-age, min-fresh, Pragma.
    case requestDirective
    /// Vary names a field that differs, or is "*".
    case variant
    /// no-cache.
    case responseDirective
    case stale(age: Double, lifetime: Double)
    /// It says nothing of how long it is fresh.
    case noFreshness
    /// What is stored is the beginning of it.
    case partial
    /// The clock shows an earlier time than when it was stored.
    case clockSetBack
  }

  // MARK: Deciding

  func decide(_ query: CacheQuery, stored: StoredHead?, now: Date) -> Decision {
    guard query.isAnswerable else { return .fetch(.requestNotCacheable) }
    let request = query.control
    let isOffline = request.onlyIfCached || query.preference == .storedOnly
    guard let stored else { return isOffline ? .fail(.nothingStored) : .fetch(.nothingStored) }
    guard Variants.selects(stored, query.headers) else { return isOffline ? .fail(.variant) : .fetch(.variant) }
    let response = control(of: stored.response)
    switch query.preference {
    case .reload: return .fetch(.requestDirective)
    case .storedElseLoad, .storedOnly:
      let age = max(Freshness.currentAge(of: stored, now: now), 0)
      let lifetime = freshness.lifetime(of: stored.response, control: response, received: stored.responseTime) ?? 0
      return .use(
        Reuse(age: age, lifetime: lifetime, permission: .cachePolicy, withheldFields: response.noCacheFields))
    case .standard, .revalidate: break
    }
    switch assess(stored, response, query, request, now: now) {
    case .use(let reuse): return .use(reuse)
    case .ask(let reason):
      if isOffline { return .fail(reason) }
      // What the caller asks on its own account is not mixed with a question of ours.
      guard !query.isConditional, query.method == "GET",
        let validators = Validation.conditions(for: stored.response)
      else { return .fetch(reason) }
      return .revalidate(validators, reason)
    }
  }

  private enum Assessment {
    case use(Reuse)
    case ask(Reason)
  }

  private func assess(
    _ stored: StoredHead, _ response: CacheControl, _ query: CacheQuery, _ request: CacheControl, now: Date
  ) -> Assessment {
    if request.noCache || request.noStore { return .ask(.requestDirective) }
    if response.noCache { return .ask(.responseDirective) }
    guard now >= stored.responseTime else { return .ask(.clockSetBack) }
    let lifetime = freshness.lifetime(of: stored.response, control: response, received: stored.responseTime)
    guard let lifetime else { return .ask(.noFreshness) }
    let age = Freshness.currentAge(of: stored, now: now)
    var reuse = Reuse(age: age, lifetime: lifetime, withheldFields: response.noCacheFields)
    if let limit = request.maxAge, age > Double(limit) { return .ask(.requestDirective) }
    if let least = request.minFresh, lifetime - age < Double(least) { return .ask(.requestDirective) }
    guard age >= lifetime else {
      // RFC 8246: what is immutable is not asked about while it is fresh, a reload notwithstanding.
      let isConfirmed = query.preference != .revalidate || response.immutable
      return isConfirmed ? .use(reuse) : .ask(.requestDirective)
    }
    guard let permission = stalePermission(age - lifetime, response, query, request) else {
      return .ask(.stale(age: age, lifetime: lifetime))
    }
    reuse.permission = permission
    return .use(reuse)
  }

  /// Section 4.2.4: what allows the use of a response that has been stale for `staleness` seconds.
  private func stalePermission(
    _ staleness: Double, _ response: CacheControl, _ query: CacheQuery, _ request: CacheControl
  ) -> Permission? {
    guard !response.mustRevalidate, query.preference != .revalidate else { return nil }
    if let limit = request.maxStale, staleness <= Double(limit) { return .maxStale }
    guard request.maxAge == nil, request.minFresh == nil else { return nil }
    if let limit = response.staleWhileRevalidate, staleness < Double(limit) { return .staleWhileRevalidate }
    return nil
  }

  // MARK: When the server fails

  /// What went wrong on the way to a newer response.
  enum Failure: Equatable, Sendable {
    /// No server was reached, or it fell silent: the cache is disconnected (section 4.2.4).
    case unreachable
    case status(Int)
  }

  /// Whether a stored response stands in for the one that could not be had. Without a server any age will do, unless
  /// `must-revalidate`, `no-cache` or the request forbids it; for a server that answers 500, 502, 503 or 504 only what
  /// `stale-if-error` allows (RFC 5861, section 4).
  func decideOnFailure(_ failure: Failure, _ query: CacheQuery, stored: StoredHead?, now: Date) -> Reuse? {
    guard let stored, query.isAnswerable, Variants.selects(stored, query.headers),
      query.preference == .standard || query.preference == .storedElseLoad
    else { return nil }
    let request = query.control
    let response = control(of: stored.response)
    guard !request.noCache, !request.noStore, !response.noCache else { return nil }
    let age = max(Freshness.currentAge(of: stored, now: now), 0)
    let lifetime =
      freshness.lifetime(of: stored.response, control: response, received: stored.responseTime) ?? 0
    let staleness = age - lifetime
    if let limit = request.maxAge, age > Double(limit) { return nil }
    if let least = request.minFresh, -staleness < Double(least) { return nil }
    if response.mustRevalidate, staleness >= 0 { return nil }
    let reuse = Reuse(
      age: age, lifetime: lifetime, permission: .staleIfError, withheldFields: response.noCacheFields)
    guard case .status(let status) = failure else { return reuse }
    guard [500, 502, 503, 504].contains(status) else { return nil }
    let limit = max(response.staleIfError ?? -1, request.staleIfError ?? -1)
    return staleness <= Double(limit) ? reuse : nil
  }

  // MARK: Reading

  /// What the response says of caching, or nothing where its server is not believed.
  func control(of response: HTTPResponse) -> CacheControl {
    CacheControl(ignoresServerDirectives ? HTTPHeaders() : response.headers)
  }

  /// When the response stops being fresh; the time it was received where it never is without asking.
  func freshUntil(_ stored: StoredHead) -> Date {
    let control = control(of: stored.response)
    let lifetime = freshness.lifetime(of: stored.response, control: control, received: stored.responseTime)
    guard let lifetime, !control.noCache, !control.noStore else { return stored.responseTime }
    return stored.responseTime + (lifetime - Freshness.currentAge(of: stored, now: stored.responseTime))
  }
}
