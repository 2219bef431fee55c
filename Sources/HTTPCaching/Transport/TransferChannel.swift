import Foundation
import Synchronized

/// The receiving end of a transfer: a transport's thread or delegate puts the head, the bytes and the end in here.
///
/// Nothing is resumed under the lock, and nobody is woken before `flush()`, so that everything one read from the
/// network brings costs the reader a single switch.
final class TransferChannel: Sendable {
  fileprivate let state = Locked(TransferState())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// - Parameter expected: length of the body in bytes where known.
  func deliver(_ head: HTTPResponse, expected: Int?) { state.withLock { $0.deliver(head, expected: expected) } }

  /// `full` takes nothing: offer the same bytes again after the reader has signalled its demand.
  func append(_ bytes: UnsafeRawBufferPointer) -> TransferState.Appended { state.withLock { $0.append(bytes) } }

  /// Ends the transfer: with `nil` when the body is whole. Only the first end counts.
  func finish(_ error: (any Error)? = nil) { state.withLock { $0.finish(error) } }

  /// Resumes the reader where its answer is ready, or tells it how much is here.
  func flush() { resume(state.withLock { $0.wake() }) }

  fileprivate func resume(_ wake: TransferState.Wake) {
    switch wake {
    case .none: break
    case .progress(let watch, let count): watch.tell(count)
    case .head(let continuation, let answer): continuation.resume(with: answer)
    case .read(let continuation, let answer): continuation.resume(with: answer)
    }
  }
}

/// The reading end. Letting go of it, or cancelling a task that reads, stops the transfer.
final class TransferReader: Sendable {
  enum Signal {
    /// There is room again after `append` answered `full`, or there is something to tell: flush.
    case demand
    /// Nobody wants the rest.
    case cancel
  }

  private let channel: TransferChannel
  private let signal: @Sendable (Signal) -> Void

  /// - Parameter signal: called from any thread; must not call back into the channel.
  init(_ channel: TransferChannel, signal: @escaping @Sendable (Signal) -> Void) {
    self.channel = channel
    self.signal = signal
  }

  deinit { cancel() }

  func head() async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        channel.resume(channel.state.withLock { $0.wait(forHead: continuation) })
      }
    } onCancel: {
      cancel()
    }
  }

  /// The next bytes, at least `minimum` of them except at the end; `nil` after the last.
  ///
  /// - Parameter watch: told, on the thread of the transport, how many are here while there are too few.
  func read(minimum: Int, expected: Int, watch: TransferState.Watch? = nil) async throws -> Data? {
    // A body that has arrived whole costs no suspension.
    if let whole = channel.state.withLock({ $0.readWhole() }) { return whole }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (wake, demand) = channel.state.withLock {
          $0.wait(forRead: continuation, minimum: minimum, expected: expected, watch: watch)
        }
        channel.resume(wake)
        if demand { signal(.demand) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// What arrived and was never read, for a reader that will not go on: after a failure or a cancellation.
  func takeUnread() -> Data { channel.state.withLock { $0.takeUnread() } }

  private func cancel() {
    let (wake, stop) = channel.state.withLock { $0.cancel() }
    channel.resume(wake)
    if stop { signal(.cancel) }
  }
}
