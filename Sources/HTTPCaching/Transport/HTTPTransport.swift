import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bounds of one transfer. Times are seconds, fractions included; they go before the request's `timeoutInterval`.
public struct TransportOptions: Hashable, Sendable {
  /// Longest time without a byte, connecting included; waiting for a free connection or a slow reader is not. Default
  /// 30.
  public var idleTimeout: Double = 30
  /// Longest time for the whole transfer, redirects and waiting included; `nil` for none. Default 300.
  public var totalTimeout: Double? = 300
  /// Bodies longer than this end with `body.tooLarge`; a Content-Length is believed at once. Default 256 MiB.
  public var maximumBodyBytes: Int = 256 << 20
  /// Default 10 (`redirect.tooMany` beyond it).
  public var maximumRedirects: Int = 10
  /// How much the transfer is wanted beside others, now and while it runs. Default `nil`: as much as any.
  public var priority: TransferPriority?

  public init() {}
}

extension Double {
  /// Seconds to wait: a time that is negative or no number is over at once.
  var asDelay: Double { self > 0 ? self : 0 }
}

/// A response whose body is still arriving.
public struct HTTPExchange: Sendable {
  public var response: HTTPResponse
  public var body: HTTPBody

  public init(response: HTTPResponse, body: HTTPBody) {
    self.response = response
    self.body = body
  }
}

/// Sends requests. Two implementations: libcurl on Linux, URLSession on Apple's platforms (and where a session is
/// given). A scripted one lives in VignetteTesting.
public protocol HTTPTransport: Sendable {
  /// Returns when the final response's headers have arrived; redirects have been followed.
  /// - Throws: `HTTPError`, or `CancellationError` when the calling task is cancelled; the transfer then stops.
  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange
}
