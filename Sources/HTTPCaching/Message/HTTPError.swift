import Foundation

/// Why a transfer failed: a dotted, stable code, a sentence that says what to do, and the cause beneath it.
public struct HTTPError: Error, Sendable, CustomStringConvertible, LocalizedError {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let invalidURL = Code(rawValue: "url.invalid")
    public static let unsupportedScheme = Code(rawValue: "url.unsupportedScheme")
    public static let hostNotFound = Code(rawValue: "transport.hostNotFound")
    public static let refused = Code(rawValue: "transport.refused")
    public static let reset = Code(rawValue: "transport.reset")
    public static let tls = Code(rawValue: "transport.tls")
    public static let timedOut = Code(rawValue: "transport.timedOut")
    public static let offline = Code(rawValue: "transport.offline")
    /// The library that does the transfers is missing.
    public static let unavailable = Code(rawValue: "transport.unavailable")
    public static let protocolError = Code(rawValue: "transport.protocol")
    public static let tooManyRedirects = Code(rawValue: "redirect.tooMany")
    public static let insecureRedirect = Code(rawValue: "redirect.insecure")
    public static let redirectTarget = Code(rawValue: "redirect.target")
    /// The transport's address policy lets it connect to none of the host's addresses.
    public static let addressDenied = Code(rawValue: "address.denied")
    public static let truncatedBody = Code(rawValue: "body.truncated")
    public static let bodyTooLarge = Code(rawValue: "body.tooLarge")
    public static let cacheMiss = Code(rawValue: "cache.miss")
  }

  public var code: Code
  public var message: String
  public var url: URL?
  public var underlying: (any Error)?

  public var description: String { "\(code.rawValue): \(message)" }
  public var errorDescription: String? { message }

  public init(_ code: Code, _ message: String, url: URL? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.url = url
    self.underlying = underlying
  }
}
