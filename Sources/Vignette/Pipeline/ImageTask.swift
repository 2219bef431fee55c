import HTTPCaching
import Synchronized

/// A load under way that can be watched, made more or less urgent, and cancelled.
///
/// It begins when it is made. Letting go of it does not cancel it; its result then goes to memory alone.
public final class ImageTask: Sendable {
  public let request: ImageRequest
  private let urgency: LivePriority
  private let task: Task<ImageResponse, any Error>
  private let latest: Locked<HTTPProgress?>

  fileprivate init(
    _ request: ImageRequest, pipeline: ImagePipeline, report: (@Sendable (HTTPProgress) -> Void)?
  ) {
    self.request = request
    let urgency = LivePriority(request.priority)
    let latest = Locked<HTTPProgress?>(nil)
    self.urgency = urgency
    self.latest = latest
    task = Task {
      try await pipeline.image(for: request, urgency: .live(urgency)) { progress in
        latest.withLock { $0 = progress }
        report?(progress)
      }
    }
  }

  /// How soon it is wanted. Setting it moves the work in every queue it waits in, and the transfer where that is
  /// possible, unless somebody else wants the same work more.
  public var priority: ImagePriority {
    get { urgency.value }
    set { urgency.set(newValue) }
  }

  /// Bytes received and expected; `nil` before anything has arrived.
  public var progress: HTTPProgress? { latest.withLock { $0 } }

  /// Throws `ImageLoadingError`, or `CancellationError` once `cancel` was called. Cancelling the task that waits here
  /// does not cancel the load.
  public var response: ImageResponse {
    get async throws { try await task.value }
  }

  public func cancel() { task.cancel() }
}

extension ImagePipeline {
  /// Begins to load a picture.
  ///
  /// - Parameter report: bytes received and expected, from any thread, while the source downloads.
  public func task(
    for request: ImageRequest, report: (@Sendable (HTTPProgress) -> Void)? = nil
  ) -> ImageTask {
    ImageTask(request, pipeline: self, report: report)
  }
}
