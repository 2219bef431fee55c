#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// Waits for sockets, and for a word from other threads: epoll(7), with an eventfd(2) to be woken by.
  ///
  /// `wake` may be called from any thread; all else belongs to the thread that waits.
  final class SocketPoll: Sendable {
    struct Events: OptionSet {
      let rawValue: UInt32
      static let readable = Events(rawValue: EPOLLIN.rawValue)
      static let writable = Events(rawValue: EPOLLOUT.rawValue)
      /// Told of whether asked or not. What is read or written next says more.
      static let failed = Events(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    private let poll: Int32
    private let bell: Int32
    // guard: only the waiting thread reads and writes it.
    private nonisolated(unsafe) let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)

    /// Sockets told of at once; others follow with the next wait.
    private static let capacity = 64

    /// - Returns: `nil` where the process has no descriptors to spare.
    init?() {
      poll = epoll_create1(Int32(EPOLL_CLOEXEC))
      bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard poll >= 0, bell >= 0, control(EPOLL_CTL_ADD, bell, .readable) else { return nil }
    }

    deinit {
      if poll >= 0 { close(poll) }
      if bell >= 0 { close(bell) }
      ready.deallocate()
    }

    /// Ends the wait that goes on, or else the next.
    func wake() { eventfd_write(bell, 1) }

    /// What is to be heard of a socket from now on; no events forget it.
    func watch(_ socket: Int32, for events: Events) {
      if events.isEmpty {
        // One that has been closed is forgotten already.
        _ = control(EPOLL_CTL_DEL, socket, [])
      } else if !control(EPOLL_CTL_MOD, socket, events) {
        _ = control(EPOLL_CTL_ADD, socket, events)
      }
    }

    private func control(_ operation: Int32, _ socket: Int32, _ events: Events) -> Bool {
      var event = epoll_event(events: events.rawValue, data: epoll_data_t(fd: socket))
      return epoll_ctl(poll, operation, socket, &event) == 0
    }

    /// Waits until something is ready.
    /// - Parameter milliseconds: longest wait; 0 only looks.
    /// - Returns: how many sockets are ready.
    func wait(milliseconds: Int32) -> Int {
      let count = Int(max(epoll_wait(poll, ready, Int32(Self.capacity), milliseconds), 0))
      guard let rung = (0..<count).first(where: { ready[$0].data.fd == bell }) else { return count }
      var rings: eventfd_t = 0
      eventfd_read(bell, &rings)
      ready[rung] = ready[count - 1]
      return count - 1
    }

    /// One of those that the last wait found.
    func event(at index: Int) -> (socket: Int32, events: Events) {
      (ready[index].data.fd, Events(rawValue: ready[index].events))
    }
  }
#endif
