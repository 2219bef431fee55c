import Foundation

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

private struct ImageURLSessionKey: EnvironmentKey {
  static var defaultValue: URLSession? { nil }
}

extension EnvironmentValues {
  /// The session that http and https pictures of the views below are fetched through. Default `nil`: the pipeline's
  /// loader.
  public var imageURLSession: URLSession? {
    get { self[ImageURLSessionKey.self] }
    set { self[ImageURLSessionKey.self] = newValue }
  }
}

extension View {
  /// Fetches the http and https pictures of the views below through this session: with its credentials, cookies,
  /// proxies and protocol classes.
  ///
  /// Each session has its own pictures and its own HTTP cache, in memory; nothing is shared with another session, or
  /// with none. Keep one session and give that: a new one for every body would load every picture again. A request that
  /// has a session of its own keeps it.
  ///
  /// - Parameter session: `nil` returns to the pipeline's loader.
  public func imageURLSession(_ session: URLSession?) -> some View {
    environment(\.imageURLSession, session)
  }
}
