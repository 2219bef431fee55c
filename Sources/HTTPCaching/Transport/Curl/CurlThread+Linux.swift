#if !canImport(Darwin)
  internal import CCurl
  import Foundation
  import Synchronized

  /// The event thread seen from outside: a place to post commands. The thread ends when this is let go of.
  final class CurlThread: Sendable {
    private let inbox: CurlInbox

    /// - Returns: `nil` where there is no libcurl, or no thread or descriptor to spare.
    init?(_ configuration: CurlTransport.Configuration) {
      guard curlIsReady, let poll = SocketPoll() else { return nil }
      let inbox = CurlInbox(poll)
      self.inbox = inbox
      // Not joined: the last body may be let go of on the event thread itself.
      let thread = WorkerThread {
        guard let loop = CurlLoop(inbox, poll, configuration: configuration) else { return inbox.refuse() }
        loop.run()
      }
      guard thread != nil else { return nil }
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
      var isClosed = false
      /// Whether the event thread has to be woken to see a command.
      var isWaiting = false
    }

    private let poll: SocketPoll
    private let state = Locked(State())

    init(_ poll: SocketPoll) { self.poll = poll }

    func post(_ command: Command) -> Bool {
      let (isOpen, mustWake) = state.withLock { state in
        guard !state.isClosed else { return (false, false) }
        state.commands.append(command)
        defer { state.isWaiting = false }
        return (true, state.isWaiting)
      }
      if mustWake { poll.wake() }
      return isOpen
    }

    func close() {
      state.withLock { $0.isClosed = true }
      poll.wake()
    }

    // MARK: The event thread

    /// Takes what has been posted, into the empty array that is given.
    /// - Returns: whether nobody can post any more.
    func drain(into commands: inout [Command]) -> Bool {
      state.withLock { state in
        state.isWaiting = false
        swap(&state.commands, &commands)
        return state.isClosed
      }
    }

    /// Asks to be woken by the next command.
    /// - Returns: `false` where there is one already.
    func waits() -> Bool {
      state.withLock { state in
        state.isWaiting = state.commands.isEmpty && !state.isClosed
        return state.isWaiting
      }
    }

    /// Ends what was posted to a thread that could not begin.
    func refuse() {
      let commands = state.withLock { state in
        state.isClosed = true
        return state.commands
      }
      for case .start(let transfer) in commands {
        transfer.channel.finish(CurlFailure.noThread(transfer.request.url))
        transfer.channel.flush()
      }
    }
  }

  /// curl_global_init, once in the process. Without SIGPIPE or alarms: every handle sets NOSIGNAL.
  let curlIsReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
#endif
