import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests through a session that the application made, with whatever it was configured for: credentials,
/// cookies, proxies, protocol classes. Available on every platform.
///
/// A session that is given cannot be asked to stream through us, so the body arrives in one piece, progress comes at the
/// end, and redirects are the session's own affair. The limits of `TransportOptions` hold as far as that allows: the
/// body's length is checked when it is there. Turn the session's `urlCache` off where an `HTTPLoader` caches above it.
public final class URLSessionTransport: HTTPTransport {
  public let session: URLSession

  public init(session: URLSession) { self.session = session }

  public func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    try Task.checkCancellation()
    // The session would answer a nil or foreign URL in its own words.
    let url = try OutgoingRequest(request).url
    var request = request
    // Whole seconds on Linux: rounded up, so that it never fires early.
    request.timeoutInterval = max(options.idleTimeout.asDelay.rounded(.up), 1)
    let exchange = SessionExchange(url: url)
    let (data, response) = try await exchange.run(request, in: session, totalTimeout: options.totalTimeout)
    guard data.count <= options.maximumBodyBytes else {
      throw HTTPError(
        .bodyTooLarge,
        "The body is longer than \(options.maximumBodyBytes) bytes; raise the limit if that is intended.",
        url: url)
    }
    return HTTPExchange(response: try HTTPResponse(response, requested: url), body: HTTPBody(data))
  }
}

/// One data task and its answer, given exactly once.
private final class SessionExchange: Sendable {
  private typealias Answer = Result<(Data, URLResponse), any Error>

  private struct State {
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<(Data, URLResponse), any Error>?
    var isCancelled = false
  }

  private let url: URL
  private let state = Locked(State())

  init(url: URL) { self.url = url }

  func run(_ request: URLRequest, in session: URLSession, totalTimeout: Double?) async throws -> (Data, URLResponse) {
    let task = session.dataTask(with: request) { [self] data, response, error in
      if let error {
        finish(.failure(URLSessionFailure.error(error, url: url)))
      } else if let response {
        finish(.success((data ?? Data(), response)))
      } else {
        finish(.failure(HTTPError(.protocolError, "The session gave no response; try again.", url: url)))
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(task, continuation)
        startTimer(totalTimeout)
      }
    } onCancel: {
      stop(with: CancellationError())
    }
  }

  private func begin(_ task: URLSessionDataTask, _ continuation: CheckedContinuation<(Data, URLResponse), any Error>) {
    let isCancelled = state.withLock { state in
      guard !state.isCancelled else { return true }
      state.task = task
      state.continuation = continuation
      return false
    }
    if isCancelled {
      continuation.resume(throwing: CancellationError())
      // A task that never started must be cancelled to be let go of.
      DispatchQueue.global().async { task.cancel() }
    } else {
      task.resume()
    }
  }

  private func startTimer(_ seconds: Double?) {
    guard let seconds else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      stop(
        with: HTTPError(
          .timedOut, "The transfer was not complete after \(seconds) seconds; allow more time or try again.", url: url))
    }
  }

  private func stop(with error: any Error) {
    let task = state.withLock { state in
      state.isCancelled = true
      defer { state.task = nil }
      return state.task
    }
    finish(.failure(error))
    // Never on the cancelling thread: FoundationNetworking takes its work queue's lock while the task's is held.
    if let task { DispatchQueue.global().async { task.cancel() } }
  }

  private func finish(_ answer: Answer) {
    let continuation = state.withLock { state in
      state.task = nil
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: answer)
  }
}

extension HTTPResponse {
  /// - Throws: `HTTPError` where the response is not HTTP's.
  init(_ response: URLResponse, requested url: URL) throws {
    guard let response = response as? HTTPURLResponse else {
      throw HTTPError(.protocolError, "The answer of “\(url)” is not HTTP; check the address.", url: url)
    }
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.append(name: name, value: value) }
    }
    // The session has undone the coding; its length is not the body's.
    let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
    if ["gzip", "x-gzip", "deflate", "br"].contains(coding) {
      headers["Content-Encoding"] = nil
      headers["Content-Length"] = nil
    }
    self.init(url: response.url ?? url, status: response.statusCode, headers: headers)
  }
}
