import Foundation
import HTTPCaching
import ImageCodecs
import Pixels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What to load and at which size: a source, a target in pixels, and how hard to try.
///
/// A value; its keys are made when it is made, so keep a request rather than making it again for each look-up.
public struct ImageRequest: Sendable {
  /// Where the bytes come from.
  public enum Source: Sendable {
    /// An http, https, file or data URL.
    case url(URL)
    /// The same, with the method, headers and body of the request.
    case urlRequest(URLRequest)
    /// A closure that yields the encoded bytes.
    case bytes(@Sendable () async throws -> Data)
    /// A closure that hands the encoded bytes to its argument piece by piece, and returns when there are no more.
    case stream(@Sendable (_ receive: (Data) throws -> Void) async throws -> Void)
    /// One picture that is to be had at several sizes, each at an address of its own.
    case sized(SizedSource)
  }

  public let source: Source
  public let key: ImageKey
  /// Default `.visible`.
  public var priority: ImagePriority = .visible
  /// Which stored copies may answer. Default `.standard`, or what the `URLRequest` asks for.
  public var policy: ImageCachePolicy = .standard
  /// Longest time for the whole load, in seconds: download and decode. `nil` (the default) leaves it to `transport`.
  public var timeout: Double?
  /// Bounds of the transfer. Of requests that share a download, the first one's apply.
  public var transport = TransportOptions()
  /// In a box of their own, so that a plain request stays small and free of reference counting.
  private var extras: Extras?

  /// The size to decode at. Default `.full`.
  public var target: DecodeTarget { key.target }

  /// The address, where the source has one.
  public var url: URL? { source.url }

  /// The same picture at another size; the source key is not made again.
  public func with(target: DecodeTarget) -> ImageRequest {
    with(key: ImageKey(source: key.source, target: target.normalized, chain: key.chain))
  }

  /// The same picture changed by these processors, in order, in place of any it had. They work on what was decoded for
  /// the target. Requests whose first processors are the same share the work of those.
  public func with(processors: [ImageProcessor]) -> ImageRequest {
    let chain = processors.isEmpty ? nil : ImageProcessor.key(of: processors)
    var copy = with(key: ImageKey(source: key.source, target: key.target, chain: chain))
    if chain != key.chain { copy[extra: \.processors] = processors }
    return copy
  }

  /// The same picture, fetched through this session: its credentials, cookies and proxies, and a cache of its own, in
  /// memory. `nil`, the default, fetches through the pipeline's loader. The session is kept as long as the request.
  ///
  /// Part of the key: two sessions never share a picture. Sources that need no network do not change.
  public func with(session: URLSession?) -> ImageRequest {
    guard session !== self.session, source.isRemote else { return self }
    let plainKey = self[extra: \.session]?.plainKey ?? key.source
    let choice = session.map { SessionChoice(session: $0, loader: .of($0), plainKey: plainKey) }
    let sourceKey = choice.map { SourceKey(plainKey, session: $0.loader.number) } ?? plainKey
    var copy = with(key: ImageKey(source: sourceKey, target: key.target, chain: key.chain))
    copy[extra: \.session] = choice
    return copy
  }

  private func with(key: ImageKey) -> ImageRequest {
    var copy = ImageRequest(source: source, key: key)
    copy.priority = priority
    copy.policy = policy
    copy.timeout = timeout
    copy.transport = transport
    copy.extras = extras
    return copy
  }

  private init(source: Source, key: ImageKey) {
    self.source = source
    self.key = key
  }
}

extension ImageRequest {
  /// - Parameters:
  ///   - target: the size to decode at. Default the full picture.
  ///   - identity: what makes it the same picture as another request's. Default its address.
  public init(url: URL, target: DecodeTarget = .full, identity: RequestIdentity = .address) {
    self.init(
      source: .url(url), key: ImageKey(source: SourceKey(url, identity: identity), target: target.normalized))
    if identity != .address { cacheName = identity.name(of: url.absoluteString) }
  }

  /// - Parameter identity: what makes it the same picture as another request's. Default its address, method, headers
  ///   and body; with another identity the headers still tell two requests apart, so that two users never share.
  public init(_ request: URLRequest, target: DecodeTarget = .full, identity: RequestIdentity = .address) {
    self.init(
      source: .urlRequest(request),
      key: ImageKey(source: SourceKey(request, identity: identity), target: target.normalized))
    policy = ImageCachePolicy(request.cachePolicy)
    if identity != .address { cacheName = identity.name(of: request.url?.absoluteString ?? "") }
  }

  /// - Parameter id: names the bytes and is the cache key: the same identifier always means the same bytes.
  public init(id: String, target: DecodeTarget = .full, bytes: @escaping @Sendable () async throws -> Data) {
    self.init(source: .bytes(bytes), id: id, target: target)
  }

  /// - Parameters:
  ///   - id: names the bytes and is the cache key: the same identifier always means the same bytes.
  ///   - chunks: makes a sequence of the encoded bytes in pieces; asked once for each load.
  public init<Chunks: AsyncSequence & SendableMetatype>(
    id: String, target: DecodeTarget = .full, chunks: @escaping @Sendable () async throws -> Chunks
  ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
    let source = Source.stream { receive in
      for try await chunk in try await chunks() { try receive(chunk) }
    }
    self.init(source: source, id: id, target: target)
  }

  /// - Parameter sized: the size nearest to the target is fetched, and the original where that fails or the target is the
  ///   full picture. All sizes are one picture in memory.
  public init(_ sized: SizedSource, target: DecodeTarget) {
    self.init(
      source: .sized(sized), key: ImageKey(source: SourceKey(sized.id), target: target.normalized))
  }

  private init(source: Source, id: String, target: DecodeTarget) {
    self.init(source: source, key: ImageKey(source: SourceKey("bytes\n" + id), target: target.normalized))
  }
}

// MARK: What few requests need

extension ImageRequest {
  fileprivate struct Values: Sendable {
    var cacheName: String?
    var alternatives: [URLRequest] = []
    var lowDataAlternative: URLRequest?
    var prepare: (@Sendable (URLRequest) async throws -> URLRequest)?
    var retry: RetryPolicy?
    var processors: [ImageProcessor] = []
    var session: SessionChoice?
  }

  fileprivate struct SessionChoice: Sendable {
    let session: URLSession
    let loader: SessionLoader
    /// The source key without the session.
    let plainKey: SourceKey
  }

  /// Never changes once made.
  fileprivate final class Extras: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }

  private subscript<Value>(extra path: WritableKeyPath<Values, Value>) -> Value {
    get { (extras?.values ?? Values())[keyPath: path] }
    set {
      var values = extras?.values ?? Values()
      values[keyPath: path] = newValue
      extras = Extras(values)
    }
  }

  /// Tried in this order when the source fails: mirrors, or a picture that stands in for one that is missing. What is
  /// shown of an alternative counts as stale at once, so that the next look asks the source itself again.
  public var alternatives: [URLRequest] {
    get { self[extra: \.alternatives] }
    set { self[extra: \.alternatives] = newValue }
  }

  /// Fetched instead while the network is in Low Data Mode (Apple's platforms; elsewhere no network says so).
  public var lowDataAlternative: URLRequest? {
    get { self[extra: \.lowDataAlternative] }
    set { self[extra: \.lowDataAlternative] = newValue }
  }

  /// Signs or completes the request just before it is sent, as often as it is sent: fresh credentials, headers of the
  /// day. No part of the key. Cancelled with the load.
  public var prepare: (@Sendable (URLRequest) async throws -> URLRequest)? {
    get { self[extra: \.prepare] }
    set { self[extra: \.prepare] = newValue }
  }

  /// What is done to the picture once it is decoded, in order; set by `with(processors:)`.
  public var processors: [ImageProcessor] { self[extra: \.processors] }

  /// How often a failed transfer is tried again: `RetryPolicy.never`, say. Default `nil` (which `.none` means too): as the
  /// pipeline's configuration says.
  public var retry: RetryPolicy? {
    get { self[extra: \.retry] }
    set { self[extra: \.retry] = newValue }
  }

  /// The session it is fetched through; set by `with(session:)`.
  public var session: URLSession? { self[extra: \.session]?.session }

  var sessionLoader: SessionLoader? { self[extra: \.session]?.loader }

  /// The name under which the HTTP cache finds the response, where that is not its address.
  var cacheName: String? {
    get { self[extra: \.cacheName] }
    set { self[extra: \.cacheName] = newValue }
  }

  var hasExtras: Bool { extras != nil }
}

extension ImageRequest.Source {
  /// The address, where there is one.
  public var url: URL? {
    switch self {
    case .url(let url): url
    case .urlRequest(let request): request.url
    case .bytes, .stream: nil
    case .sized(let sized): sized.original
    }
  }

  /// Whether a network is needed.
  var isRemote: Bool {
    let scheme = url?.scheme?.lowercased()
    return scheme == "http" || scheme == "https"
  }

  var urlRequest: URLRequest? {
    switch self {
    case .url(let url): URLRequest(url: url)
    case .urlRequest(let request): request
    case .bytes, .stream: nil
    case .sized(let sized): URLRequest(url: sized.original)
    }
  }
}

extension DecodeTarget {
  /// An empty box asks for nothing in particular: the full picture.
  var normalized: DecodeTarget {
    if case .box(let size, _) = self, size.isEmpty { return .full }
    return self
  }

  /// The pixels a picture of `source` size needs to satisfy this target.
  public func size(for source: PixelSize) -> PixelSize {
    switch self {
    case .full: source
    case .box(let box, let mode): source.scaled(into: box, mode: mode)
    }
  }
}
