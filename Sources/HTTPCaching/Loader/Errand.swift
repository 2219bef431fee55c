import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One load at one of its hops: what is asked for there, and what holds for the whole way.
struct Errand: Sendable {
  var request: URLRequest
  private(set) var query: CacheQuery {
    didSet { storeQuery = StoreQuery(query) }
  }
  /// What the request is found by in the stores.
  private(set) var storeQuery: StoreQuery
  var options: TransportOptions
  var time: TimeLimit
  /// What is stored for the request.
  var found = CacheEngine.Found(decision: .fetch(.nothingStored))
  /// Waits until the network may be used.
  var admit: (@Sendable () async throws -> Void)?
  var progress: (@Sendable (HTTPProgress) -> Void)?
  /// Whether a body from the network goes on to the caller as it arrives.
  var isStreamed = false

  /// - Throws: `HTTPError` with `url.invalid`.
  init(_ request: URLRequest, options: TransportOptions, name: String?, time: TimeLimit) throws {
    guard let url = request.url else {
      throw HTTPError(.invalidURL, "The request has no URL; give it an http or https URL.")
    }
    self.request = request
    self.options = options
    self.time = time
    query = CacheQuery(request, url: url, name: name, keepsCoding: !options.decodesContent)
    storeQuery = StoreQuery(query)
  }

  /// Whether a 206 answers it: where a part was asked for, or there is no body that could be taken for the whole.
  var allowsPart: Bool { query.method == "HEAD" || query.headers["Range"] != nil }

  /// Whether the response is a hop on the way and not its end. A load with a name of its own leaves its redirects to the
  /// transport: none of them is stored under that name.
  func passes(_ response: HTTPResponse) -> Bool {
    options.followsRedirects && query.name == nil && RedirectPolicy.location(of: response) != nil
  }

  /// Makes it a plain GET of the whole.
  mutating func strip() {
    request.httpMethod = "GET"
    for name in ["If-None-Match", "If-Modified-Since", "If-Range", "Range"] {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    query = CacheQuery(request, url: query.url, name: query.name, keepsCoding: query.keepsCoding)
  }

  /// Whether a response that is not kept shows that what was kept is over.
  func isSuperseded(by response: HTTPResponse) -> Bool {
    query.method == "GET" && !query.isConditional && CachePolicy.supersedes(response.status)
  }

  /// Goes where a redirect leads.
  /// - Parameter count: redirects followed before.
  /// - Throws: `HTTPError`, as `RedirectPolicy` does.
  mutating func follow(_ response: HTTPResponse, count: Int) throws {
    guard let next = try next(after: response, count: count, limit: options.maximumRedirects) else { return }
    request.url = next.url
    request.httpMethod = next.method
    request.httpBody = next.body
    request.allHTTPHeaderFields = nil
    for field in next.headers { request.setValue(field.value, forHTTPHeaderField: field.name) }
    query = CacheQuery(request, url: next.url, name: query.name, keepsCoding: query.keepsCoding)
  }

  /// - Throws: `HTTPError` where a redirect leads to where nobody may follow.
  func checkTarget(of response: HTTPResponse) throws { _ = try next(after: response, count: 0, limit: .max) }

  private func next(after response: HTTPResponse, count: Int, limit: Int) throws -> OutgoingRequest? {
    guard let location = RedirectPolicy.location(of: response) else { return nil }
    return try RedirectPolicy.follow(
      OutgoingRequest(request), status: response.status, location: location, count: count, limit: limit)
  }
}

/// The time one load may use the network for, over all its hops and tries. It begins to run with the first of them.
final class TimeLimit: Sendable {
  private let seconds: Double?
  private let uptime: @Sendable () -> Double
  private let begun = Locked<Double?>(nil)

  /// - Parameters:
  ///   - seconds: `nil` for no limit.
  ///   - uptime: seconds since some moment.
  init(_ seconds: Double?, uptime: @escaping @Sendable () -> Double) {
    self.seconds = seconds
    self.uptime = uptime
  }

  /// Seconds left; `nil` for no limit.
  /// - Throws: `HTTPError` with `transport.timedOut` where none are.
  func remaining(for url: URL) throws -> Double? {
    guard let seconds else { return nil }
    let now = uptime()
    let start = begun.withLock { begun in
      begun = begun ?? now
      return begun ?? now
    }
    guard now == start || now - start < seconds else {
      throw HTTPError(
        .timedOut, "The load was not complete after \(seconds) seconds; allow more time or try again.", url: url)
    }
    return seconds - (now - start)
  }
}

/// What the hops that a load has passed mean for its result, and its result for them.
struct Route {
  /// Redirects followed, stored ones included.
  private(set) var count = 0
  private var freshUntil: Date?
  private var mayBeStored = true
  /// Of the first hop for which the server was asked.
  private var forwarded: CacheStatus?
  /// The hops whose redirects may not be stored: what was stored there is over once they have led to an end.
  private(set) var superseded: [StoreQuery] = []

  mutating func reach(_ hop: StoreQuery) { superseded.removeAll { $0.key == hop.key } }

  mutating func pass(_ hop: HTTPResult, _ errand: Errand) {
    count += 1
    if hop.origin == .network, !hop.cacheStatus.isStored, errand.isSuperseded(by: hop.response) {
      superseded.append(errand.storeQuery)
    }
    freshUntil = Self.earlier(freshUntil, hop.freshUntil)
    mayBeStored = mayBeStored && hop.mayBeStored
    if forwarded == nil, !hop.cacheStatus.isHit { forwarded = hop.cacheStatus }
  }

  /// The result at the end of the way: no fresher than any of its hops.
  func end(_ last: HTTPResult) -> HTTPResult {
    var result = last
    result.freshUntil = Self.earlier(freshUntil, last.freshUntil)
    result.mayBeStored = mayBeStored && last.mayBeStored
    if last.cacheStatus.isHit, let forwarded { result.cacheStatus = forwarded }
    return result
  }

  /// - Returns: the date that comes first, where `nil` is never.
  static func earlier(_ one: Date?, _ other: Date?) -> Date? { [one, other].compactMap { $0 }.min() }
}

extension RedirectPolicy {
  /// Where the response leads, as it says; `nil` where it is no redirect.
  static func location(of response: HTTPResponse) -> String? {
    isRedirect(response.status) ? response.headers.values(of: "Location").first : nil
  }
}

extension StoreQuery {
  /// What is asked for next, where what is stored for this query is a redirect.
  func redirected(by head: StoredHead) -> StoreQuery? {
    guard name == nil, let location = RedirectPolicy.location(of: head.response) else { return nil }
    var request = URLRequest(url: url)
    for field in headers { request.setValue(field.value, forHTTPHeaderField: field.name) }
    let next = try? RedirectPolicy.follow(
      OutgoingRequest(request), status: head.response.status, location: location, count: 0, limit: 1)
    return next.map {
      StoreQuery(CacheQuery(method: $0.method, url: $0.url, headers: $0.headers, keepsCoding: key.keepsCoding))
    }
  }
}
