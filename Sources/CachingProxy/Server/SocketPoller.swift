import Dispatch
import Glibc
import Synchronized

/// Tells tasks when their sockets are ready; one thread polls for all of them, so that a slow client holds no thread.
///
/// Invariants: a waiter is resumed exactly once, by whoever takes it out of the table; a descriptor stays open while it
/// is waited for, because its `Socket` waits.
final class SocketPoller: Sendable {
  enum Outcome: Sendable {
    case ready, timedOut, cancelled
  }

  private let core: Core
  private let thread: WorkerThread

  /// - Returns: `nil` where the system has no descriptors or threads left.
  init?() {
    guard let core = Core(), let thread = WorkerThread({ core.run() }) else { return nil }
    self.core = core
    self.thread = thread
  }

  deinit { core.close() }

  /// Waits until the descriptor has one of the events (`POLLIN`, `POLLOUT`), or its end.
  /// - Parameter seconds: longest wait; `nil` for none.
  func wait(for events: Int32, of descriptor: Int32, seconds: Double?) async -> Outcome {
    let id = core.nextID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        core.add(id, Core.Waiter(descriptor, Int16(events), seconds, continuation))
      }
    } onCancel: {
      core.cancel(id)
    }
  }
}

extension SocketPoller {
  /// What the thread and those who wait share.
  fileprivate final class Core: Sendable {
    struct Waiter {
      let descriptor: Int32
      let events: Int16
      let deadline: UInt64
      let continuation: CheckedContinuation<Outcome, Never>

      init(
        _ descriptor: Int32, _ events: Int16, _ seconds: Double?, _ continuation: CheckedContinuation<Outcome, Never>
      ) {
        self.descriptor = descriptor
        self.events = events
        deadline = seconds.map { DispatchTime.now().uptimeNanoseconds + UInt64(max($0, 0) * 1e9) } ?? .max
        self.continuation = continuation
      }
    }

    private struct State {
      var waiters: [UInt64: Waiter] = [:]
      var lastID: UInt64 = 0
      var isClosed = false
    }

    private let state = Locked(State())
    /// Readable when there is something new to look at.
    private let wakeUp: (read: Int32, write: Int32)

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { end.neverBlocks() }
      wakeUp = (ends[0], ends[1])
    }

    deinit {
      Glibc.close(wakeUp.read)
      Glibc.close(wakeUp.write)
    }

    func nextID() -> UInt64 {
      state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
    }

    func add(_ id: UInt64, _ waiter: Waiter) {
      let isWaiting = state.withLock { state in
        // A task that was cancelled before has called `cancel` before too, which found nothing.
        guard !state.isClosed, !Task.isCancelled else { return false }
        state.waiters[id] = waiter
        return true
      }
      if isWaiting { wake() } else { waiter.continuation.resume(returning: .cancelled) }
    }

    func cancel(_ id: UInt64) {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(returning: .cancelled)
      if waiter != nil { wake() }
    }

    func close() {
      let waiters = state.withLock { state in
        defer { state.waiters = [:] }
        state.isClosed = true
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.continuation.resume(returning: .cancelled) }
      wake()
    }

    private func wake() {
      var byte: UInt8 = 0
      // A full pipe wakes as well.
      _ = write(wakeUp.write, &byte, 1)
    }

    // MARK: The thread

    func run() {
      var ids: [UInt64] = []
      var watched: [pollfd] = []
      while true {
        guard let milliseconds = prepare(&ids, &watched) else { return }
        let count = poll(&watched, nfds_t(watched.count), milliseconds)
        guard count >= 0 else { continue }
        if watched[0].revents != 0 { drainPipe() }
        var finished = zip(ids, watched.dropFirst()).filter { $0.1.revents != 0 }.map { ($0.0, Outcome.ready) }
        finished += expired().map { ($0, .timedOut) }
        for (id, outcome) in finished {
          state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: outcome)
        }
      }
    }

    /// - Returns: how long to sleep, in milliseconds, -1 for ever; `nil` at the end.
    private func prepare(_ ids: inout [UInt64], _ watched: inout [pollfd]) -> Int32? {
      ids.removeAll(keepingCapacity: true)
      watched.removeAll(keepingCapacity: true)
      watched.append(pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0))
      return state.withLock { state in
        guard !state.isClosed else { return nil }
        var deadline = UInt64.max
        for (id, waiter) in state.waiters {
          ids.append(id)
          watched.append(pollfd(fd: waiter.descriptor, events: waiter.events, revents: 0))
          deadline = min(deadline, waiter.deadline)
        }
        guard deadline < .max else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
      }
    }

    private func expired() -> [UInt64] {
      let now = DispatchTime.now().uptimeNanoseconds
      return state.withLock { $0.waiters.filter { $0.value.deadline <= now }.map(\.key) }
    }

    private func drainPipe() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(wakeUp.read, &bytes, bytes.count) == bytes.count {}
    }
  }
}
