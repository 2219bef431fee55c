import Foundation

/// What may be kept, and of it which fields (RFC 9111, section 3).
extension CachePolicy {
  enum StoreDecision: Equatable, Sendable {
    case store
    case ignore(IgnoreReason)
  }

  enum IgnoreReason: Equatable, Sendable {
    case requestNotCacheable, requestNoStore, status, noStore, variesByEverything, redirected
    /// It is not fresh for any time and cannot be asked about.
    case noFreshness
  }

  /// For a whole body. An answer that the transport was redirected to belongs to another URL than was asked for, and is
  /// stored only under a name; a redirect is never stored under one.
  func mayStore(_ query: CacheQuery, _ response: HTTPResponse, received: Date) -> StoreDecision {
    guard query.method == "GET", !query.isConditional else { return .ignore(.requestNotCacheable) }
    guard !CacheControl(query.headers).noStore else { return .ignore(.requestNoStore) }
    let isPlain = CacheKey.withoutFragment(response.url) == CacheKey.withoutFragment(query.url)
    guard query.name == nil ? isPlain : RedirectPolicy.location(of: response) == nil else {
      return .ignore(.redirected)
    }
    if ignoresServerDirectives { return response.status == 200 ? .store : .ignore(.status) }
    let control = CacheControl(response.headers)
    guard isStorable(response, control, received: received) else { return .ignore(.status) }
    // Section 5.2.2.3: who understands the status may ignore the no-store that is meant for the others.
    guard !control.noStore || control.mustUnderstand else { return .ignore(.noStore) }
    guard !Variants.variesByEverything(response) else { return .ignore(.variesByEverything) }
    let lifetime = freshness.lifetime(of: response, control: control, received: received)
    let isUseful = lifetime != nil && !control.noCache || Validation.conditions(for: response) != nil
    return isUseful ? .store : .ignore(.noFreshness)
  }

  /// Statuses that may be kept without further word, or because the server says for how long. Parts (206) and answers
  /// to conditions (304) are no whole responses.
  private func isStorable(_ response: HTTPResponse, _ control: CacheControl, received: Date) -> Bool {
    let status = response.status
    guard status >= 200, status != 206, status != 304 else { return false }
    if status == 200 { return true }
    if control.mustUnderstand, !Self.understood.contains(status) { return false }
    if Freshness.explicitLifetime(of: response, control: control, received: received) != nil { return true }
    return control.isPublic || Freshness.isHeuristicallyCacheable(status)
  }

  /// Statuses whose rules for caching are known here (RFC 9110, section 15).
  private static let understood: Set<Int> = [
    200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 410, 414, 451, 500, 501, 502, 503, 504,
  ]

  /// Whether a response that is not kept shows that what was kept is over: an error of the server does not.
  static func supersedes(_ status: Int) -> Bool {
    (200..<400).contains(status) && status != 206 && status != 304 || status == 404 || status == 410
  }
}

extension HTTPHeaders {
  /// Fields that belong to a connection and not to a response (RFC 9111, section 3.1), and those Connection names.
  var storable: HTTPHeaders {
    let named = self["Connection"].map { HTTPList.elements(of: $0).map { String($0) } } ?? []
    return without(Self.hopByHop + named)
  }

  private static let hopByHop = [
    "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
    "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
  ]

  func without(_ names: [String]) -> HTTPHeaders {
    HTTPHeaders(fields.filter { field in !names.contains { $0.caseInsensitivelyEquals(field.name) } })
  }
}
