import Foundation
import HTTPCaching
import Synchronized
import Vignette

/// A clock that stands still until a test moves it: the time of day, and the waits of a pipeline.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock.pipeline
/// let task = ImagePipeline(configuration: configuration).task(for: request)
/// await clock.sleeping(1)  // the load has failed once and waits for its second try
/// clock.advance(by: 30)
/// ```
/// Invariants: whoever sleeps is resumed exactly once, by `advance` or by the cancellation of its task; waits are
/// measured by time that only goes forward, so setting the clock back ends none and lengthens none.
public final class ManualClock: Sendable {
  private struct Sleeper {
    let deadline: Double
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var date: Date
    /// Seconds gone forward so far.
    var uptime = 0.0
    var lastID: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Those whose time has come.
    mutating func wake() -> [CheckedContinuation<Void, any Error>] {
      let due = sleepers.filter { $0.value.deadline <= uptime }
      for id in due.keys { sleepers[id] = nil }
      return due.values.map(\.continuation)
    }

    mutating func watchersDue() -> [CheckedContinuation<Void, Never>] {
      let due = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
      watchers.removeAll { $0.count <= sleepers.count }
      return due
    }
  }

  private let state: Locked<State>

  /// - Parameter now: default 2026-01-01 00:00:00 UTC.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) { state = Locked(State(date: now)) }

  public var now: Date { state.withLock { $0.date } }

  /// - Parameter seconds: negative to go back, as clocks that are set do.
  public func advance(by seconds: Double) {
    let due = state.withLock { state in
      state.date += seconds
      state.uptime += max(0, seconds)
      return state.wake()
    }
    for continuation in due { continuation.resume() }
  }

  /// What a loader is given.
  public var wall: WallClock { WallClock { self.now } }

  // MARK: Waits

  /// What a pipeline is given: its waits last until the clock has been moved past them. Chance is always one half.
  public var pipeline: PipelineClock {
    PipelineClock(
      now: { self.now }, uptime: { self.state.withLock { $0.uptime } }, sleep: { try await self.sleep($0) },
      random: { 0.5 })
  }

  /// How many wait now.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Returns once so many wait at the same time.
  public func sleeping(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        guard state.sleepers.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  /// Waits until the clock has gone forward by so many seconds; not at all for 0, less, or what is no number.
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(_ seconds: Double) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        begin(id, seconds, continuation)
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }

  private func begin(_ id: UInt64, _ seconds: Double, _ continuation: CheckedContinuation<Void, any Error>) {
    let (isAwake, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
      guard seconds > 0, !Task.isCancelled else { return (true, []) }
      state.sleepers[id] = Sleeper(deadline: state.uptime + seconds, continuation: continuation)
      return (false, state.watchersDue())
    }
    for watcher in watchers { watcher.resume() }
    guard isAwake else { return }
    continuation.resume(with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
  }
}
