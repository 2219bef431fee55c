#if !canImport(Darwin)
  internal import CCurl
  import Foundation
  import Synchronized

  /// The event thread seen from outside: a place to post commands. The thread ends when this is let go of.
  final class CurlThread: Sendable {
    private let inbox: CurlInbox

    init(_ configuration: CurlTransport.Configuration) {
      let inbox = CurlInbox()
      self.inbox = inbox
      let thread = WorkerThread {
        guard let loop = CurlLoop(inbox, configuration: configuration) else { return inbox.close() }
        loop.run()
      }
      // Not joined: the last body may be let go of on the event thread itself.
      if thread == nil { inbox.close() }
    }

    deinit { inbox.close() }

    /// - Returns: `false` where there is no thread to serve it.
    @discardableResult
    func post(_ command: CurlInbox.Command) -> Bool { inbox.post(command) }
  }

  /// Commands for the event thread. Shared by it and the outside.
  final class CurlInbox: Sendable {
    enum Command: Sendable {
      case start(CurlTransfer)
      case resume(CurlTransfer)
      case cancel(CurlTransfer)
      /// Its priority has changed.
      case weigh(CurlTransfer)
    }

    private struct State: Sendable {
      var commands: [Command] = []
      var isClosed: Bool
    }

    // guard: libcurl allows curl_multi_wakeup from any thread; all else is done by the event thread, and the clean-up
    // by whoever lets go last.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer?
    private let state: Locked<State>

    init() {
      multi = curlIsReady ? curl_multi_init() : nil
      // Without libcurl nothing posted would ever be served.
      state = Locked(State(isClosed: multi == nil))
      canWake = multi.map { curl_multi_wakeup($0) == CURLM_OK } ?? false
    }

    deinit { curl_multi_cleanup(multi) }

    /// For the event thread only.
    var handle: UnsafeMutableRawPointer? { multi }

    /// Whether the event thread can be woken. libcurl made without descriptors to spare cannot; it has to look for
    /// itself then.
    let canWake: Bool

    func post(_ command: Command) -> Bool {
      let (isFirst, isOpen) = state.withLock { state in
        guard !state.isClosed else { return (false, false) }
        state.commands.append(command)
        return (state.commands.count == 1, true)
      }
      if isFirst { curl_multi_wakeup(multi) }
      return isOpen
    }

    func close() {
      state.withLock { $0.isClosed = true }
      curl_multi_wakeup(multi)
    }

    func drain() -> (commands: [Command], isClosed: Bool) {
      state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.isClosed)
      }
    }
  }

  /// curl_global_init, once in the process. Without SIGPIPE or alarms: every handle sets NOSIGNAL.
  let curlIsReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
#endif
