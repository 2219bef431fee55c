import Foundation
import Synchronized

/// A door that a test opens once: what waits at it, task or thread, goes on then, and what comes later passes at once.
/// It makes "while the answer is still on its way" a state rather than a sleep.
///
/// ```swift
/// let gate = Gate()
/// let server = try ScriptedServer(routes: ["/slow.png": .data(png, type: "image/png").held(by: gate)])
/// let task = pipeline.task(for: ImageRequest(url: server.url("/slow.png")))
/// try await server.requests(for: "/slow.png")  // asked for, not answered
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var pipe: SignalPipe?
  }

  private let state = Locked(State())

  public init() {}

  public var isOpen: Bool { state.withLock { $0.isOpen } }

  public func open() {
    let (waiting, pipe) = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return (state.waiting.values, state.pipe)
    }
    pipe?.signal()
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when the gate is open.
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func wait() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let passes = state.withLock { state in
          guard !state.isOpen, !Task.isCancelled else { return true }
          state.waiting[id] = continuation
          return false
        }
        if passes { Task.isCancelled ? continuation.resume(throwing: CancellationError()) : continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
  }

  /// For threads that wait for several things at once: readable when the gate is open.
  func descriptor() -> Int32? {
    state.withLock { state in
      if state.pipe == nil { state.pipe = SignalPipe() }
      if state.isOpen { state.pipe?.signal() }
      return state.pipe?.descriptor
    }
  }
}
