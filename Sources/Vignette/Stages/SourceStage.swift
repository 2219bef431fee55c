import Foundation
import HTTPCaching
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The first stage: from one candidate to encoded bytes, whatever kind of source it is, tried as often as the retry
/// policy says.
struct SourceStage: Sendable {
  let loader: DataLoader
  let coordinator: Coordinator
  let retry: RetryPolicy
  let network: NetworkReturn
  let clock: PipelineClock
  let events: EventHub
  private let refusals = Locked(NegativeCache<SourceKey>())

  init(_ configuration: ImagePipeline.Configuration, coordinator: Coordinator, events: EventHub) {
    loader = configuration.loader
    retry = configuration.retry
    network = configuration.network
    clock = configuration.clock
    self.coordinator = coordinator
    self.events = events
  }

  func bytes(
    of candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, work: Work
  ) async throws -> EncodedImage {
    do {
      var encoded: EncodedImage
      switch candidate.source {
      case .bytes(let read): encoded = EncodedImage(data: try await read(), origin: .data)
      case .stream(let produce):
        encoded = EncodedImage(data: try await Self.collect(produce, request, work: work), origin: .data)
      case .url, .urlRequest, .sized: encoded = try await bytes(behind: candidate, for: request, mode: mode, work: work)
      }
      guard encoded.data.count <= request.transport.maximumBodyBytes else {
        throw ImageLoadingError.tooLarge(encoded.data.count, limit: request.transport.maximumBodyBytes)
      }
      encoded.isAlternative = candidate.isAlternative
      if candidate.isAlternative { encoded.freshUntil = clock.now() }
      if encoded.resumedBytes > 0 { events.record(.resumed(bytes: encoded.resumedBytes), request) }
      events.record(.fetched(encoded.origin, bytes: encoded.data.count - encoded.resumedBytes), request)
      return encoded
    } catch let error as CancellationError where !Task.isCancelled {
      // Nobody cancelled this load. Passed on, it would look as if the caller had, and the picture would wait for ever.
      throw ImageLoadingError(
        .source, "The source of this picture gave up without being asked to.", url: request.url, underlying: error)
    }
  }

  // MARK: Closures

  private static func collect(
    _ produce: @Sendable ((Data) throws -> Void) async throws -> Void, _ request: ImageRequest, work: Work
  ) async throws -> Data {
    let limit = request.transport.maximumBodyBytes
    let whole = Locked(Data())
    try await produce { chunk in
      try Task.checkCancellation()
      let count = try whole.withLock { whole in
        guard chunk.count <= limit - whole.count else {
          throw ImageLoadingError.tooLarge(whole.count + chunk.count, limit: limit)
        }
        whole.append(chunk)
        return whole.count
      }
      work.report(HTTPProgress(received: count, expected: nil))
    }
    return whole.withLock { $0 }
  }

  // MARK: Addresses

  private func bytes(
    behind candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, work: Work
  ) async throws -> EncodedImage {
    guard let urlRequest = candidate.source.urlRequest, let url = urlRequest.url,
      let scheme = url.scheme?.lowercased()
    else {
      throw ImageLoadingError(
        .invalidURL, "The address has no scheme; write it in full, such as https://example.com/picture.jpg.",
        url: candidate.source.url)
    }
    let limit = request.transport.maximumBodyBytes
    switch scheme {
    case "http", "https":
      return try await fetch(urlRequest, candidate, for: request, mode: mode, work: work)
    case "file":
      let place = try await coordinator.takePlace(.file, urgency: .work(work))
      let lease = SourceLease(place)
      do {
        var encoded = try await coordinator.runBlocking(at: place) { isCancelled in
          try LocalSources.read(file: url, limit: limit, report: work.report, isCancelled: isCancelled)
        }
        encoded.lease = lease
        return encoded
      } catch {
        lease.end()
        throw error
      }
    case "data":
      let data = try await coordinator.runBlocking(.file, urgency: .work(work)) { _ in
        try LocalSources.decode(dataURL: url, limit: limit)
      }
      return EncodedImage(data: data, origin: .data)
    default:
      throw ImageLoadingError(
        .unsupportedScheme,
        "Addresses that begin with \(scheme): cannot be loaded; begin with https:, http:, file: or data:, in full, such as "
          + "https://localhost:8080/picture.jpg.",
        url: url)
    }
  }

  // MARK: HTTP

  private func fetch(
    _ urlRequest: URLRequest, _ candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, work: Work
  ) async throws -> EncodedImage {
    if let refusal = recentRefusal(of: candidate.key, policy: mode.policy) {
      events.record(.refusedAgain, request)
      throw refusal
    }
    let method = urlRequest.httpMethod ?? "GET"
    var attempt = 1
    while true {
      do {
        return try await fetchOnce(urlRequest, candidate, for: request, mode: mode, work: work)
      } catch {
        guard !(error is CancellationError) else { throw error }
        let failure = ImageLoadingError(error, url: urlRequest.url)
        refusals.withLock { _ = $0.record(failure, for: candidate.key, now: clock.uptime()) }
        let decision = (request.retry ?? retry).decision(
          for: failure, attempt: attempt, retryAfter: failure.retryAfter, random: clock.random(), method: method)
        guard case .wait(let seconds) = decision, mode.policy != .offline else { throw failure }
        events.record(.retried(failure.code, after: seconds), request)
        try await wait(seconds, after: failure)
        attempt += 1
      }
    }
  }

  private func recentRefusal(of key: SourceKey, policy: ImageCachePolicy) -> ImageLoadingError? {
    refusals.withLock { refusals in
      guard policy != .reload else {
        refusals.remove(key)
        return nil
      }
      return refusals.error(for: key, now: clock.uptime())
    }
  }

  /// Where there is no network, until it is back if that is sooner.
  private func wait(_ seconds: Double, after failure: ImageLoadingError) async throws {
    guard failure.code == .offline else { return try await clock.sleep(seconds) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await clock.sleep(seconds) }
      group.addTask {
        await network.wait()
        try Task.checkCancellation()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func fetchOnce(
    _ original: URLRequest, _ candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, work: Work
  ) async throws -> EncodedImage {
    let urlRequest = try await prepared(original, for: request, policy: mode.policy)
    guard let url = urlRequest.url else { throw ImageLoadingError.unpreparedAddress(original.url) }
    let lease = SourceLease(coordinator, host: Self.lane(of: url), urgency: .work(work))
    do {
      var encoded = try await receive(urlRequest, url, candidate, for: request, mode: mode, work: work, lease: lease)
      encoded.lease = lease
      return encoded
    } catch {
      lease.end()
      throw error
    }
  }

  private func receive(
    _ urlRequest: URLRequest, _ url: URL, _ candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode,
    work: Work, lease: SourceLease
  ) async throws -> EncodedImage {
    let priority = TransferPriority()
    var options = request.transport
    options.priority = priority
    let result = try await (request.sessionLoader?.dataLoader ?? loader).load(
      DataLoader.Call(
        request: urlRequest, options: options, cacheName: candidate.cacheName, report: work.report,
        admit: {
          try await lease.admit()
          lease.followPriority { priority.value = $0.share }
        }))
    guard (200..<300).contains(result.response.status) else {
      throw ImageLoadingError(
        status: result.response.status, url: url,
        retryAfter: RetryAfter.seconds(result.response.headers["Retry-After"], now: clock.now()))
    }
    let mayBeKept = result.mayBeStored && mode.policy.storesPictures
    return EncodedImage(
      data: result.data, origin: ImageResponse.Origin(result.origin), freshUntil: result.freshUntil,
      mayBeKept: mayBeKept, contents: mayBeKept ? ContentID(hashing: result.data) : nil,
      cacheStatus: result.cacheStatus, entry: mayBeKept ? result.entry : nil, resumedBytes: result.resumedBytes)
  }

  private func prepared(
    _ original: URLRequest, for request: ImageRequest, policy: ImageCachePolicy
  ) async throws -> URLRequest {
    var urlRequest = original
    if let urlPolicy = policy.urlPolicy { urlRequest.cachePolicy = urlPolicy }
    // RFC 9111, section 5.2.1.5.
    if policy == .noStore { urlRequest.setValue("no-store", forHTTPHeaderField: "Cache-Control") }
    guard let prepare = request.prepare else { return urlRequest }
    urlRequest = try await prepare(urlRequest)
    try Task.checkCancellation()
    guard let scheme = urlRequest.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw ImageLoadingError.unpreparedAddress(original.url)
    }
    return urlRequest
  }

  /// One host's transfers share a lane; so do those of addresses that name none.
  private static func lane(of url: URL) -> String {
    "\(url.scheme?.lowercased() ?? "")://\(url.host?.lowercased() ?? ""):\(url.port ?? 0)"
  }
}

extension ImageLoadingError {
  fileprivate static func tooLarge(_ count: Int, limit: Int) -> ImageLoadingError {
    ImageLoadingError(
      .bodyTooLarge, "The source has at least \(count) bytes, more than the \(limit) allowed; raise maximumBodyBytes.")
  }

  fileprivate static func unpreparedAddress(_ url: URL?) -> ImageLoadingError {
    ImageLoadingError(
      .invalidURL, "The request's prepare hook left it without an http or https address; return one.", url: url)
  }
}

extension ImageResponse.Origin {
  init(_ origin: HTTPResult.Origin) {
    switch origin {
    case .network: self = .network
    case .disk: self = .disk
    case .revalidated: self = .revalidated
    case .memory: self = .memory
    }
  }
}
