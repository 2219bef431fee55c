import Foundation
import ImageCodecs
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// Carries out what `ImageLoadState` decides for one view: starts and cancels the load, keeps the `Image` of the
/// current phase, and asks for a new body when the phase changes.
///
/// One model lives as long as its view's identity. It never asks for a new body from inside `update`, which runs just
/// before one anyway: that is what makes the first body of a picture in memory already right.
@MainActor
final class RemoteImageModel {
  private var state = ImageLoadState()
  private var pipeline: ImagePipeline?
  /// What layout offered last: another source begins with it.
  private var offered: DecodeTarget?
  private var transaction = Transaction()
  private var scale: CGFloat = 1
  private var load: ImageTask?
  private var loadGeneration = 0
  /// How far the load has come, for the content.
  let progress = ProgressSource()
  private var progressNumber = 0
  /// How many sources the view has had.
  private(set) var sourceCount = 0
  /// Waits for the network to come back after a failure for want of it.
  private var reconnection: Task<Void, Never>?
  /// Loads begun because the network came back, since the last success or appearance: what calls itself a network and
  /// is none must not have the picture loaded again and again.
  private var reconnections = 0
  private static let mostReconnections = 3
  private var disappearance = AsyncImageDisappearance.cancel
  private var shown: Shown?
  /// Asks for a new body.
  private var invalidate: @MainActor () -> Void = {}

  private struct Shown {
    let picture: ImageLoadState.Shown
    let scale: CGFloat
    let image: Image
  }

  nonisolated init() {}

  /// The phase to show now. Making the `Image` of a picture happens once.
  var phase: RemoteImagePhase {
    switch state.phase {
    case .empty: .empty
    case .failure(let error): .failure(error)
    case .success(let picture): .success(image(for: picture))
    }
  }

  /// What the view and its surroundings say before its body is evaluated.
  func update(
    _ source: RemoteImageSource, in surroundings: RemoteImageSurroundings,
    invalidate: @escaping @MainActor () -> Void
  ) {
    let pipeline = surroundings.pipeline
    let isOtherPipeline = self.pipeline !== pipeline
    let request = surroundings.completing(source.request)
    let isOtherSource = !state.isAbout(request)
    self.pipeline = pipeline
    self.invalidate = invalidate
    disappearance = surroundings.disappearance
    transaction = source.transaction
    // A scale that is no length means one pixel a point, as it does for `Image`.
    scale = source.scale > 0 && source.scale.isFinite ? source.scale : 1
    if isOtherPipeline { state.forgetSource() }
    if isOtherPipeline || isOtherSource { beginSource() }
    if isOtherSource { state.resetTarget(to: source.takesSizeFromLayout ? offered : nil) }
    if let target = source.fixedTarget(displayScale: surroundings.displayScale) { state.want(target) }
    _ = state.setSource(
      request, policy: surroundings.transition == .keepPrevious ? .keepPrevious : .clear,
      now: pipeline.configuration.now(), lookUp: pipeline.cachedImage(for:))
    reconcile()
  }

  private func beginSource() {
    sourceCount += 1
    reconnections = 0
    progress.reset()
  }

  /// Layout offers this many points; `nil` or an infinite value for an axis it leaves open.
  func proposed(width: CGFloat?, height: CGFloat?, displayScale: CGFloat) {
    let target = DecodeTarget.covering(
      width: width.map { $0 * displayScale }, height: height.map { $0 * displayScale })
    offered = target
    state.want(target)
    reconcile()
  }

  func appear() {
    reconnections = 0
    state.appear()
    reconcile()
  }

  func disappear() {
    reconnection?.cancel()
    state.disappear(disappearance == .lowerPriority ? .lowerPriority : .cancel)
    reconcile()
  }

  func retry() {
    if state.retry() { changed() }
    reconcile()
  }

  private func reconcile() {
    switch state.reconcile() {
    case .none: break
    case .cancel:
      load?.cancel()
      load = nil
      progress.value = nil
    case .start(let generation, let request):
      load?.cancel()
      start(generation, request)
    case .setPriority(let priority): load?.priority = priority
    }
  }

  private func start(_ generation: Int, _ request: ImageRequest) {
    guard let pipeline else { return }
    reconnection?.cancel()
    loadGeneration = generation
    progressNumber = 0
    let reporter = ProgressReporter(uptime: pipeline.configuration.clock.uptime) { [weak self] number, progress in
      self?.progressed(generation, number, progress)
    }
    let load = pipeline.task(for: request, report: reporter.report)
    self.load = load
    // The view going away releases the model, which cancels the load.
    Task { [weak self] in
      let result: Result<ImageResponse, any Error>
      do {
        result = .success(try await load.response)
      } catch {
        result = .failure(error)
      }
      self?.finish(generation, request, result)
    }
  }

  private func progressed(_ generation: Int, _ number: Int, _ progress: AsyncImageProgress) {
    guard load != nil, generation == loadGeneration, number > progressNumber else { return }
    progressNumber = number
    self.progress.value = progress
  }

  private func finish(_ generation: Int, _ request: ImageRequest, _ result: Result<ImageResponse, any Error>) {
    if generation == loadGeneration {
      load = nil
      progress.value = nil
    }
    if state.finish(generation: generation, target: request.target, result) { changed() }
    if case .success = state.phase { reconnections = 0 }
    reconcile()
    if case .failure(let error) = state.phase, error.code == .offline { retryWhenConnected() }
  }

  private func retryWhenConnected() {
    guard let network = pipeline?.configuration.network, reconnections < Self.mostReconnections else { return }
    reconnections += 1
    reconnection?.cancel()
    reconnection = Task { [weak self] in
      await network.wait()
      guard !Task.isCancelled, let self else { return }
      if state.retry(reloads: false) { changed() }
      reconcile()
    }
  }

  private func changed() {
    withTransaction(transaction) { invalidate() }
  }

  private func image(for picture: ImageLoadState.Shown) -> Image {
    if let shown, shown.scale == scale, shown.picture.bitmap.isIdentical(to: picture.bitmap) { return shown.image }
    let image = Image(picture, scale: scale)
    shown = Shown(picture: picture, scale: scale, image: image)
    return image
  }

  deinit {
    load?.cancel()
    reconnection?.cancel()
  }
}
