import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

private struct ImagePipelineKey: EnvironmentKey {
  static var defaultValue: ImagePipeline { .shared }
}

private struct ImageRetryKey: EnvironmentKey {
  static var defaultValue: ImageRetryAction { ImageRetryAction {} }
}

extension EnvironmentValues {
  /// The pipeline that views below load through. Default `ImagePipeline.shared`.
  public var imagePipeline: ImagePipeline {
    get { self[ImagePipelineKey.self] }
    set { self[ImagePipelineKey.self] = newValue }
  }

  /// Inside the content of `CachedAsyncImage` and its family: loads the picture again after a failure.
  public internal(set) var imageRetry: ImageRetryAction {
    get { self[ImageRetryKey.self] }
    set { self[ImageRetryKey.self] = newValue }
  }
}

extension View {
  /// Makes the views below load through `pipeline`.
  public func imagePipeline(_ pipeline: ImagePipeline) -> some View {
    environment(\.imagePipeline, pipeline)
  }
}

/// Loads a failed picture again. Read it from the environment inside a view's content and call it:
/// `@Environment(\.imageRetry) var retry` … `Button("Retry") { retry() }`. Does nothing unless the phase is a failure.
@MainActor
public struct ImageRetryAction {
  private let action: @MainActor () -> Void

  nonisolated init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  public func callAsFunction() { action() }
}
