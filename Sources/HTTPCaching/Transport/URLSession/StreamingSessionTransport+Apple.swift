#if canImport(Darwin)
  import Foundation
  import Synchronized

  /// The transport of Apple's platforms: a URLSession of our own, so that HTTP/3, proxies, and the system's rules for
  /// cellular data and encryption hold, with streaming, limits and errors as everywhere else in this package.
  ///
  /// The session caches nothing and keeps no cookies. Redirects are judged by `RedirectPolicy`. Where the reader falls
  /// behind, the task is suspended; the system may then have read somewhat more than the 256 KiB we ask for.
  public final class StreamingSessionTransport: HTTPTransport {
    /// One for the whole process.
    public static let shared = StreamingSessionTransport()

    private let session: URLSession
    private let router: SessionRouter

    /// - Parameter connectionsPerHost: default 6.
    public init(connectionsPerHost: Int = 6) {
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpMaximumConnectionsPerHost = connectionsPerHost
      let router = SessionRouter()
      self.router = router
      session = URLSession(configuration: configuration, delegate: router, delegateQueue: router.queue)
    }

    /// What is under way goes on to its end.
    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
      try Task.checkCancellation()
      let outgoing = try OutgoingRequest(request)
      var request = request
      request.timeoutInterval = max(options.idleTimeout.asDelay, 0.001)
      request.cachePolicy = .reloadIgnoringLocalCacheData
      // URLSession asks for compression otherwise; images are compressed already.
      if request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      }
      let channel = TransferChannel()
      let task = session.dataTask(with: request)
      let transfer = SessionTransfer(outgoing, options: options, channel: channel, task: task)
      router.add(transfer, for: task.taskIdentifier)
      // The reader keeps the session alive.
      let reader = TransferReader(channel) { [self] signal in handle(signal, transfer) }
      options.priority?.follow { [weak task] in task?.priority = Float($0) }
      task.resume()
      startTimer(options.totalTimeout, transfer)
      return HTTPExchange(response: try await reader.head(), body: HTTPBody(reader))
    }

    /// Not on the calling thread, which may hold the lock of a task that is being cancelled.
    private func handle(_ signal: TransferReader.Signal, _ transfer: SessionTransfer) {
      switch signal {
      case .demand: router.serial.async { transfer.drain() }
      case .cancel: DispatchQueue.global().async { transfer.task.cancel() }
      }
    }

    private func startTimer(_ seconds: Double?, _ transfer: SessionTransfer) {
      guard let seconds else { return }
      router.serial.asyncAfter(deadline: .now() + seconds) { [weak transfer] in
        transfer?.fail(
          HTTPError(
            .timedOut, "The transfer was not complete after \(seconds) seconds; allow more time or try again.",
            url: transfer?.task.originalRequest?.url))
      }
    }
  }

  /// Hands the session's events to the transfers they belong to. All of them come on one serial queue.
  private final class SessionRouter: NSObject, URLSessionDataDelegate {
    /// The operation queue does not keep the queue beneath it.
    let serial = DispatchQueue(label: "Vignette.HTTPCaching.session")
    let queue = OperationQueue()
    private let transfers = Locked<[Int: SessionTransfer]>([:])

    override init() {
      super.init()
      queue.maxConcurrentOperationCount = 1
      queue.underlyingQueue = serial
    }

    func add(_ transfer: SessionTransfer, for task: Int) { transfers.withLock { $0[task] = transfer } }

    private func transfer(_ task: URLSessionTask) -> SessionTransfer? {
      transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(transfer(task)?.redirect(response, proposed: request))
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(transfer(dataTask)?.receive(response) == true ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
  }

  /// One exchange as the session tells it.
  private final class SessionTransfer: @unchecked Sendable {
    // guard: everything but `channel` and `task` is touched on the session's serial queue only.
    let task: URLSessionDataTask
    private let channel: TransferChannel
    private let options: TransportOptions
    private var request: OutgoingRequest
    private var redirects = 0
    private var received = 0
    private var expected: Int?
    private var failure: (any Error)?
    /// What the channel had no room for.
    private var backlog: [Data] = []
    private var isSuspended = false
    private var completion: (any Error)??

    init(_ request: OutgoingRequest, options: TransportOptions, channel: TransferChannel, task: URLSessionDataTask) {
      self.request = request
      self.options = options
      self.channel = channel
      self.task = task
    }

    /// - Returns: the request to follow with, or `nil` to take the redirect as the response; the session's own proposal
    ///   would carry secrets along.
    func redirect(_ response: HTTPURLResponse, proposed: URLRequest) -> URLRequest? {
      guard options.followsRedirects else { return nil }
      let location = response.allHeaderFields["Location"] as? String ?? proposed.url?.absoluteString ?? ""
      do {
        request = try RedirectPolicy.follow(
          request, status: response.statusCode, location: location, count: redirects, limit: options.maximumRedirects)
      } catch {
        fail(error)
        return nil
      }
      redirects += 1
      var next = proposed
      next.url = request.url
      next.httpMethod = request.method
      next.httpBody = request.body
      next.allHTTPHeaderFields = nil
      for field in request.headers { next.addValue(field.value, forHTTPHeaderField: field.name) }
      return next
    }

    func receive(_ response: URLResponse) -> Bool {
      do {
        let head = try HTTPResponse(response, requested: request.url)
        expected = head.expectedLength(method: request.method)
        if let expected, expected > options.maximumBodyBytes { throw tooLarge }
        channel.deliver(head, expected: expected)
        channel.flush()
        return true
      } catch {
        failure = error
        return false
      }
    }

    func receive(_ data: Data) {
      received += data.count
      guard received <= options.maximumBodyBytes else { return fail(tooLarge) }
      backlog.append(data)
      drain()
    }

    /// Moves what has arrived to the channel; while that has no room the task is suspended.
    func drain() {
      while let data = backlog.first {
        switch data.withUnsafeBytes({ channel.append($0) }) {
        case .taken: backlog.removeFirst()
        case .full: return suspend()
        case .outOfMemory: return fail(tooLarge)
        }
      }
      if isSuspended {
        isSuspended = false
        task.resume()
      }
      if let completion { channel.finish(completion) }
      channel.flush()
    }

    func complete(_ error: (any Error)?) {
      let cause = failure ?? error.map(explain)
      completion = .some(cause)
      if cause != nil { backlog = [] }
      drain()
    }

    /// The session tells a body that ended early from a connection that broke no better than this.
    private func explain(_ error: any Error) -> any Error {
      if let expected, received < expected, (error as? URLError)?.code == .networkConnectionLost {
        return HTTPError(
          .truncatedBody, "The body ended before its announced length; try again.", url: request.url, underlying: error)
      }
      return URLSessionFailure.error(error, url: request.url)
    }

    func fail(_ error: any Error) {
      if failure == nil { failure = error }
      task.cancel()
    }

    private func suspend() {
      channel.flush()
      guard !isSuspended, completion == nil else { return }
      isSuspended = true
      task.suspend()
    }

    private var tooLarge: HTTPError {
      HTTPError(
        .bodyTooLarge,
        "The body is longer than \(options.maximumBodyBytes) bytes; raise the limit if that is intended.",
        url: request.url)
    }
  }
#endif
