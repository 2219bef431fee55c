#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// What becomes of the load of `CachedAsyncImage` and its family when the view leaves the screen before it has ended.
public enum AsyncImageDisappearance: Hashable, Sendable {
  /// It is cancelled, and begins again when the view returns. The default.
  case cancel
  /// It goes on behind everything that is visible, and comes first again when the view returns.
  case lowerPriority
}

private struct AsyncImageDisappearanceKey: EnvironmentKey {
  static var defaultValue: AsyncImageDisappearance { .cancel }
}

extension EnvironmentValues {
  /// What becomes of a load whose view leaves the screen. Default `.cancel`.
  public var asyncImageDisappearance: AsyncImageDisappearance {
    get { self[AsyncImageDisappearanceKey.self] }
    set { self[AsyncImageDisappearanceKey.self] = newValue }
  }
}

extension View {
  /// Sets what becomes of the loads of the views below when they leave the screen.
  public func asyncImageDisappearance(_ disappearance: AsyncImageDisappearance) -> some View {
    environment(\.asyncImageDisappearance, disappearance)
  }
}
