import Foundation

/// What the two ends of a transfer share: the head, bytes not yet read, how it ended, and who waits.
///
/// A plain state machine without locks or threads: every transition returns what is to be done outside the lock.
/// Invariants: at most one waiter; a waiter is resumed exactly once (it is taken out of the state as it is returned);
/// after the end nothing is appended; after a cancellation nothing is delivered.
struct TransferState {
  enum End {
    case open, finished
    case failed(any Error)
    case cancelled
  }

  enum Waiter {
    case none
    case head(CheckedContinuation<HTTPResponse, any Error>)
    case read(CheckedContinuation<Data?, any Error>, minimum: Int, watch: Watch?)
  }

  /// What a reader wants to hear of bytes that it leaves where they are.
  struct Watch: Sendable {
    /// Bytes between one telling and the next.
    let step: Int
    let tell: @Sendable (Int) -> Void
    private var next: Int

    init(step: Int, tell: @escaping @Sendable (Int) -> Void) {
      self.step = max(step, 1)
      self.tell = tell
      next = self.step
    }

    /// Whether `count` bytes are enough to be told of.
    func wants(_ count: Int) -> Bool { count >= next }

    mutating func told(_ count: Int) { next = count + step }
  }

  /// A waiter and its answer, or how many bytes it is to hear of while it waits.
  enum Wake {
    case none
    case progress(Watch, Int)
    case head(CheckedContinuation<HTTPResponse, any Error>, Result<HTTPResponse, any Error>)
    case read(CheckedContinuation<Data?, any Error>, Result<Data?, any Error>)
  }

  enum Appended {
    case taken, full, outOfMemory
  }

  /// Unread bytes at which the sender is made to wait.
  static let highWater = 256 << 10

  private var head: HTTPResponse?
  private let unread = ByteAccumulator()
  private var end = End.open
  private var waiter = Waiter.none
  private var isFull = false

  var isCancelled: Bool { if case .cancelled = end { true } else { false } }
  var isOpen: Bool { if case .open = end { true } else { false } }

  // MARK: The receiving thread

  mutating func deliver(_ response: HTTPResponse, expected: Int?) {
    guard isOpen else { return }
    head = response
    if let expected { unread.reserve(min(expected, Self.highWater)) }
  }

  /// `full` takes nothing: the same bytes are to be offered again after the reader's `demand`.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Appended {
    guard isOpen else { return .taken }
    guard unread.count < limit else {
      isFull = true
      return .full
    }
    return unread.append(bytes) ? .taken : .outOfMemory
  }

  mutating func finish(_ error: (any Error)?) {
    guard isOpen else { return }
    end = error.map { .failed($0) } ?? .finished
  }

  /// The waiter, where its answer is ready, or what it is to hear of. Only the receiving thread tells, so that counts
  /// arrive in order.
  mutating func wake() -> Wake {
    let wake = answer()
    guard case .none = wake, case .read(let continuation, let minimum, var watch?) = waiter, watch.wants(unread.count)
    else { return wake }
    watch.told(unread.count)
    waiter = .read(continuation, minimum: minimum, watch: watch)
    return .progress(watch, unread.count)
  }

  private mutating func answer() -> Wake {
    switch waiter {
    case .none:
      return .none
    case .head(let continuation):
      guard let answer = headAnswer() else { return .none }
      waiter = .none
      return .head(continuation, answer)
    case .read(let continuation, let minimum, _):
      guard let answer = readAnswer(minimum: minimum) else { return .none }
      waiter = .none
      return .read(continuation, answer)
    }
  }

  // MARK: The reading task

  /// All that is left of a body that has arrived whole; `nil` where that is nothing, or something else is to be said.
  mutating func readWhole() -> Data? {
    guard case .finished = end, case .none = waiter, unread.count > 0 else { return nil }
    return unread.take()
  }

  mutating func wait(forHead continuation: CheckedContinuation<HTTPResponse, any Error>) -> Wake {
    guard case .none = waiter else { return .head(continuation, .failure(Self.busy)) }
    waiter = .head(continuation)
    return answer()
  }

  /// - Parameters:
  ///   - minimum: the bytes to wait for, fewer only at the end.
  ///   - expected: the bytes still to come where the reader knows; room is made for them in one piece.
  ///   - watch: told while it waits.
  mutating func wait(
    forRead continuation: CheckedContinuation<Data?, any Error>, minimum: Int, expected: Int, watch: Watch? = nil
  ) -> (Wake, demand: Bool) {
    guard case .none = waiter else { return (.read(continuation, .failure(Self.busy)), false) }
    waiter = .read(continuation, minimum: minimum, watch: watch)
    if isOpen { unread.reserve(min(expected, max(limit, Self.highWater))) }
    let wake = answer()
    guard isOpen else { return (wake, false) }
    let hasRoom = isFull && unread.count < limit
    if hasRoom { isFull = false }
    // What came before there was a watch is told by the receiving thread too.
    return (wake, demand: hasRoom || isWatched)
  }

  /// - Returns: whether there was something to stop.
  mutating func cancel() -> (Wake, stop: Bool) {
    let stop = isOpen
    if stop || waiting { end = .cancelled }
    return (answer(), stop)
  }

  /// What arrived and was never read: a transfer that was cancelled still holds it.
  mutating func takeUnread() -> Data { unread.take() }

  private var isWatched: Bool {
    if case .read(_, _, let watch?) = waiter { watch.wants(unread.count) } else { false }
  }

  private var waiting: Bool { if case .none = waiter { false } else { true } }

  /// A reader that asked for more than the high-water mark gets it: it waits for nothing less.
  private var limit: Int {
    if case .read(_, let minimum, _) = waiter { max(minimum, Self.highWater) } else { Self.highWater }
  }

  private func headAnswer() -> Result<HTTPResponse, any Error>? {
    switch end {
    case .cancelled: .failure(CancellationError())
    case .failed(let error) where head == nil: .failure(error)
    default: head.map { .success($0) }
    }
  }

  /// Bytes that arrived before a failure are delivered before it.
  private func readAnswer(minimum: Int) -> Result<Data?, any Error>? {
    switch end {
    case .cancelled:
      return .failure(CancellationError())
    case .open:
      return unread.count >= max(minimum, 1) ? .success(unread.take()) : nil
    case .finished:
      return .success(unread.count > 0 ? unread.take() : nil)
    case .failed(let error):
      return unread.count > 0 ? .success(unread.take()) : .failure(error)
    }
  }

  private static let busy = HTTPError(
    .protocolError, "This body is being read by another task; a body can be read once, by one task.")
}
