import Foundation
import HTTPCaching
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport without sockets: a closure answers, gates hold answers back, and counters tell what was asked for.
///
/// ```swift
/// let gate = Gate()
/// let transport = ScriptedTransport { request in .data(jpeg, type: "image/jpeg").held(by: gate) }
/// ```
public final class ScriptedTransport: HTTPTransport {
  public struct Reply: Sendable {
    public var status = 200
    public var headers = HTTPHeaders()
    /// The body as it arrives; each chunk may wait for a gate first.
    public var chunks: [Chunk] = []
    /// Thrown instead of the head, or after the chunks where there are any.
    public var failure: (any Error)?
    /// Held until it opens, before the head.
    public var gate: Gate?

    public struct Chunk: Sendable {
      public var data: Data
      public var gate: Gate?

      public init(_ data: Data, heldBy gate: Gate? = nil) {
        self.data = data
        self.gate = gate
      }
    }

    public init() {}

    public static func data(_ data: Data, type: String? = nil, status: Int = 200) -> Reply {
      var reply = Reply()
      reply.status = status
      reply.chunks = data.isEmpty ? [] : [Chunk(data)]
      reply.headers["Content-Length"] = "\(data.count)"
      reply.headers["Content-Type"] = type
      return reply
    }

    public static func status(_ status: Int) -> Reply { data(Data(), status: status) }

    public static func chunks(_ chunks: [Chunk], type: String? = nil) -> Reply {
      var reply = Reply()
      reply.chunks = chunks
      reply.headers["Content-Type"] = type
      return reply
    }

    /// Fails before the head.
    public static func failure(_ error: any Error) -> Reply {
      var reply = Reply()
      reply.failure = error
      return reply
    }

    public func held(by gate: Gate) -> Reply {
      var copy = self
      copy.gate = gate
      return copy
    }

    public func header(_ name: String, _ value: String) -> Reply {
      var copy = self
      copy.headers.append(name: name, value: value)
      return copy
    }

    /// Fails after the chunks.
    public func failing(with error: any Error) -> Reply {
      var copy = self
      copy.failure = error
      return copy
    }
  }

  /// What has been asked for so far.
  public struct Log: Sendable {
    public internal(set) var requests: [URLRequest] = []
    /// Exchanges under way: begun and not yet read to the end, failed or let go of.
    public internal(set) var running = 0
    public internal(set) var peak = 0
    /// Exchanges that were cancelled or let go of before their end.
    public internal(set) var cancelled = 0

    public func count(of url: URL) -> Int { requests.reduce(0) { $0 + ($1.url == url ? 1 : 0) } }
  }

  private let handler: @Sendable (URLRequest) async throws -> Reply
  private let journal = EventLog(Log())

  public init(_ handler: @escaping @Sendable (URLRequest) async throws -> Reply) { self.handler = handler }

  public var log: Log { journal.log }

  /// Returns when the log satisfies the condition, which is asked after every event.
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func until(_ condition: @escaping @Sendable (Log) -> Bool) async throws {
    try await journal.wait(until: condition)
  }

  public func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    try Task.checkCancellation()
    journal.record { log in
      log.requests.append(request)
      log.running += 1
      log.peak = max(log.peak, log.running)
    }
    let exchange = ScriptedExchange { [journal] isComplete in
      journal.record { log in
        log.running -= 1
        if !isComplete { log.cancelled += 1 }
      }
    }
    do {
      let reply = try await handler(request)
      try await reply.gate?.wait()
      if reply.chunks.isEmpty, let failure = reply.failure { throw failure }
      exchange.begin(reply)
      let url = request.url ?? URL(fileURLWithPath: "/")
      let response = HTTPResponse(url: url, status: reply.status, headers: reply.headers)
      return HTTPExchange(response: response, body: HTTPBody { try await exchange.next() })
    } catch {
      exchange.end(isComplete: !(error is CancellationError))
      throw error
    }
  }
}

/// One scripted body. Reports its end once.
private final class ScriptedExchange: Sendable {
  private struct State {
    var chunks: [ScriptedTransport.Reply.Chunk] = []
    var failure: (any Error)?
    var hasEnded = false
  }

  private let state = Locked(State())
  private let onEnd: @Sendable (_ isComplete: Bool) -> Void

  init(onEnd: @escaping @Sendable (Bool) -> Void) { self.onEnd = onEnd }

  deinit { end(isComplete: false) }

  func begin(_ reply: ScriptedTransport.Reply) {
    state.withLock { state in
      state.chunks = reply.chunks
      state.failure = reply.failure
    }
  }

  func end(isComplete: Bool) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { onEnd(isComplete) }
  }

  func next() async throws -> Data? {
    do {
      try Task.checkCancellation()
      guard let chunk = state.withLock({ $0.chunks.isEmpty ? nil : $0.chunks.removeFirst() }) else {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        end(isComplete: true)
        return nil
      }
      try await chunk.gate?.wait()
      return chunk.data
    } catch {
      end(isComplete: !(error is CancellationError))
      throw error
    }
  }
}
