#if !canImport(Darwin)
  import EaselCore
  import Observation
  import Synchronized

  /// How far one view's load has come.
  ///
  /// Easel evaluates everything below a changed environment; so the environment carries this object, which never
  /// changes, and whoever reads its value is evaluated again when that does, and nobody else.
  final class ProgressSource: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let latest = Locked<AsyncImageProgress?>(nil)

    var value: AsyncImageProgress? {
      get {
        registrar.access(self, keyPath: \.value)
        return latest.withLock { $0 }
      }
      set {
        guard latest.withLock({ $0 }) != newValue else { return }
        registrar.withMutation(of: self, keyPath: \.value) { latest.withLock { $0 = newValue } }
      }
    }

    /// The view's body is about to be evaluated for another source.
    func reset() { value = nil }
  }

  /// Gives the content a view of the progress.
  struct ProgressScope<Content: View>: View {
    let source: ProgressSource
    let content: Content

    /// - Parameter sources: how many sources the view has had.
    init(_ source: ProgressSource, sources: Int, content: Content) {
      self.source = source
      self.content = content
    }

    var body: some View { content.environment(\.progressSource, source) }
  }

  private struct ProgressSourceKey: EnvironmentKey {
    static var defaultValue: ProgressSource? { nil }
  }

  extension EnvironmentValues {
    fileprivate var progressSource: ProgressSource? {
      get { self[ProgressSourceKey.self] }
      set { self[ProgressSourceKey.self] = newValue }
    }

    /// Inside the content of `CachedAsyncImage` and its family: how much of the picture has arrived, while it loads;
    /// `nil` before the first bytes and after the last. Changes ten times a second at most, and evaluates the bodies
    /// that read it again, no others.
    public var asyncImageProgress: AsyncImageProgress? { progressSource?.value }
  }
#endif
