import Synchronized
import VignetteTesting

@testable import Vignette

/// A view without a screen: carries out what `ImageLoadState` decides, as the views of the library do.
///
/// Invariant: what is decided under the lock is carried out under it, so that no two decisions change places.
final class SoakView: Sendable {
  private struct State {
    var load = ImageLoadState()
    var task: ImageTask?
  }

  private let pipeline: ImagePipeline
  private let state = Locked(State())

  init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Whether it shows a picture or a failure.
  var isSettled: Bool {
    state.withLock { if case .empty = $0.load.phase { false } else { true } }
  }

  func show(_ request: ImageRequest?, keepsPrevious: Bool) {
    change {
      _ = $0.setSource(
        request, policy: keepsPrevious ? .keepPrevious : .clear, now: pipeline.configuration.now(),
        lookUp: pipeline.cachedImage(for:))
    }
  }

  func change(_ transition: (inout ImageLoadState) -> Void) {
    state.withLock { state in
      transition(&state.load)
      carryOut(state.load.reconcile(), &state)
    }
  }

  private func carryOut(_ action: ImageLoadState.Action, _ state: inout State) {
    switch action {
    case .none: break
    case .cancel:
      state.task?.cancel()
      state.task = nil
    case .setPriority(let priority): state.task?.priority = priority
    case .start(let generation, let request):
      state.task?.cancel()
      let task = pipeline.task(for: request)
      state.task = task
      Task { [weak self] in
        let result: Result<ImageResponse, any Error>
        do { result = .success(try await task.response) } catch { result = .failure(error) }
        self?.change { _ = $0.finish(generation: generation, target: request.target, result) }
      }
    }
  }
}
