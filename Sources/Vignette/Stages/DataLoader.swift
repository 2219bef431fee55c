import Foundation
import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How the pipeline gets the bytes behind an http or https request. A struct of closures, so that an app, or a test,
/// puts its own in without subclassing anything.
public struct DataLoader: Sendable {
  public typealias Report = @Sendable (HTTPProgress) -> Void

  /// Fetches a whole response. Any status is a result. Throws `HTTPError`, or `CancellationError` when cancelled.
  public var load: @Sendable (URLRequest, TransportOptions, @escaping Report) async throws -> HTTPResult
  /// Forgets what is stored for a request: its bytes were no picture.
  public var forget: @Sendable (URLRequest) -> Void

  public init(
    load: @escaping @Sendable (URLRequest, TransportOptions, @escaping Report) async throws -> HTTPResult,
    forget: @escaping @Sendable (URLRequest) -> Void = { _ in }
  ) {
    self.load = load
    self.forget = forget
  }

  /// The HTTP cache of the process over the platform's transport, both set up by the first http or https request.
  public static var shared: DataLoader {
    DataLoader(
      load: { try await HTTPLoader.shared.data(for: $0, options: $1, progress: $2) },
      forget: { HTTPLoader.shared.forget($0) })
  }

  /// Loads through an HTTP cache and its transport.
  public static func http(_ loader: HTTPLoader) -> DataLoader {
    DataLoader(
      load: { try await loader.data(for: $0, options: $1, progress: $2) },
      forget: { loader.forget($0) })
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
}
