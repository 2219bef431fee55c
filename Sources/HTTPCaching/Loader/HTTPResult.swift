import Foundation

/// A whole response and where it came from.
public struct HTTPResult: Sendable {
  public enum Origin: String, Hashable, Sendable {
    case network, disk, revalidated, memory
  }

  public var response: HTTPResponse
  public var data: Data
  public var origin: Origin
  /// When the response stops being fresh (RFC 9111, section 4.2); `nil` for never. A past date is stale at once.
  public var freshUntil: Date?
  /// `false` for `no-store` (RFC 9111, section 5.2.2.5): nothing made of this response may outlive its use.
  public var mayBeStored: Bool

  public init(
    response: HTTPResponse, data: Data, origin: Origin, freshUntil: Date? = nil, mayBeStored: Bool = true
  ) {
    self.response = response
    self.data = data
    self.origin = origin
    self.freshUntil = freshUntil
    self.mayBeStored = mayBeStored
  }
}

/// How far a transfer has come, in bytes. `expected` is `nil` where the server gave no length.
public struct HTTPProgress: Hashable, Sendable {
  public var received: Int
  public var expected: Int?

  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }
}
