import Foundation
import Synchronized

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The server's threads: one that accepts, one for each connection. Does not know the public object, which can
/// therefore be let go of while they run.
final class ServerCore: Sendable {
  let journal = EventLog(ScriptedServer.Log())
  let handler: ScriptedServer.Handler
  let stopSignal: SignalPipe

  private struct State {
    var isStopped = false
    /// Open connections; a descriptor leaves the set before it is closed, so none is shut down that is someone else's.
    var open: Set<Int32> = []
    var threads: [Int32: WorkerThread] = [:]
    var ended: [WorkerThread] = []
  }

  private let listener: Int32
  private let state = Locked(State())
  /// Clients beyond this are turned away.
  private static let maximumConnections = 512

  init(listener: Int32, stop: SignalPipe, handler: @escaping ScriptedServer.Handler) {
    self.listener = listener
    stopSignal = stop
    self.handler = handler
  }

  deinit { close(listener) }

  func acceptConnections() {
    while let descriptor = Sockets.accept(listener) {
      reapEnded()
      let number = journal.record { log in
        log.acceptedConnections += 1
        log.openConnections += 1
        log.peakConnections = max(log.peakConnections, log.openConnections)
        return log.acceptedConnections
      }
      if !serve(descriptor, number: number) { end(descriptor) }
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.open.forEach(Sockets.shutDown)
    }
    stopSignal.signal()
    Sockets.shutDown(listener)
    journal.close()
  }

  func joinConnections() {
    let threads = state.withLock { state in
      defer {
        state.threads = [:]
        state.ended = []
      }
      return state.ended + state.threads.values
    }
    for thread in threads { thread.join() }
  }

  private func serve(_ descriptor: Int32, number: Int) -> Bool {
    let isWelcome = state.withLock { state in
      guard !state.isStopped, state.open.count < Self.maximumConnections else { return false }
      state.open.insert(descriptor)
      return true
    }
    guard isWelcome else { return false }
    let thread = WorkerThread { [self] in
      ServerConnection(descriptor, number: number, core: self).run()
      end(descriptor)
    }
    guard let thread else { return false }
    state.withLock { state in
      // The connection may already have ended.
      if state.open.contains(descriptor) { state.threads[descriptor] = thread } else { state.ended.append(thread) }
    }
    return true
  }

  private func end(_ descriptor: Int32) {
    state.withLock { state in
      state.open.remove(descriptor)
      if let thread = state.threads.removeValue(forKey: descriptor) { state.ended.append(thread) }
    }
    close(descriptor)
    journal.record { $0.openConnections -= 1 }
  }

  private func reapEnded() {
    let ended = state.withLock { state in
      defer { state.ended = [] }
      return state.ended
    }
    for thread in ended { thread.join() }
  }
}
