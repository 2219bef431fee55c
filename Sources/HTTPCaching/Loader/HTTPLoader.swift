import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches whole responses, and reuses fresh ones from memory by the rules of `CachePolicy`.
///
/// Only complete 200 answers to GET that say how long they are fresh are kept, least recently used dropped first.
/// Answers given to one set of credentials are never given to another. Equal requests at the same time are not joined:
/// that is the caller's concern.
public final class HTTPLoader: Sendable {
  public struct Configuration: Sendable {
    /// Bytes of responses kept in memory; 0 keeps none. Default 32 MiB. One response may take a quarter of it.
    public var memoryBudget = 32 << 20
    /// The time by which ages are judged. Default the system's.
    public var clock = WallClock.system

    public init() {}
  }

  public let transport: any HTTPTransport
  private let clock: WallClock
  private let largestEntry: Int
  private let memory: Locked<ByteBoundedCache<CacheKey, StoredResponse>>

  public init(transport: any HTTPTransport, configuration: Configuration = Configuration()) {
    self.transport = transport
    clock = configuration.clock
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
    guard let url = request.url else { return try await fetch(request, options: options, progress: progress).result }
    let query = CachePolicy.Query(request, url: url)
    if let result = stored(query) {
      progress?(HTTPProgress(received: result.data.count, expected: result.data.count))
      return result
    }
    guard query.preference != .storedOnly else {
      throw HTTPError(.cacheMiss, "Nothing is stored for “\(url)”; allow the network to be used.", url: url)
    }
    let (result, times) = try await fetch(request, options: options, progress: progress)
    keep(result, for: query, times)
    return result
  }

  /// Forgets every response.
  public func removeAll() { memory.withLock { $0.removeAll() } }

  /// Bytes of responses now in memory, bookkeeping included.
  public var memoryCost: Int { memory.withLock { $0.cost } }

  private typealias Times = (requested: Date, received: Date)

  private func fetch(
    _ request: URLRequest, options: TransportOptions, progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> (result: HTTPResult, times: Times) {
    let requested = clock.now()
    let exchange = try await transport.send(request, options: options)
    let received = clock.now()
    let data = try await exchange.body.collect(
      limit: options.maximumBodyBytes, expected: exchange.response.expectedLength(method: request.httpMethod),
      progress: progress)
    return (HTTPResult(response: exchange.response, data: data, origin: .network), (requested, received))
  }

  private func stored(_ query: CachePolicy.Query) -> HTTPResult? {
    let key = CacheKey(url: query.url, headers: query.headers)
    let stored = memory.withLock { $0.value(for: key) }
    guard let stored, case .use(let age) = CachePolicy.decide(query, stored: stored, now: clock.now()) else {
      return nil
    }
    var response = stored.response
    // Section 5.1: what a cache answers with says how old it is.
    response.headers["Age"] = "\(Int(age))"
    return HTTPResult(response: response, data: stored.data, origin: .memory)
  }

  private func keep(_ result: HTTPResult, for query: CachePolicy.Query, _ times: Times) {
    let key = CacheKey(url: query.url, headers: query.headers)
    if query.isUnsafe && (200..<400).contains(result.response.status) {
      // Section 4.4: whoever changes a resource must not be shown what it was.
      memory.withLock { $0.removeAll { $0.url == key.url } }
    }
    guard CachePolicy.mayStore(query, result.response, received: times.received) == .store else {
      // What was stored has been superseded, unless this request had nothing to do with it.
      if query.method == "GET" && result.response.status == 200 { memory.withLock { $0.remove(key) } }
      return
    }
    let stored = StoredResponse(
      response: result.response, data: result.data,
      selectingHeaders: CachePolicy.selectingHeaders(query, result.response), requestTime: times.requested,
      responseTime: times.received)
    guard stored.cost <= largestEntry else { return memory.withLock { $0.remove(key) } }
    memory.withLock { $0.insert(stored, for: key, cost: stored.cost) }
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
