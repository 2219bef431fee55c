/// Which node is being evaluated, so that what it reads can tell it of changes.
@MainActor enum Evaluation {
  static var current: Node?
}

extension Node {
  /// Runs user code on behalf of this node. State and `@Observable` properties it reads invalidate the node when they
  /// change, from whatever thread.
  ///
  /// The Observation module offers no way to take a tracking back: one from an earlier evaluation stays with its object
  /// until one of the properties read then changes, and costs a needless invalidation then.
  func tracking<Result>(_ body: () -> Result) -> Result {
    let outer = Evaluation.current
    Evaluation.current = self
    defer { Evaluation.current = outer }
    return withObservationTracking(body) { [weak self] in
      Node.invalidate(from: self)
    }
  }

  /// Invalidates from any thread, under the transaction of the calling thread.
  nonisolated static func invalidate(from node: Node?) {
    guard let node else { return }
    let transaction = Transaction.current
    onMain { [weak node] in node?.invalidate(transaction) }
  }
}

/// Now if the main actor runs here, else as soon as the main queue comes to it.
func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
  if MainQueue.isCurrent {
    MainActor.assumeIsolated(body)
  } else {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }
}

/// Knows whether the caller is on the main queue. The main *thread* alone does not say: where a program ends in
/// `dispatchMain()`, as an async `main` does, the queue is served by other threads.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
