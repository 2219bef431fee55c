#if canImport(Darwin)
  import Dispatch
  import Network
  import Synchronized

  extension NetworkReturn {
    /// What the system says of its network (`NWPathMonitor`). The monitor starts with the first question and stays.
    public static let platform = NetworkReturn(
      wait: { await NetworkReachability.shared.wait() },
      isConstrained: { NetworkReachability.shared.isConstrained })
  }

  /// One monitor for the process, and those who wait for the network. Waiters are resumed outside the lock.
  private final class NetworkReachability: Sendable {
    static let shared = NetworkReachability()

    private let monitor = NWPathMonitor()
    private let table = Locked(ReachabilityTable<CheckedContinuation<Void, Never>>())

    private init() {
      monitor.pathUpdateHandler = { [table] path in
        // `requiresConnection` is a network that a request itself brings up, such as a VPN on demand.
        let isReachable = path.status != .unsatisfied
        let isConstrained = path.isConstrained
        let ready = table.withLock { $0.update(isReachable: isReachable, isConstrained: isConstrained) }
        for waiter in ready { waiter.resume() }
      }
      monitor.start(queue: DispatchQueue(label: "vignette.reachability"))
    }

    var isConstrained: Bool { table.withLock { $0.isConstrained } }

    func wait() async {
      let ticket = table.withLock { $0.ticket() }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // Asked under the lock: a cancellation before it is seen here, one after it finds the waiter.
          let ready = table.withLock { $0.enter(ticket, continuation, isCancelled: Task.isCancelled) }
          ready?.resume()
        }
      } onCancel: {
        let gone = table.withLock { $0.leave(ticket) }
        gone?.resume()
      }
    }
  }
#endif
