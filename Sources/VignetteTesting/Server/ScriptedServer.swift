import Foundation
import Synchronized

/// A small HTTP/1.1 server on 127.0.0.1 for tests and demonstrations, with every fault a network has.
///
/// ```swift
/// let server = try ScriptedServer { request in
///   request.path == "/photo.png" ? .data(png, type: "image/png").cacheControl("max-age=60") : .status(404)
/// }
/// let request = ImageRequest(url: server.url("/photo.png"))
/// ```
/// The handler is called on the connection's own thread, several at once. The server runs until `stop()`, or until it
/// is let go of; both wait until its threads have ended and its descriptors are closed, so a handler must return and
/// must not keep the server alive.
public final class ScriptedServer: Sendable {
  public typealias Handler = @Sendable (Request) -> Response

  /// The port it listens on.
  public let port: UInt16
  /// What it has seen and done.
  public var log: Log { core.journal.log }

  private let core: ServerCore
  private let acceptor: WorkerThread?

  /// - Parameters:
  ///   - port: 0 lets the system choose a free one.
  ///   - handler: answers a request.
  /// - Throws: the system's error where the port cannot be had.
  public init(port: UInt16 = 0, _ handler: @escaping Handler) throws {
    let listener = try Sockets.listen(port: port)
    self.port = listener.port
    guard let stop = SignalPipe() else { throw Sockets.Failure.last("pipe") }
    let core = ServerCore(listener: listener.descriptor, stop: stop, handler: handler)
    self.core = core
    acceptor = WorkerThread { core.acceptConnections() }
  }

  /// Answers by path; 404 for any other.
  public convenience init(port: UInt16 = 0, routes: [String: Response]) throws {
    try self.init(port: port) { routes[$0.path] ?? .status(404) }
  }

  deinit { stop() }

  /// Closes every connection, and waits until all threads have ended. May be called again.
  public func stop() {
    core.stop()
    acceptor?.join()
    core.joinConnections()
  }

  /// - Parameter path: with its slash, percent-encoded where needed; a query may follow.
  public func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// Returns when so many requests for the path have been received.
  /// - Throws: `CancellationError` when the task is cancelled or the server stops first.
  public func requests(_ count: Int = 1, for path: String) async throws {
    try await core.journal.wait { $0.count(of: path) >= count }
  }

  /// Returns when clients have closed so many connections whose last request was for the path. The server sees that
  /// while it waits (for a gate, a delay, a stalled answer, the next request) and when it cannot send.
  /// - Throws: `CancellationError` when the task is cancelled or the server stops first.
  public func clientClosed(_ count: Int = 1, after path: String) async throws {
    try await core.journal.wait { $0.closedByClient[path, default: 0] >= count }
  }

  /// Returns when the log satisfies the condition, which is asked after every event.
  /// - Throws: `CancellationError` when the task is cancelled or the server stops first.
  public func until(_ condition: @escaping @Sendable (Log) -> Bool) async throws {
    try await core.journal.wait(until: condition)
  }
}

extension ScriptedServer {
  /// What a server has seen and done so far.
  public struct Log: Sendable {
    /// The last 10,000 requests, oldest first.
    public internal(set) var requests: [Request] = []
    /// Bytes handed to the system, heads included.
    public internal(set) var bytesSent = 0
    public internal(set) var openConnections = 0
    /// Most connections open at one time.
    public internal(set) var peakConnections = 0
    public internal(set) var acceptedConnections = 0
    /// Connections that clients have closed, by the path last asked for.
    public internal(set) var closedByClient: [String: Int] = [:]
    /// Requests received, by path.
    public internal(set) var counts: [String: Int] = [:]

    static let remembered = 10_000

    public var totalRequests: Int { counts.values.reduce(0, +) }
    public func count(of path: String) -> Int { counts[path, default: 0] }
    public func last(for path: String) -> Request? { requests.last { $0.path == path } }
  }
}
