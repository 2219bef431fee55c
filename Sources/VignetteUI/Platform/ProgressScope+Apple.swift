#if canImport(Darwin)
  import SwiftUI

  /// How far one view's load has come.
  @MainActor
  final class ProgressSource {
    private var latest: AsyncImageProgress?
    /// Asks for a new body of the scope.
    fileprivate var invalidate: @MainActor () -> Void = {}

    nonisolated init() {}

    var value: AsyncImageProgress? {
      get { latest }
      set {
        guard newValue != latest else { return }
        latest = newValue
        invalidate()
      }
    }

    /// The view's body is about to be evaluated for another source: state must not be set now, and need not be.
    func reset() { latest = nil }
  }

  /// Gives the content the progress. Its own body is all that a change evaluates, for the content is a finished value:
  /// of what is in that, SwiftUI evaluates what reads the changed part of the environment.
  struct ProgressScope<Content: View>: View {
    private let source: ProgressSource
    /// Differs where `source` was reset, so that the body is evaluated.
    private let sources: Int
    private let content: Content
    @State private var changes = 0

    /// - Parameter sources: how many sources the view has had.
    init(_ source: ProgressSource, sources: Int, content: Content) {
      self.source = source
      self.sources = sources
      self.content = content
    }

    var body: some View {
      // Read so that the body depends on it.
      _ = changes
      let changes = $changes
      source.invalidate = { changes.wrappedValue &+= 1 }
      return content.environment(\.asyncImageProgress, source.value)
    }
  }

  private struct AsyncImageProgressKey: EnvironmentKey {
    static var defaultValue: AsyncImageProgress? { nil }
  }

  extension EnvironmentValues {
    /// Inside the content of `CachedAsyncImage` and its family: how much of the picture has arrived, while it loads;
    /// `nil` before the first bytes and after the last. Changes ten times a second at most, and evaluates the bodies
    /// that read it again, no others.
    public internal(set) var asyncImageProgress: AsyncImageProgress? {
      get { self[AsyncImageProgressKey.self] }
      set { self[AsyncImageProgressKey.self] = newValue }
    }
  }
#endif
