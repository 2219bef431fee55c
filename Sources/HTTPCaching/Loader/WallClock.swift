import Foundation

/// The time of day, as HTTP's dates and ages mean it. Tests give their own.
public struct WallClock: Sendable {
  public var now: @Sendable () -> Date

  public init(now: @escaping @Sendable () -> Date) { self.now = now }

  public static let system = WallClock { Date() }
}
