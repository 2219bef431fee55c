import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bounds and manners of one transfer. Times are seconds, fractions included; they go before the request's
/// `timeoutInterval`. Where a URLSession carries the transfer, some manners are its own; each says which.
public struct TransportOptions: Hashable, Sendable {
  /// Longest time without a byte, connecting included; waiting for a free connection or a slow reader is not. Default
  /// 30.
  public var idleTimeout: Double = 30
  /// Longest time for the whole transfer, redirects and waiting included; `nil` for none. Default 300.
  public var totalTimeout: Double? = 300
  /// Bodies longer than this, before or after decoding, end with `body.tooLarge`; a Content-Length is believed at once.
  /// Default 256 MiB.
  public var maximumBodyBytes: Int = 256 << 20
  /// Default 10 (`redirect.tooMany` beyond it).
  public var maximumRedirects: Int = 10
  /// How much the transfer is wanted beside others, now and while it runs. Default `nil`: as much as any.
  public var priority: TransferPriority?
  /// Whether redirects are followed. Default `true`; otherwise a redirect is the response, with its own body. A session
  /// that the application gives follows them all the same.
  public var followsRedirects = true
  /// Whether `Content-Encoding` is undone. Default `true`; otherwise the body is handed on in the coding it came in,
  /// its headers untouched; an `HTTPLoader` stores it apart from decoded ones. A URLSession always decodes.
  public var decodesContent = true
  /// Whether a request with a safe method (RFC 9110, section 9.2.1) may be sent again where a kept connection turns out
  /// to be closed. Default `true`; otherwise the transfer makes a connection of its own and fails with it. Requests
  /// with other methods are never repeated. A URLSession decides for itself.
  public var repeatsRequests = true
  /// Told of interim responses. Default `nil`. A URLSession tells of none.
  public var interim: InterimResponses?

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
  /// Returns when the response's headers have arrived: those of the final one where `followsRedirects` says so. An
  /// `HTTPLoader` follows redirects itself, from one stored response to the next, and takes what a transport followed all
  /// the same for the response of the URL it came from.
  /// - Throws: `HTTPError`, or `CancellationError` when the calling task is cancelled; the transfer then stops.
  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange
}
