import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches whole responses, and reuses fresh ones from memory by the rules of `CachePolicy`.
///
/// Only complete 200 answers to GET that are fresh for a known time are kept, least recently used dropped first.
/// Answers given to one set of credentials are never given to another. Equal requests at the same time are not joined:
/// that is the caller's concern.
public final class HTTPLoader: Sendable {
  public struct Configuration: Sendable {
    /// Bytes of responses kept in memory; 0 keeps none. Default 32 MiB. One response may take a quarter of it.
    public var memoryBudget = 32 << 20
    /// Seconds for which a response is taken to be fresh that says nothing of its freshness and has neither ETag nor
    /// Last-Modified: image servers often say nothing, and images rarely change under one URL. `nil` keeps strictly to
    /// RFC 9111 and asks every time. Default 7 days.
    public var defaultLifetime: Double? = 7 * 86_400
    /// The time by which ages are judged. Default the system's.
    public var clock = WallClock.system

    public init() {}
  }

  public let transport: any HTTPTransport
  private let clock: WallClock
  private let policy: CachePolicy
  private let largestEntry: Int
  private let memory: Locked<ByteBoundedCache<CacheKey, StoredResponse>>

  public init(transport: any HTTPTransport, configuration: Configuration = Configuration()) {
    self.transport = transport
    clock = configuration.clock
    policy = CachePolicy(defaultLifetime: configuration.defaultLifetime)
    largestEntry = configuration.memoryBudget / 4
    memory = Locked(ByteBoundedCache(budget: configuration.memoryBudget))
  }

  /// Any status is a result; only failures of the transfer throw.
  /// - Parameters:
  ///   - request: its `cachePolicy` is honoured: the reload policies ask the network, the two that prefer stored data
  ///     take it whatever its age.
  ///   - progress: told, from any thread, how much has arrived.
  /// - Throws: `HTTPError` (`cache.miss` under `returnCacheDataDontLoad`) or `CancellationError`.
  public func data(
    for request: URLRequest, options: TransportOptions = TransportOptions(),
    progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResult {
    try Task.checkCancellation()
    guard let url = request.url else {
      throw HTTPError(.invalidURL, "The request has no URL; give it an http or https URL.")
    }
    let query = CachePolicy.Query(request, url: url)
    if let result = reuse(query) {
      progress?(HTTPProgress(received: result.data.count, expected: result.data.count))
      return result
    }
    guard query.preference != .storedOnly else {
      throw HTTPError(.cacheMiss, "Nothing is stored for “\(url)”; allow the network to be used.", url: url)
    }
    let fetched = try await fetch(request, query, options: options, progress: progress)
    keep(fetched, for: query)
    let mayBeStored = !CacheControl(fetched.response.headers).noStore && !CacheControl(query.headers).noStore
    return HTTPResult(
      response: fetched.response, data: fetched.data, origin: .network, freshUntil: policy.freshUntil(fetched),
      mayBeStored: mayBeStored)
  }

  /// Drops what is stored for a request: its bytes turned out to be of no use, and the next load asks the server.
  public func forget(_ request: URLRequest) {
    guard let url = request.url else { return }
    let query = CachePolicy.Query(request, url: url)
    memory.withLock { $0.remove(CacheKey(url: url, headers: query.headers)) }
  }

  /// Forgets every response.
  public func removeAll() { memory.withLock { $0.removeAll() } }

  /// Bytes of responses now in memory, bookkeeping included.
  public var memoryCost: Int { memory.withLock { $0.cost } }

  private func fetch(
    _ request: URLRequest, _ query: CachePolicy.Query, options: TransportOptions,
    progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> StoredResponse {
    let requested = clock.now()
    let exchange = try await transport.send(request, options: options)
    let received = clock.now()
    let data = try await exchange.body.collect(
      limit: options.maximumBodyBytes, expected: exchange.response.expectedLength(method: query.method),
      progress: progress)
    return StoredResponse(
      response: exchange.response, data: data,
      selectingHeaders: policy.selectingHeaders(query, exchange.response), requestTime: requested,
      responseTime: received)
  }

  private func reuse(_ query: CachePolicy.Query) -> HTTPResult? {
    let key = CacheKey(url: query.url, headers: query.headers)
    let stored = memory.withLock { $0.value(for: key) }
    guard let stored, case .use(let age) = policy.decide(query, stored: stored, now: clock.now()) else { return nil }
    var response = stored.response
    // Section 5.1: what a cache answers with says how old it is.
    response.headers["Age"] = "\(Int(age))"
    return HTTPResult(
      response: response, data: stored.data, origin: .memory, freshUntil: policy.freshUntil(stored), mayBeStored: true)
  }

  private func keep(_ fetched: StoredResponse, for query: CachePolicy.Query) {
    let key = CacheKey(url: query.url, headers: query.headers)
    if query.isUnsafe && (200..<400).contains(fetched.response.status) {
      // Section 4.4: whoever changes a resource must not be shown what it was.
      memory.withLock { $0.removeAll { $0.url == key.url } }
    }
    let decision = policy.mayStore(query, fetched.response, received: fetched.responseTime)
    if decision == .store, fetched.cost <= largestEntry {
      memory.withLock { $0.insert(fetched, for: key, cost: fetched.cost) }
    } else if query.method == "GET" && fetched.response.status == 200 {
      // What was stored has been superseded by something that may not be kept.
      memory.withLock { $0.remove(key) }
    }
  }
}

extension CachePolicy.Query {
  init(_ request: URLRequest, url: URL) {
    let fields = (request.allHTTPHeaderFields ?? [:]).map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
    self.init(method: request.httpMethod ?? "GET", url: url, headers: HTTPHeaders(fields))
    switch request.cachePolicy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
      preference = .reload
    case .returnCacheDataElseLoad: preference = .storedElseLoad
    case .returnCacheDataDontLoad: preference = .storedOnly
    default: preference = .standard
    }
  }

  /// RFC 9110, section 9.2.1.
  var isUnsafe: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}

extension HTTPResponse {
  /// The body's length as announced, in bytes, where it is known and there is a body.
  func expectedLength(method: String?) -> Int? {
    guard method != "HEAD", status != 204, status != 304, headers["Transfer-Encoding"] == nil else { return nil }
    return headers.values(of: "Content-Length").first.flatMap { DeltaSeconds.parse($0[...].trimmed) }
  }
}
