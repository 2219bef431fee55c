import Foundation
import HTTPCaching
import ImageCodecs

/// Why a picture could not be shown.
///
/// `code` is dotted and stable: search for it, switch over it, log it. `message` is a sentence for a person and says
/// what to do. Cancellation is never an `ImageLoadingError`; it is Swift's `CancellationError`.
public struct ImageLoadingError: Error, Sendable, CustomStringConvertible, LocalizedError {
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let fileNotFound = Code(rawValue: "file.notFound")
    public static let fileUnreadable = Code(rawValue: "file.unreadable")
    public static let cacheMiss = Code(rawValue: "cache.miss")
    public static let invalidURL = Code(rawValue: "url.invalid")
    public static let unsupportedScheme = Code(rawValue: "url.unsupportedScheme")
    public static let timedOut = Code(rawValue: "transport.timedOut")
    public static let offline = Code(rawValue: "transport.offline")
    public static let emptyBody = Code(rawValue: "body.empty")
    public static let bodyTooLarge = Code(rawValue: "body.tooLarge")
    /// An error this library does not know, from a loader or a source the app supplied.
    public static let source = Code(rawValue: "source.failed")

    /// `http.404` and so on: any status that is not a success (RFC 9110, section 15).
    public static func http(_ status: Int) -> Code { Code(rawValue: "http.\(status)") }
  }

  public var code: Code
  public var message: String
  /// Where the picture was to come from. May hold credentials in its query; do not log it unasked.
  public var url: URL?
  public var underlying: (any Error)?
  /// Seconds after which the server asked to be tried again (RFC 9110, section 10.2.3).
  public var retryAfter: Double?

  public init(_ code: Code, _ message: String, url: URL? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.url = url
    self.underlying = underlying
  }

  public var description: String { "\(code): \(message)" }
  public var errorDescription: String? { message }
}

extension ImageLoadingError {
  /// The error of any stage, with the URL it concerns. `CancellationError` passes through `wrapping(_:url:)` instead.
  init(_ error: any Error, url: URL?) {
    switch error {
    case let error as ImageLoadingError:
      self = error
      self.url = error.url ?? url
    case let error as HTTPError:
      self.init(Code(rawValue: error.code.rawValue), error.message, url: error.url ?? url, underlying: error)
    case let error as CodecError:
      self.init(Code(rawValue: error.code.rawValue), error.message, url: url, underlying: error)
    default:
      self.init(
        .source, "The source of this picture failed: \(error.localizedDescription)", url: url, underlying: error)
    }
  }

  /// A response whose status is not a success.
  init(status: Int, url: URL, retryAfter: Double? = nil) {
    let advice =
      switch status {
      case 401, 403: "The server refuses access; check the credentials of the request"
      case 404, 410: "The server has no picture at this address"
      case 408, 429: "The server asks to try again later"
      case 500...599: "The server failed; try again later"
      default: "The server did not send a picture"
      }
    self.init(.http(status), "\(advice) (HTTP status \(status)).", url: url)
    self.retryAfter = retryAfter
  }

  /// What callers of the pipeline see: an `ImageLoadingError`, or `CancellationError` as it is.
  static func wrapping(_ error: any Error, url: URL?) -> any Error {
    error is CancellationError ? error : ImageLoadingError(error, url: url)
  }
}
