import Foundation
import HTTPCaching
import Synchronized
import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `DataLoader` that answers from a script: no sockets, no cache, and every load counted.
///
/// Give its `dataLoader` to a pipeline. A URL with no reply answers 404. Loads pass `gate` before they answer; close
/// it to hold them.
///
/// ```swift
/// let loader = ScriptedLoader()
/// var configuration = ImagePipeline.Configuration(loader: loader.dataLoader)
/// loader.reply(to: "https://example.com/a.png", .status(503))
/// ```
public final class ScriptedLoader: Sendable {
  /// What a URL answers.
  public struct Reply: Sendable {
    public var result: Result<Data, any Error>
    public var status = 200
    public var origin = HTTPResult.Origin.network
    /// `nil` for never stale.
    public var freshUntil: Date?
    /// `false` for `no-store`.
    public var mayBeStored = true
    public var headers = HTTPHeaders()

    public static func data(_ data: Data) -> Reply { Reply(result: .success(data)) }
    public static func text(_ text: String) -> Reply { data(Data(text.utf8)) }
    public static func status(_ status: Int) -> Reply { Reply(result: .success(Data()), status: status) }
    public static func failure(_ error: any Error) -> Reply { Reply(result: .failure(error)) }
  }

  /// What has happened so far.
  public struct Counts: Hashable, Sendable {
    public var started = 0
    public var finished = 0
    public var failed = 0
    public var cancelled = 0
  }

  private struct State {
    var replies: [String: @Sendable (URLRequest) -> Reply] = [:]
    var counts = Counts()
    var requests: [URLRequest] = []
    var forgotten: [String] = []

    /// Bounded, so that a long run may use one loader throughout.
    mutating func remember(_ request: URLRequest) {
      if requests.count >= 2 * Self.remembered { requests.removeFirst(Self.remembered) }
      requests.append(request)
    }

    mutating func forget(_ url: String) {
      if forgotten.count >= 2 * Self.remembered { forgotten.removeFirst(Self.remembered) }
      forgotten.append(url)
    }

    private static let remembered = 10_000
  }

  private let state = Locked(State())

  /// Every load waits here before it answers. Open unless closed.
  public let gate = Turnstile(isOpen: true)

  public init() {}

  public var counts: Counts { state.withLock { $0.counts } }

  /// The last requests, oldest first: all up to 10,000, and no fewer than the last 10,000.
  public var requests: [URLRequest] { state.withLock { $0.requests } }

  /// The URLs the pipeline asked to forget, in order; as many as of `requests`.
  public var forgotten: [String] { state.withLock { $0.forgotten } }

  /// Sets what a URL answers from now on.
  public func reply(to url: String, _ reply: Reply) { self.reply(to: url) { _ in reply } }

  /// Sets what a URL answers from now on, by the request.
  public func reply(to url: String, _ reply: @escaping @Sendable (URLRequest) -> Reply) {
    state.withLock { $0.replies[url] = reply }
  }

  public var dataLoader: DataLoader {
    DataLoader(
      load: { try await self.load($0) },
      forget: { call in self.state.withLock { $0.forget(call.request.url?.absoluteString ?? "") } })
  }

  private func load(_ call: DataLoader.Call) async throws -> HTTPResult {
    do {
      try await call.admit()
      state.withLock { state in
        state.counts.started += 1
        state.remember(call.request)
      }
      try await gate.pass()
      let result = try answer(call.request)
      call.report(HTTPProgress(received: result.data.count, expected: result.data.count))
      state.withLock { $0.counts.finished += 1 }
      return result
    } catch {
      let isCancellation = error is CancellationError
      state.withLock { if isCancellation { $0.counts.cancelled += 1 } else { $0.counts.failed += 1 } }
      throw error
    }
  }

  private func answer(_ request: URLRequest) throws -> HTTPResult {
    guard let url = request.url else { throw HTTPError(.invalidURL, "The request has no URL.") }
    let reply = state.withLock { $0.replies[url.absoluteString] }?(request) ?? .status(404)
    return HTTPResult(
      response: HTTPResponse(url: url, status: reply.status, headers: reply.headers), data: try reply.result.get(),
      origin: reply.origin,
      freshUntil: reply.freshUntil, mayBeStored: reply.mayBeStored)
  }
}
