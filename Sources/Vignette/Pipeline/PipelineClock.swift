import Dispatch
import Foundation

/// Every notion of time and chance a pipeline has, as closures, so that tests need not wait or hope.
public struct PipelineClock: Sendable {
  /// The wall clock, by which freshness is judged.
  public var now: @Sendable () -> Date
  /// Seconds of a clock that only goes forward, by which waits and lifetimes are measured.
  public var uptime: @Sendable () -> Double
  /// Waits so many seconds. Throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Double) async throws -> Void
  /// Evenly spread in 0..<1; spreads retries.
  public var random: @Sendable () -> Double

  public init(
    now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Double) async throws -> Void, random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
    self.random = random
  }

  public static let system = PipelineClock(
    now: { Date() },
    uptime: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
    // Beyond about 30 years the conversion would overflow.
    sleep: { try await Task.sleep(nanoseconds: UInt64(min(max(0, $0.isNaN ? 0 : $0), 1e9) * 1e9)) },
    random: { Double.random(in: 0..<1) })
}
