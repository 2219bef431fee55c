import Foundation
import Synchronized

/// The bytes of a response as they arrive, in chunks, with back-pressure: no more than about 256 KiB are read from the
/// network ahead of `next()`. May be iterated once, by one task at a time. Letting go of the body and its iterator, or
/// cancelling the task that reads, stops the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
  public typealias Element = Data

  /// How much a reader would like at once. Hints: a source may give less.
  struct Wish {
    /// Bytes to wait for.
    var minimum = 1
    /// Bytes still to come as far as the reader knows.
    var expected = 0
    /// To be told of bytes that have arrived before there are `minimum` of them.
    var watch: TransferState.Watch?
  }

  private let read: @Sendable (Wish) async throws -> Data?
  /// What has arrived and was never handed out, once the reading has failed.
  private let takeUnread: @Sendable () -> Data

  /// - Parameter next: yields chunks, then `nil`; throws `HTTPError` or `CancellationError`.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    read = { _ in try await next() }
    takeUnread = { Data() }
  }

  /// A body that is already here, in one chunk.
  public init(_ data: Data) {
    let rest = Locked(data)
    read = { _ in
      let chunk = rest.withLock { rest in
        defer { rest = Data() }
        return rest
      }
      return chunk.isEmpty ? nil : chunk
    }
    takeUnread = { Data() }
  }

  private init(_ body: HTTPBody, holding held: any Sendable) {
    read = { wish in
      defer { withExtendedLifetime(held) {} }
      return try await body.read(wish)
    }
    takeUnread = body.takeUnread
  }

  /// The same body, which keeps something for as long as it may be read.
  package func holding(_ held: any Sendable) -> HTTPBody { HTTPBody(self, holding: held) }

  init(_ reader: TransferReader) {
    read = { try await reader.read(minimum: $0.minimum, expected: $0.expected, watch: $0.watch) }
    takeUnread = { reader.takeUnread() }
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let read: @Sendable (Wish) async throws -> Data?

    /// The next chunk, never empty; `nil` when the body is complete.
    /// - Throws: `HTTPError`, or `CancellationError` when the calling task is cancelled.
    public mutating func next() async throws -> Data? { try await read(Wish()) }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: read) }

  /// The whole body in one piece.
  /// - Parameters:
  ///   - limit: longest body accepted, in bytes.
  ///   - expected: the length the server announced; room is made for it at once, within reason.
  ///   - progress: told how many bytes are here, each time about a fiftieth (at least 64 KiB) has arrived; from any
  ///     thread, also that of the transport, whose other transfers wait until it returns.
  /// - Throws: `HTTPError` (`body.tooLarge` beyond the limit), or `CancellationError`.
  public func collect(
    limit: Int = .max, expected: Int? = nil, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> Data {
    try await collect(limit: limit, expected: expected, progress: progress, interrupted: nil)
  }

  /// - Parameter interrupted: given what had arrived when the reading fails, and why it does.
  func collect(
    limit: Int, expected: Int?, progress: (@Sendable (HTTPProgress) -> Void)?,
    interrupted: ((Data, any Error) -> Void)?
  ) async throws -> Data {
    let reservation = Swift.min(expected ?? 0, limit, Self.largestReservation)
    var wish = Wish(minimum: .max, expected: reservation)
    if let progress {
      // The bytes stay where they gather: taking them piece by piece would copy all and wake this task each time.
      wish.watch = TransferState.Watch(step: Swift.max((expected ?? 0) / 50, 64 << 10)) {
        progress(HTTPProgress(received: $0, expected: expected))
      }
    }
    var whole = Data()
    do {
      while let chunk = try await read(wish) {
        guard chunk.count <= limit - whole.count else {
          throw HTTPError(.bodyTooLarge, "The body is longer than \(limit) bytes; raise the limit if that is intended.")
        }
        if whole.isEmpty { whole = chunk } else { whole.append(chunk) }
        progress?(HTTPProgress(received: whole.count, expected: expected))
      }
    } catch {
      interrupted?(whole.isEmpty ? takeUnread() : whole + takeUnread(), error)
      throw error
    }
    return whole
  }

  /// What an announced length alone may make us reserve, in bytes.
  private static let largestReservation = 64 << 20
}
