import Foundation
import HTTPCaching
import Synchronized

/// An HTTP/1.1 server that answers for one origin from an HTTP cache (RFC 9110, section 3.7: a gateway).
///
/// Connections are tasks, their number and everything they hold is bounded, and a client that does not read makes its
/// transfer wait. Runs until `stop()`, or until it is let go of.
package final class CachingProxy: Sendable {
  package struct Configuration: Sendable {
    /// Scheme, host and port of what is answered for.
    package var origin: URL
    /// The address to listen on, or its name. Default 127.0.0.1: this machine alone.
    package var host = "127.0.0.1"
    /// Default 0: the system chooses.
    package var port: UInt16 = 0
    package var limits = ProxyLimits()
    /// Told of every exchange, from any thread. Default none.
    package var report: @Sendable (ProxyRecord) -> Void = { _ in }

    package init(origin: URL) { self.origin = origin }
  }

  /// Why it could not be started.
  package struct Failure: Error {
    package var message: String
  }

  /// The port it listens on.
  package let port: UInt16
  package let loader: HTTPLoader
  private let accepting: Task<Void, Never>

  /// - Parameters:
  ///   - transport: the way to the origin.
  ///   - caching: of what is kept. Responses without word of their freshness are asked about every time.
  /// - Throws: `Failure` where the address cannot be listened on.
  package init(
    _ configuration: Configuration, transport: any HTTPTransport, caching: HTTPLoader.Configuration
  ) throws(Failure) {
    guard let poller = SocketPoller() else { throw Failure(message: "the system has no descriptors or threads left") }
    let listener: Socket
    do throws(Socket.Failure) {
      listener = try Socket.listening(host: configuration.host, port: configuration.port, poller: poller)
    } catch {
      throw Failure(message: error.message)
    }
    port = listener.port
    var caching = caching
    caching.defaultLifetime = nil
    let loader = HTTPLoader(
      transport: OriginTransport(base: transport, limits: configuration.limits), configuration: caching)
    self.loader = loader
    let forwarder = Forwarder(
      origin: configuration.origin, loader: loader, limits: configuration.limits, clock: caching.clock)
    accepting = Task { await Self.accept(listener, forwarder, configuration) }
  }

  deinit { accepting.cancel() }

  /// Ends every connection; returns when what is to be stored has been.
  package func stop() async {
    accepting.cancel()
    await accepting.value
    loader.cancelRefreshes()
    await loader.disk?.flush()
  }

  private static func accept(_ listener: Socket, _ forwarder: Forwarder, _ configuration: Configuration) async {
    let limits = configuration.limits
    let bodyBytesLeft = Locked(limits.totalBodyBytes)
    let places = Places(limits.connections)
    let idle = IdleConnections()
    await withDiscardingTaskGroup { group in
      while let socket = try? await listener.accept() {
        if places.areTaken { idle.wantRoom() }
        guard let place = try? await places.take() else { break }
        idle.haveRoom()
        group.addTask {
          await ClientConnection(
            socket: socket, forwarder: forwarder, limits: limits, place: place, idle: idle,
            bodyBytesLeft: bodyBytesLeft, report: configuration.report
          ).serve()
        }
      }
      group.cancelAll()
    }
  }
}
