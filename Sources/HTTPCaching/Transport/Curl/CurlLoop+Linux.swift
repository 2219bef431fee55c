#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// The event loop: starts, drives, times and ends transfers. Lives on one thread and is never seen by another.
  ///
  /// A transfer is in `transfers` from its start command to its end; it has an easy handle only while the limiter lets
  /// it run. libcurl is told which sockets are ready, and looks at no other.
  final class CurlLoop {
    private let inbox: CurlInbox
    private let poll: SocketPoll
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration
    private let turn = CurlTurn()
    private var limiter: ConnectionLimiter<ObjectIdentifier>
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var spareHandles: [UnsafeMutableRawPointer] = []
    /// Not later than the earliest deadline of any transfer; activity moves deadlines back without touching it.
    private var nextDeadline = Double.infinity
    /// When libcurl wants a turn though no socket is ready.
    private var curlDeadline = Double.infinity

    /// Written by libcurl, read by nobody.
    private var runningCount: Int32 = 0

    private static let spareHandleLimit = 16
    private static let mostTimerTurns = 16
    /// Longest sleep with nothing to do, in seconds; commands end it at once.
    private static let longestSleep = 600.0
    /// How long readers with news are left asleep while sockets bring more, in seconds: waking one costs as much as
    /// receiving 50 KB.
    private static let longestNews = 0.001

    init?(_ inbox: CurlInbox, _ poll: SocketPoll, configuration: CurlTransport.Configuration) {
      guard let multi = curl_multi_init() else { return nil }
      self.inbox = inbox
      self.poll = poll
      self.multi = multi
      self.configuration = configuration
      limiter = ConnectionLimiter(perOrigin: configuration.connectionsPerHost, total: configuration.totalConnections)
      let total = max(configuration.totalConnections, 1)
      ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(configuration.connectionsPerHost, 1))
      ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, total)
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, total)
      ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, ccurl_multiplex)
    }

    func run() {
      keepReceiveBuffers()
      askToBeTold()
      var commands: [CurlInbox.Command] = []
      while true {
        turn.now = monotonicSeconds()
        let isClosed = inbox.drain(into: &commands)
        for command in commands { execute(command) }
        commands.removeAll(keepingCapacity: true)
        // Every reader keeps the thread alive, so nobody waits for what is still here.
        if isClosed { break }
        runTimers()
        expireLate()
        receive()
      }
      for transfer in transfers.values { end(transfer, CancellationError()) }
      turn.wakeReaders()
      for handle in spareHandles { curl_easy_cleanup(handle) }
      curl_multi_cleanup(multi)
    }

    /// libcurl frees a transfer's receive buffer with its end, and glibc gives what is free to the system once it is
    /// more than 128 KiB, or twice the largest block that the program has let go of (mallopt(3)): without such a block
    /// every few transfers pay for fresh pages.
    private func keepReceiveBuffers() {
      withExtendedLifetime(Data(count: 4 * CurlSetup.receiveBufferBytes)) {}
    }

    // MARK: Sockets and timers

    private func askToBeTold() {
      // The loop outlives the multi handle, which `run` cleans up.
      let context = Unmanaged.passUnretained(self).toOpaque()
      ccurl_multi_set_socket_function(
        multi,
        { _, socket, wish, context, _ in
          context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }?.watch(socket, wish)
          return 0
        }, context)
      ccurl_multi_set_timer_function(
        multi,
        { _, milliseconds, context in
          context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }?.setTimer(milliseconds)
          return 0
        }, context)
    }

    private func watch(_ socket: curl_socket_t, _ wish: Int32) {
      switch wish {
      case CURL_POLL_IN: poll.watch(socket, for: .readable)
      case CURL_POLL_OUT: poll.watch(socket, for: .writable)
      case CURL_POLL_INOUT: poll.watch(socket, for: [.readable, .writable])
      default: poll.watch(socket, for: [])
      }
    }

    private func setTimer(_ milliseconds: Int) {
      curlDeadline = milliseconds < 0 ? .infinity : turn.now + Double(milliseconds) / 1000
    }

    /// Also gives a transfer that has been added its first turn. One that ends lets another begin, and so on; sockets
    /// have their turn after a few.
    private func runTimers() {
      var turns = 0
      while turn.now >= curlDeadline, turns < Self.mostTimerTurns {
        curlDeadline = .infinity
        curl_multi_socket_action(multi, ccurl_socket_timeout, 0, &runningCount)
        completeFinished()
        turns += 1
      }
    }

    /// Takes what the sockets bring. Readers are woken when there is nothing more at once, and before any sleep.
    private func receive() {
      let isLate = turn.newsTime + Self.longestNews <= turn.now
      if turn.hasNews {
        if !isLate, wait(0) { return }
        turn.wakeReaders()
      }
      let sleep = min(max(min(nextDeadline, curlDeadline) - turn.now, 0), Self.longestSleep)
      if sleep == 0 || inbox.waits() { _ = wait(Int32((sleep * 1000).rounded(.up))) }
    }

    /// - Returns: whether any socket was ready.
    private func wait(_ milliseconds: Int32) -> Bool {
      let ready = poll.wait(milliseconds: milliseconds)
      if milliseconds > 0 { turn.now = monotonicSeconds() }
      for index in 0..<ready {
        let (socket, events) = poll.event(at: index)
        curl_multi_socket_action(multi, socket, events.forCurl, &runningCount)
      }
      if ready > 0 { completeFinished() }
      return ready > 0
    }

    // MARK: Commands

    private func execute(_ command: CurlInbox.Command) {
      switch command {
      case .start(let transfer):
        guard !transfer.channel.isCancelled else { return }
        transfers[ObjectIdentifier(transfer)] = transfer
        transfer.begin(turn)
        nextDeadline = min(nextDeadline, transfer.deadline)
        enqueue(transfer)
      case .resume(let transfer):
        guard transfers[ObjectIdentifier(transfer)] != nil else { return }
        resume(transfer)
      case .weigh(let transfer):
        if transfers[ObjectIdentifier(transfer)] != nil { transfer.weigh() }
      case .cancel(let transfer):
        guard transfers[ObjectIdentifier(transfer)] != nil else { return }
        end(transfer, CancellationError())
      }
    }

    private func resume(_ transfer: CurlTransfer) {
      transfer.noteNews()
      do {
        try transfer.resume()
        nextDeadline = min(nextDeadline, transfer.deadline)
        if transfer.handle == nil, try transfer.finishDecoding() { end(transfer, nil) }
      } catch {
        end(transfer, error)
      }
    }

    private func enqueue(_ transfer: CurlTransfer) {
      if limiter.admit(ObjectIdentifier(transfer), to: transfer.request.origin) { start(transfer) }
    }

    private func start(_ transfer: CurlTransfer) {
      guard let handle = spareHandles.popLast() ?? curl_easy_init() else {
        limiter.leave(transfer.request.origin)
        return end(transfer, CurlFailure.outOfMemory(transfer.request.url))
      }
      transfer.attach(handle, configuration: configuration)
      running[handle] = transfer
      nextDeadline = min(nextDeadline, transfer.deadline)
      let status = curl_multi_add_handle(multi, handle)
      if status != CURLM_OK { end(transfer, CurlFailure.outOfMemory(transfer.request.url)) }
    }

    // MARK: Ends

    private func completeFinished() {
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
          let transfer = running[handle]
        else { continue }
        complete(transfer, message.pointee.data.result)
      }
    }

    private func complete(_ transfer: CurlTransfer, _ result: CURLcode) {
      do {
        switch try transfer.outcome(result) {
        case .complete:
          end(transfer, nil)
        case .backlog:
          // It may never have had a turn in which it ran and its reader could be woken.
          transfer.noteNews()
          release(transfer)
        case .redirect(let next):
          release(transfer)
          transfer.redirect(to: next)
          enqueue(transfer)
        }
      } catch {
        end(transfer, error)
      }
    }

    private func end(_ transfer: CurlTransfer, _ error: (any Error)?) {
      guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
      transfer.channel.finish(error)
      transfer.noteNews()
      if transfer.handle == nil {
        limiter.withdraw(ObjectIdentifier(transfer), from: transfer.request.origin)
      } else {
        release(transfer)
      }
    }

    /// Takes the handle back; one that has not finished closes its connection. Its place goes to whoever waits.
    private func release(_ transfer: CurlTransfer) {
      guard let handle = transfer.detach() else { return }
      var version = 0
      ccurl_get_long(handle, CURLINFO_HTTP_VERSION, &version)
      if version == Int(CURL_HTTP_VERSION_2_0) { limiter.noteMultiplexing(transfer.request.origin) }
      curl_multi_remove_handle(multi, handle)
      running[handle] = nil
      curl_easy_reset(handle)
      if spareHandles.count < Self.spareHandleLimit { spareHandles.append(handle) } else { curl_easy_cleanup(handle) }
      limiter.leave(transfer.request.origin)
      while let id = limiter.next() {
        if let waiting = transfers[id] { start(waiting) }
      }
    }

    // MARK: Time

    private func expireLate() {
      let now = turn.now
      guard now >= nextDeadline else { return }
      for transfer in transfers.values where now >= transfer.deadline && !transfer.hasSent(by: now) {
        end(transfer, transfer.timeout(at: now))
      }
      nextDeadline = transfers.values.reduce(.infinity) { min($0, $1.deadline) }
    }
  }

  extension SocketPoll.Events {
    /// What libcurl takes for its own poll's answer; a failed socket is one whose next read or write tells how.
    fileprivate var forCurl: Int32 {
      var bits: Int32 = 0
      if !isDisjoint(with: [.readable, .failed]) { bits |= CURL_CSELECT_IN }
      if !isDisjoint(with: [.writable, .failed]) { bits |= CURL_CSELECT_OUT }
      return bits
    }
  }

  /// Seconds that pass at a steady rate and are not set back.
  func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
#endif
