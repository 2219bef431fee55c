#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread for code that blocks (sockets, event loops), which therefore must not run on the cooperative pool.
///
/// It ends when its body returns. `join()` waits for that; a thread that is never joined is detached when let go of.
package final class WorkerThread: Sendable {
  private enum State: Sendable {
    case running, joined
  }

  #if canImport(Darwin)
    // guard: written once in init, before the object can be shared.
    private nonisolated(unsafe) let handle: pthread_t?
  #else
    private let handle: pthread_t
  #endif
  private let state = Locked(State.running)

  /// - Returns: `nil` where the system has no thread to give.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, nil, { run($0) }, box.toOpaque())
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { run($0) }, box.toOpaque())
    #endif
    handle = thread
    guard status == 0 else {
      box.release()
      state.withLock { $0 = .joined }
      return nil
    }
  }

  deinit {
    guard takeHandle() else { return }
    #if canImport(Darwin)
      if let handle { pthread_detach(handle) }
    #else
      pthread_detach(handle)
    #endif
  }

  /// Waits until the body has returned; a second call returns at once. Must not be called on the thread itself.
  package func join() {
    guard takeHandle() else { return }
    #if canImport(Darwin)
      if let handle { pthread_join(handle, nil) }
    #else
      pthread_join(handle, nil)
    #endif
  }

  private func takeHandle() -> Bool {
    state.withLock { state in
      defer { state = .joined }
      return state == .running
    }
  }
}

private final class Box: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
  return nil
}
