import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries out what `CachePolicy` decides: looks in the stores, asks the server, keeps the answer.
///
/// Holds no state but the stores and counters, so that loads do not wait for each other. A stored response is only ever
/// written whole, after its body has arrived whole.
final class CacheEngine: Sendable {
  let clock: WallClock
  let policy: CachePolicy
  let memory: MemoryStore
  let disk: DiskStore?
  let refreshes = RefreshTable()
  let counters = Locked(HTTPCacheStatistics())
  private let transport: any HTTPTransport

  init(
    transport: any HTTPTransport, clock: WallClock, policy: CachePolicy, memory: MemoryStore,
    disk: DiskStore?
  ) {
    self.transport = transport
    self.clock = clock
    self.policy = policy
    self.memory = memory
    self.disk = disk
  }

  var stores: [any ResponseStore] { disk.map { [memory, $0] } ?? [memory] }

  /// Where attachments are kept: beside the bodies that last longest.
  var attachments: any ResponseStore { disk ?? memory }

  func data(
    for request: URLRequest, options: TransportOptions, cachedAs name: String?,
    beforeNetwork admit: (@Sendable () async throws -> Void)?, progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> HTTPResult {
    try Task.checkCancellation()
    guard let url = request.url else {
      throw HTTPError(.invalidURL, "The request has no URL; give it an http or https URL.")
    }
    let query = CacheQuery(request, url: url, name: name)
    let found = await lookUp(query, wanted: .body)
    let errand = Errand(
      request: request, query: query, options: options, found: found, admit: admit, progress: progress)
    switch found.decision {
    case .use(let reuse):
      guard let result = reused(reuse, errand) else { return try await forward(errand, because: .nothingStored) }
      progress?(HTTPProgress(received: result.data.count, expected: result.data.count))
      return result
    case .fail:
      throw HTTPError(.cacheMiss, "Nothing is stored for “\(url)”; allow the network to be used.", url: url)
    case .revalidate(let conditions, let reason):
      return try await forward(errand, conditions: conditions, because: reason)
    case .fetch(let reason):
      return try await forward(errand, because: reason)
    }
  }

  func attachment(named name: String, for request: URLRequest, cachedAs cacheName: String?) async -> HTTPAttachment? {
    guard let url = request.url else { return nil }
    let query = CacheQuery(request, url: url, name: cacheName)
    let found = await lookUp(query, wanted: .attachment(name))
    guard case .use(let reuse) = found.decision, let head = found.head else { return nil }
    var data = found.data
    if found.origin == .memory { data = await attachments.attachment(named: name, of: head.id) }
    guard let data else { return nil }
    let errand = Errand(request: request, query: query, options: TransportOptions(), found: found, progress: nil)
    refreshIfNeeded(reuse, errand)
    return HTTPAttachment(
      data: data, entry: head.id, freshUntil: policy.freshUntil(head), cacheStatus: CacheStatus(hit: reuse))
  }

  func statistics() async -> HTTPCacheStatistics {
    var statistics = counters.withLock { $0 }
    statistics.memory.bytes = memory.cost
    statistics.memory.budgetBytes = memory.budget
    statistics.memory.entries = memory.count
    statistics.memory.evictions = memory.evictions
    statistics.disk = await disk?.statistics()
    return statistics
  }

  // MARK: Looking

  /// What is stored for a request, and what follows from it.
  struct Found: Sendable {
    var head: StoredHead?
    /// The part that was wanted, where the response may be used.
    var data: Data?
    var origin = HTTPResult.Origin.memory
    var decision: CachePolicy.Decision
  }

  /// In memory first; on disk where memory has nothing to use.
  private func lookUp(_ query: CacheQuery, wanted part: StoredPart) async -> Found {
    let now = clock.now()
    guard query.isAnswerable else { return Found(decision: policy.decide(query, stored: nil, now: now)) }
    let storeQuery = StoreQuery(query)
    let here = memory.select(storeQuery)
    let decision = policy.decide(query, stored: here?.head, now: now)
    let found = Found(head: here?.head, data: here?.data, decision: decision)
    guard let disk, query.preference != .reload else { return found }
    if decision.isUse, let head = here?.head {
      disk.touch(head.id)
      return found
    }
    let policy = policy
    let selected = await disk.select(storeQuery) { head in
      policy.decide(query, stored: head, now: now).isUse ? part : .nothing
    }
    // Another process may have stored a newer one; else memory has the same, with its body.
    guard let selected, here.map({ $0.head.responseTime < selected.head.responseTime }) ?? true else { return found }
    if case .body = part, let data = selected.data {
      memory.insert(StoredResponse(head: selected.head, data: data), for: storeQuery)
    }
    return Found(
      head: selected.head, data: selected.data, origin: .disk,
      decision: policy.decide(query, stored: selected.head, now: now))
  }

  // MARK: Reusing

  private func reused(_ reuse: CachePolicy.Reuse, _ errand: Errand) -> HTTPResult? {
    guard let head = errand.found.head, let data = errand.found.data else { return nil }
    counters.withLock { counters in
      if errand.found.origin == .disk { counters.diskHits += 1 } else { counters.memoryHits += 1 }
      if reuse.age >= reuse.lifetime { counters.staleHits += 1 }
    }
    refreshIfNeeded(reuse, errand)
    return answer(errand.query, reuse, head, data, origin: errand.found.origin, status: CacheStatus(hit: reuse))
  }

  private func answer(
    _ query: CacheQuery, _ reuse: CachePolicy.Reuse, _ head: StoredHead, _ data: Data, origin: HTTPResult.Origin,
    status: CacheStatus
  ) -> HTTPResult {
    var stored = head.response
    stored.headers = stored.headers.without(reuse.withheldFields)
    // Section 5.1: what a cache answers with says how old it is.
    stored.headers["Age"] = "\(Int(reuse.age))"
    let (response, body) = StoredAnswer.make(query, stored, data)
    return HTTPResult(
      response: response, data: body, origin: origin, freshUntil: policy.freshUntil(head), entry: head.id,
      cacheStatus: status)
  }

  private func refreshIfNeeded(_ reuse: CachePolicy.Reuse, _ errand: Errand) {
    guard reuse.permission == .staleWhileRevalidate, let head = errand.found.head else { return }
    var behind = errand
    behind.progress = nil
    behind.admit = nil
    // The condition is about the whole stored response, not the part or the copy that the caller asked for.
    behind.strip()
    let conditions = Validation.conditions(for: head.response)
    refreshes.start(head.id) { [self, behind] in
      counters.withLock { $0.refreshes += 1 }
      // Its outcome is in the store; a failure leaves that as it was.
      _ = try? await forward(
        behind, conditions: conditions, because: .stale(age: reuse.age, lifetime: reuse.lifetime))
    }
  }

  // MARK: Asking the server

  /// One load on its way to the server.
  struct Errand: Sendable {
    var request: URLRequest
    var query: CacheQuery
    var options: TransportOptions
    var found: Found
    /// Waits until the network may be used.
    var admit: (@Sendable () async throws -> Void)?
    var progress: (@Sendable (HTTPProgress) -> Void)?

    /// Makes it a plain GET of the whole.
    mutating func strip() {
      request.httpMethod = "GET"
      for name in ["If-None-Match", "If-Modified-Since", "If-Range", "Range"] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
      if let url = request.url { query = CacheQuery(request, url: url, name: query.name) }
    }
  }

  /// A response on its way, with the times by which its age will be judged.
  struct Reply: Sendable {
    var exchange: HTTPExchange
    var requested: Date
    var received: Date

    var response: HTTPResponse { exchange.response }
  }

  private func forward(
    _ errand: Errand, conditions: HTTPHeaders? = nil, because reason: CachePolicy.Reason
  ) async throws -> HTTPResult {
    do {
      let reply = try await send(errand, conditions)
      let status = reply.response.status
      if status == 304, let result = await confirm(reply, errand, conditions, reason) { return result }
      // It confirms something else, or what it confirms has gone meanwhile.
      if status == 304, conditions != nil { return try await forward(errand, because: reason) }
      if let result = await standIn(.status(status), errand, reason, detail: "\(status)") { return result }
      let data = try await reply.exchange.body.collect(
        limit: errand.options.maximumBodyBytes, expected: reply.response.expectedLength(method: errand.query.method),
        progress: errand.progress)
      return keep(reply, data, errand, reason)
    } catch let failure as HTTPError where failure.isUnreachable {
      let detail = failure.code.rawValue
      guard let result = await standIn(.unreachable, errand, reason, detail: detail) else { throw failure }
      return result
    }
  }

  private func send(_ errand: Errand, _ conditions: HTTPHeaders?) async throws -> Reply {
    var request = errand.request
    for field in conditions ?? [:] { request.setValue(field.value, forHTTPHeaderField: field.name) }
    if request.value(forHTTPHeaderField: "Cache-Control") == nil {
      // Caches on the way are meant as well.
      switch request.cachePolicy {
      case .reloadIgnoringLocalAndRemoteCacheData: request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
      case .reloadRevalidatingCacheData: request.setValue("max-age=0", forHTTPHeaderField: "Cache-Control")
      default: break
      }
    }
    try await errand.admit?()
    let requested = clock.now()
    let exchange = try await transport.send(request, options: errand.options)
    return Reply(exchange: exchange, requested: requested, received: clock.now())
  }

  /// Section 4.3.4: a 304 puts its fields on the stored response, whose body is the answer where we asked.
  private func confirm(
    _ reply: Reply, _ errand: Errand, _ conditions: HTTPHeaders?, _ reason: CachePolicy.Reason
  ) async -> HTTPResult? {
    guard let head = errand.found.head, Validation.confirms(reply.response, head.response) else { return nil }
    let freshened = Validation.freshened(
      head, by: reply.response, requested: reply.requested, received: reply.received)
    freshen(freshened, errand.query)
    guard conditions != nil, let data = await body(errand) else { return nil }
    counters.withLock { $0.revalidations += 1 }
    let until = policy.freshUntil(freshened)
    let status = CacheStatus(
      forward: CacheStatus.Forward(reason), forwardStatus: 304,
      timeToLive: Int(until.timeIntervalSince(reply.received)), isStored: true)
    errand.progress?(HTTPProgress(received: data.count, expected: data.count))
    return HTTPResult(
      response: freshened.response, data: data, origin: .revalidated, freshUntil: until,
      mayBeStored: mayBeStored(freshened.response, errand.query), entry: head.id, cacheStatus: status)
  }

  private func freshen(_ head: StoredHead, _ query: CacheQuery) {
    let storeQuery = StoreQuery(query)
    for store in stores {
      if policy.control(of: head.response).noStore {
        store.remove(head.id)
      } else {
        store.freshen(head, for: storeQuery)
      }
    }
  }

  private func body(_ errand: Errand) async -> Data? {
    if let data = errand.found.data { return data }
    guard let head = errand.found.head else { return nil }
    return await disk?.body(of: head.id)
  }

  /// What is stored, where it may stand in for a response that failed.
  private func standIn(
    _ failure: CachePolicy.Failure, _ errand: Errand, _ reason: CachePolicy.Reason, detail: String
  ) async -> HTTPResult? {
    let reuse = policy.decideOnFailure(failure, errand.query, stored: errand.found.head, now: clock.now())
    guard let reuse, let head = errand.found.head, let data = await body(errand) else { return nil }
    counters.withLock { $0.rescues += 1 }
    var status = CacheStatus(
      forward: CacheStatus.Forward(reason), timeToLive: Int(reuse.lifetime - reuse.age), detail: detail)
    if case .status(let code) = failure { status.forwardStatus = code }
    return answer(errand.query, reuse, head, data, origin: errand.found.origin, status: status)
  }

  // MARK: Keeping

  private func keep(
    _ reply: Reply, _ data: Data, _ errand: Errand, _ reason: CachePolicy.Reason
  ) -> HTTPResult {
    counters.withLock { $0.networkLoads += 1 }
    let query = errand.query
    for url in Invalidation.urls(query, reply.response) {
      for store in stores { store.removeAll(url: CacheKey.withoutFragment(url)) }
    }
    if query.method == "HEAD" { updateByHead(reply, errand) }
    var response = reply.response
    response.headers = response.headers.storable
    let head = StoredHead(
      id: EntryNames.shared.next(), response: response,
      selectingHeaders: Variants.selectingHeaders(query.headers, for: response), requestTime: reply.requested,
      responseTime: reply.received, bodyLength: data.count)
    let isStored = store(StoredResponse(head: head, data: data), query)
    let until = policy.freshUntil(head)
    let status = CacheStatus(
      forward: CacheStatus.Forward(reason), forwardStatus: response.status,
      timeToLive: Int(until.timeIntervalSince(reply.received)), isStored: isStored)
    return HTTPResult(
      response: reply.response, data: data, origin: .network, freshUntil: until,
      mayBeStored: mayBeStored(response, query), entry: isStored ? head.id : nil, cacheStatus: status)
  }

  private func store(_ stored: StoredResponse, _ query: CacheQuery) -> Bool {
    let storeQuery = StoreQuery(query)
    guard policy.mayStore(query, stored.head.response, received: stored.head.responseTime) == .store else {
      if query.method == "GET", !query.isConditional, CachePolicy.supersedes(stored.head.response.status) {
        // What was stored has been superseded by something that may not be kept.
        for store in stores { store.removeSelected(by: storeQuery) }
      }
      return false
    }
    return stores.reduce(false) { $1.insert(stored, for: storeQuery) || $0 }
  }

  /// Section 4.3.5: a HEAD shows whether what is stored for GET still holds.
  private func updateByHead(_ reply: Reply, _ errand: Errand) {
    guard reply.response.status == 200, let head = errand.found.head else { return }
    guard Validation.confirms(head: reply.response, head) else {
      for store in stores { store.remove(head.id) }
      return
    }
    let freshened = Validation.freshened(
      head, by: reply.response, requested: reply.requested, received: reply.received)
    freshen(freshened, errand.query)
  }

  private func mayBeStored(_ response: HTTPResponse, _ query: CacheQuery) -> Bool {
    let control = policy.control(of: response)
    return !(control.noStore && !control.mustUnderstand) && !CacheControl(query.headers).noStore
  }
}

extension CachePolicy.Decision {
  var isUse: Bool {
    if case .use = self { true } else { false }
  }
}

extension HTTPError {
  /// Whether no server answered, or it fell silent: the network's fault, or the server's host, not the request's.
  var isUnreachable: Bool {
    [.hostNotFound, .refused, .reset, .timedOut, .offline, .unavailable].contains(code)
  }
}
