import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asking the server, and what its answer means for what is stored.
extension CacheEngine {
  /// A response on its way, with the times by which its age will be judged.
  struct Reply: Sendable {
    var exchange: HTTPExchange
    var requested: Date
    var received: Date

    var response: HTTPResponse { exchange.response }

    func mayHaveBody(_ errand: Errand) -> Bool {
      let method = errand.query.method
      guard method != "HEAD", response.status != 204, response.status != 304 else { return false }
      return response.expectedLength(method: method) != 0
    }
  }

  /// What a request carries beside what the caller asked for.
  private struct Question {
    /// Whether what is stored still holds.
    var conditions: HTTPHeaders?
    /// What is here of a body that broke off, to be gone on with.
    var beginning: PartialResponse?

    var fields: [HTTPHeaders.Field] {
      (conditions?.fields ?? []) + (beginning.map { Resumption.fields(for: $0).fields } ?? [])
    }
  }

  func forward(
    _ errand: Errand, conditions: HTTPHeaders?, because reason: CachePolicy.Reason
  ) async throws -> HTTPResult {
    try await forward(errand, Question(conditions: conditions, beginning: beginning(errand)), because: reason)
  }

  private func forward(
    _ errand: Errand, _ question: Question, because reason: CachePolicy.Reason
  ) async throws -> HTTPResult {
    do {
      let reply = try await send(errand, question)
      let status = reply.response.status
      if let beginning = question.beginning {
        switch Resumption.judge(reply.response, to: beginning) {
        case .rest: return try await goOn(reply, after: beginning, errand)
        case .restart:
          parts.remove(errand.storeQuery.key)
          return try await forward(errand, Question(conditions: question.conditions), because: reason)
        case .other: break
        }
      }
      if status == 206, !errand.allowsPart { throw HTTPError.unaskedPart(errand.query.url) }
      if status == 304, let result = await confirm(reply, errand, question.conditions, reason) { return result }
      // It confirms something else, or what it confirms has gone meanwhile.
      if status == 304, question.conditions != nil { return try await forward(errand, Question(), because: reason) }
      if let result = await standIn(.status(status), errand, reason, detail: "\(status)") { return result }
      // A redirect that cannot be followed is no response to keep.
      if errand.passes(reply.response) { try errand.checkTarget(of: reply.response) }
      if errand.isStreamed, reply.mayHaveBody(errand) { return stream(reply, errand, reason) }
      return keep(reply, try await body(of: reply, errand), errand, reason)
    } catch let failure as HTTPError where failure.isUnreachable {
      let detail = failure.code.rawValue
      guard let result = await standIn(.unreachable, errand, reason, detail: detail) else { throw failure }
      return result
    }
  }

  private func send(_ errand: Errand, _ question: Question) async throws -> Reply {
    var request = errand.request
    for field in question.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    if request.value(forHTTPHeaderField: "Cache-Control") == nil {
      // Caches on the way are meant as well.
      switch request.cachePolicy {
      case .reloadIgnoringLocalAndRemoteCacheData: request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
      case .reloadRevalidatingCacheData: request.setValue("max-age=0", forHTTPHeaderField: "Cache-Control")
      default: break
      }
    }
    try await errand.admit?()
    var options = errand.options
    options.followsRedirects = options.followsRedirects && errand.query.name != nil
    options.totalTimeout = try errand.time.remaining(for: errand.query.url)
    let requested = clock.now()
    let exchange = try await transport.send(request, options: options)
    return Reply(exchange: exchange, requested: requested, received: clock.now())
  }

  // MARK: Bodies

  /// The beginning of what is asked for, where it is here and worth going on with.
  private func beginning(_ errand: Errand) -> PartialResponse? {
    let query = errand.query
    guard query.method == "GET", !query.isConditional, !query.refusesStored,
      let part = parts.part(for: errand.storeQuery), part.body.prefix.count >= Resumption.minimumBytes,
      part.body.total <= errand.options.maximumBodyBytes
    else { return nil }
    return part
  }

  /// The whole body of a reply; `nil` for a redirect whose body is too long or breaks off: nobody reads it.
  private func body(of reply: Reply, _ errand: Errand) async throws -> Data? {
    guard errand.passes(reply.response) else {
      return try await receive(reply, errand, limit: errand.options.maximumBodyBytes, progress: errand.progress)
    }
    do { return try await reply.exchange.body.collect(limit: Self.longestRedirect) } catch is HTTPError { return nil }
  }

  /// Bytes of the body of a redirect: more cost more than a new connection.
  private static let longestRedirect = 64 << 10

  /// Reads the body. Of one that breaks off what had come is kept, where it may be.
  private func receive(
    _ reply: Reply, _ errand: Errand, limit: Int, progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> Data {
    let expected = reply.response.expectedLength(method: errand.query.method)
    return try await reply.exchange.body.collect(limit: limit, expected: expected, progress: progress) {
      data, failure in
      if Resumption.mayFollow(failure) { self.keepBeginning(data, of: reply, errand) }
    }
  }

  /// Receives what was missing, and makes it one response with what was here.
  private func goOn(_ reply: Reply, after part: PartialResponse, _ errand: Errand) async throws -> HTTPResult {
    let (start, total) = (part.body.prefix.count, part.body.total)
    let progress = errand.progress.map { tell in
      { @Sendable (rest: HTTPProgress) in tell(HTTPProgress(received: start + rest.received, expected: total)) }
    }
    progress?(HTTPProgress(received: 0, expected: nil))
    let rest = try await receive(
      reply, errand, limit: errand.options.maximumBodyBytes - start, progress: progress)
    guard rest.count == total - start else {
      throw HTTPError(
        .truncatedBody, "The rest of the body has another length than was announced; try again.", url: errand.query.url)
    }
    var whole = reply
    whole.exchange.response.status = 200
    whole.exchange.response.headers =
      Validation.freshened(part.head, by: reply.response, requested: reply.requested, received: reply.received)
      .response.headers
    counters.withLock { counters in
      counters.resumed += 1
      counters.resumedBytes += start
    }
    var result = keep(whole, part.body.prefix + rest, errand, .partial)
    result.cacheStatus.forwardStatus = reply.response.status
    result.resumedBytes = start
    return result
  }

  // MARK: What is stored still holds, or has to do

  /// Section 4.3.4: a 304 puts its fields on the stored response, whose body is the answer where we asked.
  private func confirm(
    _ reply: Reply, _ errand: Errand, _ conditions: HTTPHeaders?, _ reason: CachePolicy.Reason
  ) async -> HTTPResult? {
    guard let head = errand.found.head else { return nil }
    switch Validation.verdict(reply.response, on: head.response) {
    case .same: break
    case .different: return nil
    // The condition was of the stored response's own validators, or else of whatever the caller has.
    case .untold: guard conditions != nil else { return nil }
    }
    let freshened = Validation.freshened(
      head, by: reply.response, requested: reply.requested, received: reply.received)
    freshen(freshened, errand.storeQuery)
    guard conditions != nil, let data = await storedBody(errand) else { return nil }
    let until = policy.freshUntil(freshened)
    let status = CacheStatus(
      forward: CacheStatus.Forward(reason), forwardStatus: 304,
      timeToLive: Int(until.timeIntervalSince(reply.received)), isStored: true)
    count(errand, freshened.response) { $0.revalidations += 1 }
    if !errand.passes(freshened.response) {
      errand.progress?(HTTPProgress(received: data.count, expected: data.count))
    }
    return HTTPResult(
      response: freshened.response, data: data, origin: .revalidated, freshUntil: until,
      mayBeStored: mayBeStored(freshened.response, errand.query), entry: head.id, cacheStatus: status)
  }

  private func storedBody(_ errand: Errand) async -> Data? {
    if let data = errand.found.data { return data }
    guard let head = errand.found.head else { return nil }
    return await disk?.body(of: head.id)
  }

  /// What is stored, where it may stand in for a response that failed.
  private func standIn(
    _ failure: CachePolicy.Failure, _ errand: Errand, _ reason: CachePolicy.Reason, detail: String
  ) async -> HTTPResult? {
    let reuse = policy.decideOnFailure(failure, errand.query, stored: errand.found.head, now: clock.now())
    guard let reuse, let head = errand.found.head, let data = await storedBody(errand) else { return nil }
    count(errand, head.response) { $0.rescues += 1 }
    var status = CacheStatus(
      forward: CacheStatus.Forward(reason), timeToLive: Int(reuse.lifetime - reuse.age), detail: detail)
    if case .status(let code) = failure { status.forwardStatus = code }
    return answer(errand, reuse, head, data, status: status)
  }
}

extension HTTPError {
  /// Whether no server answered, or it fell silent: the network's fault, or the server's host, not the request's.
  var isUnreachable: Bool {
    [.hostNotFound, .refused, .reset, .timedOut, .offline, .unavailable].contains(code)
  }

  fileprivate static func unaskedPart(_ url: URL) -> HTTPError {
    HTTPError(
      .protocolError, "The server sent a part (206) of what was asked for whole; it is refused.", url: url)
  }
}
