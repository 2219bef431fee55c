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

  /// Fetches a whole response. Any status is a result. Throws `HTTPError`, or `CancellationError` when cancelled.
  public var load: @Sendable (Call) async throws -> HTTPResult
  /// Forgets what is stored for a request: its bytes were no picture.
  public var forget: @Sendable (URLRequest) -> Void

  public init(
    load: @escaping @Sendable (Call) async throws -> HTTPResult,
    forget: @escaping @Sendable (URLRequest) -> Void = { _ in }
  ) {
    self.load = load
    self.forget = forget
  }

  /// The HTTP cache of the process over the platform's transport, both set up by the first http or https request.
  public static var shared: DataLoader {
    DataLoader(load: { try await load($0, with: .shared) }, forget: { HTTPLoader.shared.forget($0) })
  }

  /// Loads through an HTTP cache and its transport.
  public static func http(_ loader: HTTPLoader) -> DataLoader {
    DataLoader(load: { try await load($0, with: loader) }, forget: { loader.forget($0) })
  }

  private static func load(_ call: Call, with loader: HTTPLoader) async throws -> HTTPResult {
    try await call.admit()
    return try await loader.data(for: call.request, options: call.options, progress: call.report)
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
  /// The address it came from was not the one asked for first.
  var isAlternative = false
}
