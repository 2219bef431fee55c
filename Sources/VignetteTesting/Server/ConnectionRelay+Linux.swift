#if !canImport(Darwin)
  import Glibc
  import Synchronized

  /// Passes connections on to a server of this machine until it cuts them, as a router does that forgets them; for the
  /// package's own tests. New connections are passed on as before.
  package final class ConnectionRelay: Sendable {
    /// The port it listens on.
    package let port: UInt16
    private let core: Core
    private let acceptor: WorkerThread?

    /// - Throws: the system's error where no port can be had.
    package init(to target: UInt16) throws {
      let listener = try Sockets.listen(port: 0)
      port = listener.port
      let core = Core(listener: listener.descriptor, target: target)
      self.core = core
      acceptor = WorkerThread { core.acceptConnections() }
    }

    deinit {
      core.stop()
      acceptor?.join()
      core.joinConnections()
    }

    /// Ends every connection there is.
    package func cut() { core.cut() }

    private final class Core: Sendable {
      private struct State {
        /// Both ends of each connection; one leaves the set before it is closed, so none is shut down that is another's.
        var open: Set<Int32> = []
        var threads: [WorkerThread] = []
        var isStopped = false
      }

      private let listener: Int32
      private let target: UInt16
      private let state = Locked(State())

      init(listener: Int32, target: UInt16) {
        self.listener = listener
        self.target = target
      }

      deinit { close(listener) }

      func acceptConnections() {
        while let client = Sockets.accept(listener) {
          guard let server = connectToTarget() else {
            close(client)
            continue
          }
          let isWelcome = state.withLock { state in
            if !state.isStopped { state.open.formUnion([client, server]) }
            return !state.isStopped
          }
          let thread = isWelcome ? WorkerThread { [self] in relay(client, server) } : nil
          if let thread { state.withLock { $0.threads.append(thread) } } else { end(client, server) }
        }
      }

      /// Not in order, by FIN, but by RST.
      func cut() {
        state.withLock { state in
          for descriptor in state.open {
            Sockets.resetOnClose(descriptor)
            // Wakes the thread, which closes it.
            _ = shutdown(descriptor, Int32(SHUT_RD))
          }
        }
      }

      func stop() {
        state.withLock { $0.isStopped = true }
        cut()
        Sockets.shutDown(listener)
      }

      func joinConnections() { for thread in state.withLock({ $0.threads }) { thread.join() } }

      private func connectToTarget() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = target.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        if status == 0 { return descriptor }
        close(descriptor)
        return nil
      }

      private func relay(_ client: Int32, _ server: Int32) {
        while pass(client, server) {}
        end(client, server)
      }

      /// Waits for bytes of either side and gives them to the other.
      /// - Returns: `false` at the end of one of them.
      private func pass(_ client: Int32, _ server: Int32) -> Bool {
        var watched = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&watched, 2, -1) >= 0 else { return errno == EINTR }
        return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
          for (ready, other) in zip(watched, [server, client]) where ready.revents != 0 {
            let count = Sockets.receive(ready.fd, into: buffer)
            guard count > 0 else { return false }
            var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            while !rest.isEmpty {
              guard let sent = Sockets.send(other, rest) else { return false }
              rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
            }
          }
          return true
        }
      }

      private func end(_ client: Int32, _ server: Int32) {
        state.withLock { $0.open.subtract([client, server]) }
        close(client)
        close(server)
      }
    }
  }
#endif
