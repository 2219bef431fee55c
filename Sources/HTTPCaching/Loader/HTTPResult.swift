import Foundation

/// A whole response and where it came from.
public struct HTTPResult: Sendable {
  public enum Origin: String, Hashable, Sendable {
    case network, disk, revalidated, memory
  }

  public var response: HTTPResponse
  public var data: Data
  public var origin: Origin

  public init(response: HTTPResponse, data: Data, origin: Origin) {
    self.response = response
    self.data = data
    self.origin = origin
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
