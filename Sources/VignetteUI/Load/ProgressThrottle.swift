import HTTPCaching
import Synchronized

/// Which reports of a transfer are worth drawing: the first, the last, and those between that come a tenth of a second
/// after the one before and, where the length is known, are two per cent on. Pure; told the time.
struct ProgressThrottle {
  /// Seconds.
  static let interval = 0.1
  /// Of the whole length.
  static let step = 0.02

  private var last: (progress: AsyncImageProgress, time: Double)?

  /// - Parameter time: seconds of a clock that only goes forward.
  mutating func admits(_ progress: AsyncImageProgress, at time: Double) -> Bool {
    guard let last else { return admit(progress, time) }
    guard progress != last.progress else { return false }
    if progress.receivedBytes == progress.expectedBytes { return admit(progress, time) }
    guard time - last.time >= Self.interval else { return false }
    if let expected = progress.expectedBytes, expected > 0, expected == last.progress.expectedBytes {
      // In bytes: the difference of two fractions is not exact.
      let step = abs(Double(progress.receivedBytes) - Double(last.progress.receivedBytes))
      guard step >= Double(expected) * Self.step else { return false }
    }
    return admit(progress, time)
  }

  private mutating func admit(_ progress: AsyncImageProgress, _ time: Double) -> Bool {
    last = (progress, time)
    return true
  }
}

/// Takes one transfer's reports on any thread, and hands those worth drawing to the main actor with their number: a
/// lower one that comes later is out of date.
final class ProgressReporter: Sendable {
  private let uptime: @Sendable () -> Double
  private let deliver: @MainActor @Sendable (_ number: Int, AsyncImageProgress) -> Void
  private let state = Locked((throttle: ProgressThrottle(), number: 0))

  init(
    uptime: @escaping @Sendable () -> Double,
    deliver: @escaping @MainActor @Sendable (_ number: Int, AsyncImageProgress) -> Void
  ) {
    self.uptime = uptime
    self.deliver = deliver
  }

  func report(_ progress: HTTPProgress) {
    let progress = AsyncImageProgress(progress)
    let time = uptime()
    let number = state.withLock { state -> Int? in
      guard state.throttle.admits(progress, at: time) else { return nil }
      state.number += 1
      return state.number
    }
    guard let number else { return }
    Task { @MainActor [deliver] in deliver(number, progress) }
  }
}
