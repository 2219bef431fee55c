/// What is known of the network: a way to wait for it, and whether its owner wants data saved. A struct of closures, so
/// that tests and apps put in their own.
///
/// A hint, never a condition: requests are not held back because the system believes that there is no network.
public struct NetworkReturn: Sendable {
  /// Suspends until there is a network: returns at once where there is one now, and when the task is cancelled (which
  /// the caller then sees by `Task.isCancelled`). Meant for a load that failed with `transport.offline`; the number of
  /// tries, not this, bounds how often it is repeated.
  ///
  /// On Linux it returns only when cancelled: no system service tells every program that the network is back.
  public var wait: @Sendable () async -> Void
  /// Whether the network is one whose owner asked to save data (Low Data Mode); the request's low-data alternative is
  /// loaded then. Always false on Linux, and on Apple's platforms until the system has said so.
  public var isConstrained: @Sendable () -> Bool

  public init(wait: @escaping @Sendable () async -> Void, isConstrained: @escaping @Sendable () -> Bool) {
    self.wait = wait
    self.isConstrained = isConstrained
  }

  /// Never returns before it is cancelled, never constrained.
  public static let never = NetworkReturn(wait: waitForCancellation, isConstrained: { false })

  private static func waitForCancellation() async {
    let (values, continuation) = AsyncStream<Never>.makeStream()
    for await _ in values {}
    // Kept to here: a stream whose continuation is gone may end by itself.
    continuation.finish()
  }
}
