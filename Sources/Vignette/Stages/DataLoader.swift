import Foundation
import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How the pipeline gets the bytes behind an http or https request. A struct of closures, so that an app, or a test,
/// puts its own in without subclassing anything.
public struct DataLoader: Sendable {
  public typealias Report = @Sendable (HTTPProgress) -> Void

  /// One load.
  public struct Call: Sendable {
    public var request: URLRequest
    public var options: TransportOptions
    /// The name under which a cache finds the response, where that is not the request's URL.
    public var cacheName: String?
    /// Tells the bytes received and expected, from any thread.
    public var report: Report
    /// Waits for a free connection: call it before the network is used, and not when a stored response answers. Called
    /// again, it returns at once. Throws `CancellationError`.
    public var admit: @Sendable () async throws -> Void

    public init(
      request: URLRequest, options: TransportOptions = TransportOptions(), cacheName: String? = nil,
      report: @escaping Report = { _ in }, admit: @escaping @Sendable () async throws -> Void = {}
    ) {
      self.request = request
      self.options = options
      self.cacheName = cacheName
      self.report = report
      self.admit = admit
    }
  }

  /// Small things kept with a stored response, which live and die with it: thumbnails.
  public struct Attachments: Sendable {
    /// The attachment of the response that may answer the call now, without the network.
    public var find: @Sendable (_ name: String, Call) async -> HTTPAttachment?
    /// The attachment of a response just obtained.
    public var read: @Sendable (_ name: String, StoredEntryID) async -> Data?
    /// Does nothing when the response is stored no more.
    public var write: @Sendable (Data, _ name: String, StoredEntryID) async -> Void

    public init(
      find: @escaping @Sendable (_ name: String, Call) async -> HTTPAttachment?,
      read: @escaping @Sendable (_ name: String, StoredEntryID) async -> Data?,
      write: @escaping @Sendable (Data, _ name: String, StoredEntryID) async -> Void
    ) {
      self.find = find
      self.read = read
      self.write = write
    }
  }

  /// Fetches a whole response. Any status is a result. Throws `HTTPError`, or `CancellationError` when cancelled.
  public var load: @Sendable (Call) async throws -> HTTPResult
  /// Forgets what is stored for a call: its bytes were no picture.
  public var forget: @Sendable (Call) -> Void
  /// Returns once what has arrived so far is stored.
  public var flush: @Sendable () async -> Void = {}
  /// `nil` where nothing can be kept with a response.
  public var attachments: Attachments?

  public init(
    load: @escaping @Sendable (Call) async throws -> HTTPResult,
    forget: @escaping @Sendable (Call) -> Void = { _ in }, attachments: Attachments? = nil
  ) {
    self.load = load
    self.forget = forget
    self.attachments = attachments
  }

  /// The HTTP cache of the process over the platform's transport, both set up by the first http or https request.
  public static var shared: DataLoader { http { .shared } }

  /// Loads through an HTTP cache and its transport.
  public static func http(_ loader: HTTPLoader) -> DataLoader { http { loader } }

  private static func http(_ loader: @escaping @Sendable () -> HTTPLoader) -> DataLoader {
    var result = DataLoader(
      load: { call in
        try await loader().data(
          for: call.request, options: call.options, cachedAs: call.cacheName, progress: call.report,
          beforeNetwork: call.admit)
      },
      forget: { loader().forget($0.request, cachedAs: $0.cacheName) },
      attachments: Attachments(
        find: { await loader().attachment(named: $0, for: $1.request, cachedAs: $1.cacheName) },
        read: { await loader().attachment(named: $0, of: $1) },
        write: { await loader().attach($0, named: $1, to: $2) }))
    result.flush = { await loader().disk?.flush() }
    return result
  }
}

/// The encoded bytes of a picture.
struct EncodedImage: Sendable {
  var data: Data
  var origin: ImageResponse.Origin
  /// By the HTTP rules; `nil` where the source never goes stale.
  var freshUntil: Date?
  /// `false` for `no-store`: the decoded picture lives only while somebody holds it.
  var mayBeKept = true
  /// Compared with that of a kept picture; `nil` where the source's key already says which bytes these are.
  var contents: ContentID?
  /// What the HTTP cache did; `nil` where it was not asked.
  var cacheStatus: CacheStatus?
  /// The address it came from was not the one asked for first.
  var isAlternative = false
  /// Where small things may be kept with it.
  var entry: StoredEntryID?
  /// How many of the bytes an interrupted transfer had left behind.
  var resumedBytes = 0
  /// The place these bytes hold at the stage they came from; `end` it when they are being decoded, or not wanted.
  var lease: SourceLease?
}
