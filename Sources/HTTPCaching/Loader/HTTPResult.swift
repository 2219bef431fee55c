import Foundation

/// A whole response and where it came from.
public struct HTTPResult: Sendable {
  public enum Origin: String, Hashable, Sendable {
    case network, disk, revalidated, memory
  }

  /// Its `url` is the last one, after redirects.
  public var response: HTTPResponse
  public var data: Data
  /// Of the last hop, after redirects. `revalidated` where the server was asked and what was stored still held.
  public var origin: Origin
  /// When the response, or a redirect that led to it, stops being fresh (RFC 9111, section 4.2); `nil` for never. A past
  /// date is stale at once.
  public var freshUntil: Date?
  /// `false` for `no-store` (RFC 9111, section 5.2.2.5), also of a redirect on the way: nothing made of this response may outlive its use.
  public var mayBeStored: Bool
  /// The stored response this is; `nil` where it is not stored. What is made of the response can be attached to it.
  public var entry: StoredEntryID?
  /// What the cache did, for those who want to know why. Where redirects were followed and what is stored answered the
  /// last hop, it is that of the first hop that went to the server, if one did.
  public var cacheStatus: CacheStatus
  /// Bytes at the beginning of `data` that an interrupted transfer had left behind; only the others came now. 0 where
  /// the transfer was one.
  public var resumedBytes = 0
  /// The body while it arrives, where it was asked for so and comes from the network; `data` is empty then.
  package var body: HTTPBody?

  public init(
    response: HTTPResponse, data: Data, origin: Origin, freshUntil: Date? = nil, mayBeStored: Bool = true,
    entry: StoredEntryID? = nil, cacheStatus: CacheStatus = CacheStatus(forward: .bypass)
  ) {
    self.response = response
    self.data = data
    self.origin = origin
    self.freshUntil = freshUntil
    self.mayBeStored = mayBeStored
    self.entry = entry
    self.cacheStatus = cacheStatus
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

/// Opaque bytes kept under a stored response.
public struct HTTPAttachment: Sendable {
  public var data: Data
  /// The response they belong to.
  public var entry: StoredEntryID
  /// Of that response, as in `HTTPResult`.
  public var freshUntil: Date?
  /// Of finding it: a hit. `nil` where a loader does not tell.
  public var cacheStatus: CacheStatus?

  public init(data: Data, entry: StoredEntryID, freshUntil: Date? = nil, cacheStatus: CacheStatus? = nil) {
    self.data = data
    self.entry = entry
    self.freshUntil = freshUntil
    self.cacheStatus = cacheStatus
  }
}
