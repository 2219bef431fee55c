import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

private struct AsyncImageRetryKey: EnvironmentKey {
  static var defaultValue: RetryPolicy? { nil }
}

extension EnvironmentValues {
  /// How often a failed transfer of the views below is tried again. Default `nil`: as their pipeline says.
  public var asyncImageRetry: RetryPolicy? {
    get { self[AsyncImageRetryKey.self] }
    set { self[AsyncImageRetryKey.self] = newValue }
  }
}

extension View {
  /// Sets how often a failed transfer of the views below is tried again, from their next load on. A request that has a
  /// policy of its own keeps it.
  ///
  /// - Parameter policy: `nil` leaves it to the pipeline.
  public func asyncImageRetry(_ policy: RetryPolicy?) -> some View {
    environment(\.asyncImageRetry, policy)
  }
}
