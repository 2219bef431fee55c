import HTTPCaching

/// How much of a picture has arrived while it loads. Read it inside the content of `CachedAsyncImage` and its family:
/// `@Environment(\.asyncImageProgress) var progress`.
public struct AsyncImageProgress: Hashable, Sendable {
  /// Bytes of the body so far.
  public var receivedBytes: Int
  /// Bytes of the whole body, where the server or the file has said; `nil` where it has not.
  public var expectedBytes: Int?

  public init(receivedBytes: Int, expectedBytes: Int?) {
    self.receivedBytes = receivedBytes
    self.expectedBytes = expectedBytes
  }

  init(_ progress: HTTPProgress) {
    self.init(receivedBytes: progress.received, expectedBytes: progress.expected)
  }

  /// 0...1; `nil` where the length is not known.
  public var fraction: Double? {
    guard let expectedBytes, expectedBytes > 0 else { return nil }
    return min(max(0, Double(receivedBytes) / Double(expectedBytes)), 1)
  }
}
