#if !canImport(Darwin)
  import Glibc
  import Synchronized

  /// Waits for SIGINT or SIGTERM, which from then on no longer end the process by themselves.
  ///
  /// The handler does the one thing that handlers may: it writes to a pipe.
  struct EndSignals: Sendable {
    private static let handled = [SIGINT, SIGTERM]
    // guard: written before the handler is installed, and only read from then on.
    private nonisolated(unsafe) static var writeEnd: Int32 = -1
    private let readEnd: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      _ = pipe(&ends)
      readEnd = ends[0]
      Self.writeEnd = ends[1]
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        let saved = errno
        var byte: UInt8 = 0
        _ = write(EndSignals.writeEnd, &byte, 1)
        errno = saved
      }
      for signal in Self.handled { sigaction(signal, &action, nil) }
    }

    /// Returns when the first has come. A thread of its own waits for it, with both signals let through: whoever
    /// started the process may have blocked them.
    func first() async {
      await withCheckedContinuation { continuation in
        let thread = WorkerThread { [readEnd] in
          var signals = sigset_t()
          sigemptyset(&signals)
          for signal in Self.handled { sigaddset(&signals, signal) }
          pthread_sigmask(SIG_UNBLOCK, &signals, nil)
          var byte: UInt8 = 0
          while read(readEnd, &byte, 1) < 0 && errno == EINTR {}
          continuation.resume()
        }
        if thread == nil { continuation.resume() }
      }
    }
  }
#endif
