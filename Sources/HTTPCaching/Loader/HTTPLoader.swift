import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches whole responses, and reuses stored ones by the rules of RFC 9111: a private cache, in memory and on disk.
///
/// Answers given to one set of credentials are never given to another. Equal requests at the same time are not joined:
/// that is the caller's concern. Letting go of the loader cancels what it asks for behind its callers' backs.
public final class HTTPLoader: Sendable {
  public struct Configuration: Sendable {
    /// Bytes of responses kept in memory; 0 keeps none. Default 32 MiB. One response may take a quarter of it.
    public var memoryBudget = 32 << 20
    /// Bytes of incomplete responses kept in memory, beside `memoryBudget`: what had come of transfers that broke off or
    /// were cancelled, so that the next load of the same goes on from there, and answers to requests for ranges. 0 keeps
    /// none. Default 8 MiB.
    public var partialBudget = 8 << 20
    /// Responses on disk, which outlive the process. Default `nil`: memory alone. `HTTPLoader.shared` has one.
    public var disk: DiskStore.Configuration?
    /// Seconds for which a 200 is taken to be fresh that says nothing of its freshness and has neither ETag nor
    /// Last-Modified: image servers often say nothing, and images rarely change under one URL. `nil` keeps strictly to
    /// RFC 9111 and asks every time. Default 7 days.
    public var defaultLifetime: Double? = 7 * 86_400
    /// Every 200 is kept and is fresh for `fixedLifetime`, `no-store` and `Vary: *` notwithstanding. For servers that
    /// are known to be set up wrongly. Default `false`.
    public var ignoresServerDirectives = false
    /// Seconds, for `ignoresServerDirectives` only. Default 7 days.
    public var fixedLifetime: Double = 7 * 86_400
    /// The time by which ages are judged. Default the system's.
    public var clock = WallClock.system

    /// Seconds since some moment.
    package var uptime: @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }

    public init() {}
  }

  public let transport: any HTTPTransport
  /// For lists, checks and trimming.
  public let disk: DiskStore?
  private let engine: CacheEngine

  public init(transport: any HTTPTransport, configuration: Configuration = Configuration()) {
    self.transport = transport
    disk = configuration.disk.map { DiskStore(configuration: $0) }
    engine = CacheEngine(transport: transport, configuration: configuration, disk: disk)
  }

  deinit { engine.refreshes.close() }

  // MARK: Loading

  /// Any status is a result; only failures of the transfer throw.
  ///
  /// When no server can be reached, what is stored is the result, stale or not, unless `must-revalidate`, `no-cache` or
  /// the request forbids it; `cacheStatus` and `freshUntil` tell.
  ///
  /// Redirects are followed from one stored response to the next: each is kept, used and asked about as the response of
  /// its own URL, and counts towards `maximumRedirects` whether it came over the network or not.
  ///
  /// A transfer that breaks off or is cancelled keeps what had come of its body, at least 16 KiB, where the server serves
  /// ranges, says the length and gives a strong validator (RFC 9110, section 8.8.1), and where it may be stored. The next
  /// load asks for the rest (`Range` and `If-Range`) and for the whole again where that is another by now.
  /// - Parameters:
  ///   - request: its `cachePolicy` is honoured: the reload policies ask the network, the two that prefer stored data
  ///     take it whatever its age.
  ///   - name: what the response is stored under in place of the URL, for addresses that change with every request, such
  ///     as signed ones. Different responses must have different names. Redirects on the way are followed by the
  ///     transport and not stored. Default the URL.
  ///   - progress: told, from any thread, how much has arrived.
  ///   - admit: awaited before the network is used, however often; not when a stored response answers. What it throws is
  ///     thrown.
  /// - Throws: `HTTPError` (`cache.miss` under `returnCacheDataDontLoad` and `only-if-cached`) or `CancellationError`.
  public func data(
    for request: URLRequest, options: TransportOptions = TransportOptions(), cachedAs name: String? = nil,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil,
    beforeNetwork admit: (@Sendable () async throws -> Void)? = nil
  ) async throws -> HTTPResult {
    try await engine.data(
      for: request, options: options, cachedAs: name, beforeNetwork: admit, progress: progress)
  }

  /// As `data`, but what comes from the network is handed on while it arrives, as the result's `body`, with back-pressure,
  /// and is stored when it has come whole. Redirects are results. A failure after the head is thrown by the body.
  /// - Throws: `HTTPError` or `CancellationError`.
  package func stream(for request: URLRequest, options: TransportOptions) async throws -> HTTPResult {
    try await engine.stream(for: request, options: options)
  }

  // MARK: Attachments

  /// The attachment of the stored response that `request` selects; `nil` unless that response may be used now without
  /// asking the server: it is fresh, or the request's cache policy allows it. The response's body is not read.
  public func attachment(
    named name: String, for request: URLRequest, cachedAs cacheName: String? = nil
  ) async -> HTTPAttachment? {
    await engine.attachment(named: name, for: request, cachedAs: cacheName)
  }

  /// The attachment of a stored response just obtained, for example revalidated, fresh or not.
  public func attachment(named name: String, of entry: StoredEntryID) async -> Data? {
    await engine.attachments.attachment(named: name, of: entry)
  }

  /// Keeps opaque bytes under a stored response, in place of those of the same name. They live and die with it, survive
  /// its revalidation by 304, and count against its budget. Nothing happens if the entry is gone or was replaced.
  public func attach(_ data: Data, named name: String, to entry: StoredEntryID) async {
    engine.attachments.attach(data, named: name, to: entry)
  }

  // MARK: What is stored

  /// Drops what is stored for a request, with the redirects on the way: its bytes turned out to be of no use, and the
  /// next load asks the server.
  public func forget(_ request: URLRequest, cachedAs name: String? = nil) {
    guard let url = request.url else { return }
    for keepsCoding in [false, true] {
      engine.forgetWay(from: StoreQuery(CacheQuery(request, url: url, name: name, keepsCoding: keepsCoding)))
    }
  }

  /// Drops every stored response of a URL, to whatever credentials it was given, and under a name too where it came from
  /// there. What a redirect leads to is the response of another URL.
  public func removeAll(of url: URL) { engine.removeAll(url: CacheKey.withoutFragment(url)) }

  /// Forgets every response.
  public func removeAll() { engine.removeAll() }

  /// Bytes of whole responses now in memory, bookkeeping included.
  public var memoryCost: Int { engine.memory.cost }

  /// Ends what is being asked for behind callers' backs (`stale-while-revalidate`).
  public func cancelRefreshes() { engine.refreshes.cancelAll() }

  public func statistics() async -> HTTPCacheStatistics { await engine.statistics() }
}

extension CachePolicy {
  init(_ configuration: HTTPLoader.Configuration) {
    self.init(
      defaultLifetime: configuration.defaultLifetime,
      fixedLifetime: configuration.ignoresServerDirectives ? configuration.fixedLifetime : nil)
  }
}

extension HTTPResponse {
  /// The body's length as announced, in bytes, where it is known and there is a body.
  func expectedLength(method: String?) -> Int? {
    guard method != "HEAD", status != 204, status != 304, headers["Transfer-Encoding"] == nil else { return nil }
    return headers.values(of: "Content-Length").first.flatMap { DeltaSeconds.parse($0[...].trimmed) }
  }
}
