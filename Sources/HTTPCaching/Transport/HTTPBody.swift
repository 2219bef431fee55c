import Foundation

/// The bytes of a response as they arrive, in chunks, with back-pressure: nothing is read from the network far ahead
/// of `next()`. May be iterated once. Letting go of the iterator, or cancelling its task, stops the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
  public typealias Element = Data

  private let read: @Sendable () async throws -> Data?

  /// - Parameter next: yields chunks, then `nil`; throws `HTTPError` or `CancellationError`.
  public init(next: @escaping @Sendable () async throws -> Data?) { read = next }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let read: @Sendable () async throws -> Data?

    public mutating func next() async throws -> Data? { try await read() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: read) }
}
