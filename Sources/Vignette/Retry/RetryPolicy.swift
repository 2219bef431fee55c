/// Whether a failed load is tried again, and after how long: a pure decision by the kind of error.
///
/// Exponential back-off with full jitter: the wait before try n + 1 is random between 0 and
/// `min(maximumDelay, baseDelay × factorⁿ⁻¹)`, so that clients that failed together do not return together.
/// Invariant: no decision waits longer than `maximumRetryAfter + maximumDelay`, whatever a server or a caller says.
///
/// | Tried again | Never |
/// |---|---|
/// | `transport.reset`, `.refused`, `.timedOut`, `.offline`, `.hostNotFound`, `.protocol` | `transport.tls`, `.unavailable` |
/// | `http.408`, `.425`, `.429`, `.500`, `.502`, `.503`, `.504` | every other status |
/// | `body.truncated` | `body.empty`, `body.tooLarge`, `url.*`, `redirect.*`, `address.*`, `image.*`, `file.*`, `cache.*` |
///
/// `hostNotFound` is tried again because a phone that changes networks cannot resolve names for a moment, and
/// `protocol` because a server that restarts ends HTTP/2 streams half-way. `source.failed` and unknown codes are not:
/// whoever wrote the source knows better.
public struct RetryPolicy: Hashable, Sendable {
  /// Tries in all, the first included. Default 3; 1 or less never tries again.
  public var maximumAttempts = 3
  /// Longest wait after the first failure, in seconds. Default 0.5.
  public var baseDelay = 0.5
  /// By how much the longest wait grows with each failure. Default 2.
  public var factor = 2.0
  /// Upper bound of the back-off, in seconds. Default 30.
  public var maximumDelay = 30.0
  /// The longest `Retry-After` that is waited for, in seconds; a server that asks for more has failed. Default 60.
  public var maximumRetryAfter = 60.0

  /// - Parameter maximumAttempts: tries in all. Default 3.
  public init(maximumAttempts: Int = 3) { self.maximumAttempts = maximumAttempts }

  /// One try.
  public static let never: RetryPolicy = {
    var policy = RetryPolicy()
    policy.maximumAttempts = 1
    return policy
  }()

  public enum Decision: Hashable, Sendable {
    case fail
    /// Try again after so many seconds.
    case wait(Double)
  }

  /// What to do after a failure.
  ///
  /// A `Retry-After` is a lower bound: the back-off is added to it, because everyone the server turned away was given
  /// the same time. It counts for errors of HTTP only.
  /// - Parameters:
  ///   - attempt: the number of the try that failed, from 1.
  ///   - retryAfter: what the server asked for, in seconds after the response, or `nil`.
  ///   - random: uniform in 0..<1.
  ///   - method: of the request; what is not idempotent is never repeated (RFC 9110, section 9.2.2). Default GET.
  public func decision(
    for error: ImageLoadingError, attempt: Int, retryAfter: Double? = nil, random: Double, method: String = "GET"
  ) -> Decision {
    guard attempt < maximumAttempts, Self.isTransient(error.code), Self.isIdempotent(method) else { return .fail }
    let backoff = delayLimit(attempt: attempt) * Self.within(random, upTo: 1)
    guard let retryAfter, Self.status(error.code) != nil else { return .wait(backoff) }
    guard retryAfter <= maximumRetryAfter else { return .fail }
    return .wait(max(0, retryAfter) + backoff)
  }

  /// Whether the same request may well succeed a moment later.
  public static func isTransient(_ code: ImageLoadingError.Code) -> Bool {
    if let status = status(code) { return transientStatuses.contains(status) }
    return transientCodes.contains(code.rawValue)
  }

  private static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
  private static let transientCodes: Set<String> = [
    "transport.reset", "transport.refused", "transport.timedOut", "transport.offline", "transport.hostNotFound",
    "transport.protocol", "body.truncated",
  ]
  private static let idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

  private static func isIdempotent(_ method: String) -> Bool { idempotentMethods.contains(method) }

  private static func status(_ code: ImageLoadingError.Code) -> Int? {
    guard code.rawValue.hasPrefix("http.") else { return nil }
    return Int(code.rawValue.dropFirst(5))
  }

  /// The longest back-off after this failure; settings that are no sensible numbers count as 0, or as the maximum.
  private func delayLimit(attempt: Int) -> Double {
    let longest = Self.within(maximumDelay, upTo: .greatestFiniteMagnitude)
    let growth = Self.power(max(1, factor), max(1, attempt) - 1)
    let delay = Self.within(baseDelay, upTo: longest)
    // 0 × ∞ is not a number.
    return delay == 0 ? 0 : min(longest, delay * growth)
  }

  /// By squaring, so that no number of tries takes long.
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }

  /// The value within 0...limit; 0 where it is not a number.
  private static func within(_ value: Double, upTo limit: Double) -> Double {
    value.isNaN ? 0 : min(max(0, value), limit)
  }
}
