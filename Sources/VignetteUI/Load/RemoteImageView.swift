import Foundation
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// The one implementation behind every view of the family: a picture's phase, its content, and the size it is
/// offered. Uses nothing newer than iOS 13.
nonisolated struct RemoteImageView<Content: View>: View {
  private var remote: RemoteImage
  private let content: (RemoteImagePhase) -> Content

  init(_ source: RemoteImageSource, @ViewBuilder content: @escaping (RemoteImagePhase) -> Content) {
    remote = RemoteImage(source: source)
    self.content = content
  }

  @MainActor var body: some View {
    let model = remote.model
    ProposalReader(isActive: remote.source.takesSizeFromLayout) { width, height in
      remote.proposed(width: width, height: height)
    } content: {
      ProgressScope(model.progress, sources: model.sourceCount, content: content(remote.phase))
        .environment(\.imageRetry, ImageRetryAction { model.retry() })
    }
    .onAppear { model.appear() }
    .onDisappear { model.disappear() }
  }
}

/// A picture's load as a dynamic property: `update()` runs before every body, with the environment already known, so
/// that a picture in memory is in the very first one.
@MainActor
struct RemoteImage: DynamicProperty {
  let source: RemoteImageSource
  @State private(set) var model = RemoteImageModel()
  /// Counts phase changes: setting it asks for a new body, in whatever transaction is current.
  @State private var changes = 0
  @Environment(\.imagePipeline) private var pipeline
  @Environment(\.displayScale) private var displayScale
  @Environment(\.asyncImageTransition) private var transition
  @Environment(\.asyncImageDisappearance) private var disappearance
  @Environment(\.asyncImageRetry) private var retry
  @Environment(\.imageURLSession) private var session

  nonisolated init(source: RemoteImageSource) { self.source = source }

  nonisolated func update() {
    MainActor.assumeIsolated {
      let changes = $changes
      let surroundings = RemoteImageSurroundings(
        pipeline: pipeline, displayScale: displayScale, transition: transition, disappearance: disappearance,
        retry: retry, session: session)
      model.update(source, in: surroundings) { changes.wrappedValue &+= 1 }
    }
  }

  var phase: RemoteImagePhase {
    // Read so that the body depends on it.
    _ = changes
    return model.phase
  }

  func proposed(width: CGFloat?, height: CGFloat?) {
    model.proposed(width: width, height: height, displayScale: displayScale)
  }
}
