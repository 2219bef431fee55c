import Foundation
import HTTPCaching
import Synchronized

/// A wall clock that stands still until it is moved.
public final class ManualClock: Sendable {
  private let time: Locked<Date>

  /// - Parameter now: default 2026-01-01 00:00:00 UTC.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) { time = Locked(now) }

  public var now: Date { time.withLock { $0 } }

  /// - Parameter seconds: negative to go back, as clocks that are set do.
  public func advance(by seconds: Double) { time.withLock { $0 += seconds } }

  /// What a loader is given.
  public var wall: WallClock { WallClock { self.now } }
}
