#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// What `CachedAsyncImage` and its family show between one picture and the next, while the next one loads.
///
/// A next picture that is in memory replaces the old one at once either way, and so does the phase of a `nil` URL.
public enum AsyncImageTransition: Hashable, Sendable {
  /// The empty phase, as the documentation of Apple's view has it. The default.
  case clear
  /// The old picture, until the new one or its failure is there.
  case keepPrevious
}

private struct AsyncImageTransitionKey: EnvironmentKey {
  static var defaultValue: AsyncImageTransition { .clear }
}

extension EnvironmentValues {
  /// What views below show while another picture loads. Default `.clear`.
  public var asyncImageTransition: AsyncImageTransition {
    get { self[AsyncImageTransitionKey.self] }
    set { self[AsyncImageTransitionKey.self] = newValue }
  }
}

extension View {
  /// Sets what the views below show while another picture loads.
  public func asyncImageTransition(_ transition: AsyncImageTransition) -> some View {
    environment(\.asyncImageTransition, transition)
  }
}
