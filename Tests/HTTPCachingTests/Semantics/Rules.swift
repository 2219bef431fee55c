import Foundation

@testable import HTTPCaching

/// Short forms for the tables below: everything happens at one URL, and stored responses arrive at `epoch`.
enum Rules {
  static let epoch = Date(timeIntervalSince1970: 784_111_777)
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let url = URL(fileURLWithPath: "/picture").absoluteURL
  static let strict = CachePolicy(defaultLifetime: nil)

  static func query(
    _ headers: HTTPHeaders = [:], method: String = "GET", preference: CacheQuery.Preference = .standard,
    url: URL = Rules.url
  ) -> CacheQuery {
    CacheQuery(method: method, url: url, headers: headers, preference: preference)
  }

  static func response(_ headers: HTTPHeaders, status: Int = 200, url: URL = Rules.url) -> HTTPResponse {
    HTTPResponse(url: url, status: status, headers: headers)
  }

  /// - Parameters:
  ///   - request: the fields of the request it answered.
  ///   - delay: seconds between that request and `epoch`.
  static func stored(
    _ headers: HTTPHeaders, status: Int = 200, request: HTTPHeaders = [:], delay: Double = 0, id: Int64 = 1,
    length: Int = 4, received: Date = epoch
  ) -> StoredHead {
    let response = response(headers, status: status)
    return StoredHead(
      id: StoredEntryID(rawValue: id), response: response,
      selectingHeaders: Variants.selectingHeaders(request, for: response), requestTime: received - delay,
      responseTime: received, bodyLength: length)
  }

  /// What becomes of a response with these headers for a request `after` seconds later.
  static func decide(
    _ headers: HTTPHeaders, after seconds: Double, request: HTTPHeaders = [:], first: HTTPHeaders = [:],
    delay: Double = 0, preference: CacheQuery.Preference = .standard, status: Int = 200,
    policy: CachePolicy = strict
  ) -> CachePolicy.Decision {
    policy.decide(
      query(request, preference: preference), stored: stored(headers, status: status, request: first, delay: delay),
      now: epoch + seconds)
  }

  /// The decision in a word or two: `use`, `use maxStale`, `revalidate stale`, `fetch variant`, `fail nothingStored`.
  static func word(_ decision: CachePolicy.Decision) -> String {
    switch decision {
    case .use(let reuse): reuse.permission == .fresh ? "use" : "use \(reuse.permission)"
    case .revalidate(_, let reason): "revalidate \(name(reason))"
    case .fetch(let reason): "fetch \(name(reason))"
    case .fail(let reason): "fail \(name(reason))"
    }
  }

  private static func name(_ reason: CachePolicy.Reason) -> String {
    if case .stale = reason { return "stale" }
    return "\(reason)"
  }
}
