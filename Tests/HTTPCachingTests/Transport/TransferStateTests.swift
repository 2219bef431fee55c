import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

/// Drives both ends by hand: what is full, what wakes whom, and what comes first when ends race.
@Suite("The two ends of a transfer", .timeLimit(.minutes(5)))
struct TransferStateTests {
  private let channel = TransferChannel()
  private let url = URL(fileURLWithPath: "/")

  private func append(_ count: Int) -> TransferState.Appended {
    Data(count: count).withUnsafeBytes { channel.append($0) }
  }

  private func deliverHead(expected: Int? = nil) {
    channel.deliver(HTTPResponse(url: url, status: 200), expected: expected)
    channel.flush()
  }

  @Test("bytes are refused once 256 KiB are unread, and asked for again when they have been read")
  func highWater() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: TransferReader.Signal.self)
    let reader = TransferReader(channel) { continuation.yield($0) }
    deliverHead()
    #expect(append(256 << 10) == .taken)
    #expect(append(1) == .full)
    #expect(try await reader.read(minimum: 1, expected: 0)?.count == 256 << 10)
    var iterator = signals.makeAsyncIterator()
    #expect(await iterator.next() == .demand)
    #expect(append(1) == .taken)
    channel.finish()
    #expect(try await reader.read(minimum: 1, expected: 0)?.count == 1)
    #expect(try await reader.read(minimum: 1, expected: 0) == nil)
  }

  @Test("a reader that wants it all is woken once, at the end")
  func collecting() async throws {
    let reader = TransferReader(channel) { _ in }
    deliverHead(expected: 3 << 20)
    async let whole = reader.read(minimum: .max, expected: 3 << 20)
    // Until the reader waits, the channel may be full; then it takes everything.
    var left = 3
    while left > 0 {
      if append(1 << 20) == .taken { left -= 1 } else { await Task.yield() }
      channel.flush()
    }
    channel.finish()
    channel.flush()
    var count = try await whole?.count ?? 0
    while let more = try await reader.read(minimum: .max, expected: 0) { count += more.count }
    #expect(count == 3 << 20)
  }

  @Test("a reader that watches hears of every step, in order, from the receiving end, and of nothing after the end")
  func watching() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: TransferReader.Signal.self)
    let (counts, told) = AsyncStream.makeStream(of: Int.self)
    let reader = TransferReader(channel) { continuation.yield($0) }
    deliverHead()
    // Here before anybody watches: the receiving end is asked to tell of it.
    #expect(append(30) == .taken)
    channel.flush()
    let watch = TransferState.Watch(step: 10) { told.yield($0) }
    async let whole = reader.read(minimum: .max, expected: 100, watch: watch)
    var iterator = signals.makeAsyncIterator()
    #expect(await iterator.next() == .demand)
    channel.flush()
    for count in [9, 1, 25] {
      #expect(append(count) == .taken)
      channel.flush()
    }
    #expect(append(50) == .taken)
    channel.finish()
    channel.flush()
    #expect(try await whole?.count == 115)
    told.finish()
    #expect(await counts.reduce(into: []) { $0.append($1) } == [30, 40, 65])
  }

  @Test("a body that is collected with progress is gathered in one piece")
  func collectingWithProgress() async throws {
    let reader = TransferReader(channel) { _ in }
    let (counts, told) = AsyncStream.makeStream(of: HTTPProgress.self)
    deliverHead(expected: 1 << 20)
    async let whole = HTTPBody(reader).collect(expected: 1 << 20) { told.yield($0) }
    var left = 16
    while left > 0 {
      if append(64 << 10) == .taken { left -= 1 } else { await Task.yield() }
      channel.flush()
    }
    channel.finish()
    channel.flush()
    #expect(try await whole.count == 1 << 20)
    told.finish()
    let seen = await counts.reduce(into: []) { $0.append($1) }
    #expect(seen.last == HTTPProgress(received: 1 << 20, expected: 1 << 20))
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.received <= $1.received })
  }

  @Test("bytes that came before a failure are delivered before it")
  func failureAfterBytes() async throws {
    let reader = TransferReader(channel) { _ in }
    deliverHead()
    _ = append(5)
    channel.finish(HTTPError(.reset, "broken"))
    #expect(try await reader.read(minimum: 100, expected: 0)?.count == 5)
    await #expect(throws: HTTPError.self) { try await reader.read(minimum: 1, expected: 0) }
  }

  @Test("what came before a cancellation can still be taken, once, and nothing is added to it")
  func unreadAfterCancellation() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: TransferReader.Signal.self)
    let reader = TransferReader(channel) { continuation.yield($0) }
    deliverHead(expected: 1000)
    let taken = Locked(Data())
    let task = Task {
      try await HTTPBody(reader).collect(limit: .max, expected: 1000, progress: { _ in }) { data, error in
        #expect(error is CancellationError)
        taken.withLock { $0 = data }
      }
    }
    #expect(append(700) == .taken)
    channel.flush()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(append(300) == .taken)
    #expect(taken.withLock { $0 } == Data(count: 700) && reader.takeUnread().isEmpty)
    continuation.finish()
    #expect(await signals.reduce(into: 0) { $0 += $1 == .cancel ? 1 : 0 } == 1)
  }

  @Test("the first end counts")
  func firstEnd() async throws {
    let reader = TransferReader(channel) { _ in }
    deliverHead()
    channel.finish()
    channel.finish(HTTPError(.reset, "late"))
    #expect(try await reader.read(minimum: 1, expected: 0) == nil)
  }

  @Test("a failure before the head is the head's")
  func failureBeforeHead() async throws {
    let reader = TransferReader(channel) { _ in }
    channel.finish(HTTPError(.refused, "no"))
    await #expect(throws: HTTPError.self) { try await reader.head() }
  }

  @Test("letting go signals once, and not after the end")
  func lettingGo() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: TransferReader.Signal.self)
    var reader: TransferReader? = TransferReader(channel) { continuation.yield($0) }
    deliverHead()
    _ = reader
    reader = nil
    #expect(channel.isCancelled)
    let second = TransferChannel()
    var finished: TransferReader? = TransferReader(second) { _ in continuation.yield(.demand) }
    _ = finished
    second.finish()
    finished = nil
    continuation.finish()
    #expect(await signals.reduce(into: []) { $0.append($1) } == [.cancel])
  }
}
