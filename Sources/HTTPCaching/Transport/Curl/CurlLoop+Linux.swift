#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// The event loop: starts, drives, times and ends transfers. Lives on one thread and is never seen by another.
  ///
  /// A transfer is in `transfers` from its start command to its end; it has an easy handle only while the limiter lets
  /// it run. Readers are woken once per turn of the loop.
  final class CurlLoop {
    private let inbox: CurlInbox
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration
    private var limiter: ConnectionLimiter<ObjectIdentifier>
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var spareHandles: [UnsafeMutableRawPointer] = []
    /// Not later than the earliest deadline of any transfer; activity moves deadlines back without touching it.
    private var nextDeadline = Double.infinity
    private var hasStarted = false

    private static let spareHandleLimit = 16
    /// Longest sleep with nothing to do, in milliseconds; commands end it at once.
    private static let longestSleep = 600_000.0
    /// The same where commands cannot end it.
    private static let sleepWithoutWaking = 20.0

    init?(_ inbox: CurlInbox, configuration: CurlTransport.Configuration) {
      guard let multi = inbox.handle else { return nil }
      self.inbox = inbox
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
      while true {
        let (commands, isClosed) = inbox.drain()
        for command in commands { execute(command) }
        // Every reader keeps the thread alive, so nobody waits for what is still here.
        if isClosed { break }
        hasStarted = false
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        let now = monotonicSeconds()
        for transfer in running.values { transfer.noteActivity(at: now) }
        completeFinished()
        expireLate(now)
        wakeReaders()
        // What has just been started has something to send; looking at its socket first would cost a system call.
        if hasStarted { continue }
        let longest = inbox.canWake ? Self.longestSleep : Self.sleepWithoutWaking
        let sleep = min(max((nextDeadline - monotonicSeconds()) * 1000, 0).rounded(.up), longest)
        curl_multi_poll(multi, nil, 0, Int32(sleep), nil)
      }
      for transfer in transfers.values { end(transfer, CancellationError()) }
      wakeReaders()
      for handle in spareHandles { curl_easy_cleanup(handle) }
    }

    // MARK: Commands

    private func execute(_ command: CurlInbox.Command) {
      switch command {
      case .start(let transfer):
        guard !transfer.channel.isCancelled else { return }
        transfers[ObjectIdentifier(transfer)] = transfer
        transfer.begin()
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
      touched.append(transfer)
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
      hasStarted = true
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
          touched.append(transfer)
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
      touched.append(transfer)
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

    private func expireLate(_ now: Double) {
      guard now >= nextDeadline else { return }
      for transfer in transfers.values where now >= transfer.deadline && !transfer.hasSent(by: now) {
        end(transfer, transfer.timeout(at: now))
      }
      nextDeadline = transfers.values.reduce(.infinity) { min($0, $1.deadline) }
    }

    // MARK: Readers

    /// Transfers with news since the last turn, besides the running ones that say so themselves.
    private var touched: [CurlTransfer] = []

    private func wakeReaders() {
      for transfer in running.values where transfer.hasNews { touched.append(transfer) }
      for transfer in touched {
        transfer.hasNews = false
        transfer.channel.flush()
      }
      touched.removeAll(keepingCapacity: true)
    }
  }

  /// Seconds that pass at a steady rate and are not set back.
  func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
#endif
