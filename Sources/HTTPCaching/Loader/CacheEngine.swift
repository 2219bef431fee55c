import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries out what `CachePolicy` decides: looks in the stores, asks the server, keeps the answer. Redirects are
/// followed here, so that each is a stored response of its own URL like any other.
///
/// Holds no state but the stores and counters, so that loads do not wait for each other. A stored response is only ever
/// written whole, after its body has arrived whole; what has not is kept apart, as parts.
final class CacheEngine: Sendable {
  let clock: WallClock
  let policy: CachePolicy
  let memory: MemoryStore
  let disk: DiskStore?
  /// Those of the two that keep anything, memory first.
  let stores: [any ResponseStore]
  let parts: PartStore
  let refreshes = RefreshTable()
  let counters = Locked(HTTPCacheStatistics())
  /// Bytes that bodies being gathered for the stores while they go out may still take; readers decide for how long.
  let gatheringBytesLeft = Locked(64 << 20)
  let transport: any HTTPTransport
  private let uptime: @Sendable () -> Double

  init(transport: any HTTPTransport, configuration: HTTPLoader.Configuration, disk: DiskStore?) {
    self.transport = transport
    policy = CachePolicy(configuration)
    self.disk = disk
    clock = configuration.clock
    uptime = configuration.uptime
    memory = MemoryStore(budget: configuration.memoryBudget)
    stores = (memory.budget > 0 ? [memory] : []) + (disk.map { [$0] } ?? [])
    parts = PartStore(budget: configuration.partialBudget)
  }

  /// Where attachments are kept: beside the bodies that last longest.
  var attachments: any ResponseStore { disk ?? memory }

  func timeLimit(_ options: TransportOptions) -> TimeLimit { TimeLimit(options.totalTimeout, uptime: uptime) }

  // MARK: The way of a load

  func data(
    for request: URLRequest, options: TransportOptions, cachedAs name: String?,
    beforeNetwork admit: (@Sendable () async throws -> Void)?, progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> HTTPResult {
    var errand = try Errand(request, options: options, name: name, time: timeLimit(options))
    errand.admit = admit
    errand.progress = progress
    var route = Route()
    while true {
      try Task.checkCancellation()
      let result = try await answer(errand)
      route.reach(errand.storeQuery)
      guard errand.passes(result.response) else {
        for query in route.superseded { forget(query) }
        return route.end(result)
      }
      let count = route.count
      route.pass(result, errand)
      try errand.follow(result.response, count: count)
    }
  }

  /// The response to the request of one hop.
  func answer(_ errand: Errand) async throws -> HTTPResult {
    var errand = errand
    if errand.query.refusesStored { parts.remove(errand.storeQuery.key) }
    errand.found = await lookUp(errand, wanted: .body)
    if case .use(let reuse) = errand.found.decision, let result = reused(reuse, errand) { return result }
    if let result = cut(errand) { return result }
    switch errand.found.decision {
    case .use:
      // Its body has gone meanwhile.
      return try await forward(errand, conditions: nil, because: .nothingStored)
    case .fail:
      throw HTTPError(
        .cacheMiss, "Nothing is stored for “\(errand.query.url)”; allow the network to be used.",
        url: errand.query.url)
    case .revalidate(let conditions, let reason):
      return try await forward(errand, conditions: conditions, because: reason)
    case .fetch(let reason):
      return try await forward(errand, conditions: nil, because: reason)
    }
  }

  func attachment(named name: String, for request: URLRequest, cachedAs cacheName: String?) async -> HTTPAttachment? {
    let options = TransportOptions()
    guard var errand = try? Errand(request, options: options, name: cacheName, time: timeLimit(options)) else {
      return nil
    }
    var freshUntil: Date?
    for count in 0... {
      errand.found = await lookUp(errand, wanted: .attachment(name))
      guard case .use(let reuse) = errand.found.decision, let head = errand.found.head else { return nil }
      freshUntil = Route.earlier(freshUntil, policy.freshUntil(head))
      if errand.passes(head.response) {
        refreshIfNeeded(reuse, errand)
        guard (try? errand.follow(head.response, count: count)) != nil else { return nil }
        continue
      }
      var data = errand.found.data
      if errand.found.origin == .memory { data = await attachments.attachment(named: name, of: head.id) }
      guard let data else { return nil }
      refreshIfNeeded(reuse, errand)
      return HTTPAttachment(data: data, entry: head.id, freshUntil: freshUntil, cacheStatus: CacheStatus(hit: reuse))
    }
    return nil
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
  private func lookUp(_ errand: Errand, wanted part: StoredPart) async -> Found {
    let (query, storeQuery) = (errand.query, errand.storeQuery)
    let now = clock.now()
    guard query.isAnswerable else { return Found(decision: policy.decide(query, stored: nil, now: now)) }
    let here = memory.select(storeQuery)
    let decision = policy.decide(query, stored: here?.head, now: now)
    let found = Found(head: here?.head, data: here?.data, decision: decision)
    guard let disk else { return found }
    // What is on disk is of no use then, and not looked at.
    if query.preference == .reload {
      return Found(head: here?.head, data: here?.data, decision: .fetch(.requestDirective))
    }
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
    count(errand, head.response) { counters in
      if errand.found.origin == .disk { counters.diskHits += 1 } else { counters.memoryHits += 1 }
      if reuse.age >= reuse.lifetime { counters.staleHits += 1 }
    }
    refreshIfNeeded(reuse, errand)
    let result = answer(errand, reuse, head, data, status: CacheStatus(hit: reuse))
    if !errand.passes(head.response) {
      errand.progress?(HTTPProgress(received: result.data.count, expected: result.data.count))
    }
    return result
  }

  /// What a stored response answers.
  func answer(_ errand: Errand, _ reuse: CachePolicy.Reuse, _ head: StoredHead, _ data: Data, status: CacheStatus)
    -> HTTPResult
  {
    let (response, body) = StoredAnswer.make(errand.query, head.response.reused(reuse), data)
    return HTTPResult(
      response: response, data: body, origin: errand.found.origin, freshUntil: policy.freshUntil(head), entry: head.id,
      cacheStatus: status)
  }

  /// The range that is asked for, where the parts that are here hold all of it and may be used as they are.
  private func cut(_ errand: Errand) -> HTTPResult? {
    let query = errand.query
    guard query.method == "GET", query.isAnswerable, query.headers["Range"] != nil,
      let part = parts.part(for: errand.storeQuery),
      case .use(let reuse) = policy.decide(query, stored: part.head, now: clock.now()),
      // Asking behind the caller's back is for whole responses.
      reuse.permission != .staleWhileRevalidate,
      let (response, data) = StoredAnswer.make(query, part.head.response.reused(reuse), part.body)
    else { return nil }
    counters.withLock { $0.memoryHits += 1 }
    errand.progress?(HTTPProgress(received: data.count, expected: data.count))
    return HTTPResult(
      response: response, data: data, origin: .memory, freshUntil: policy.freshUntil(part.head),
      cacheStatus: CacheStatus(hit: reuse))
  }

  private func refreshIfNeeded(_ reuse: CachePolicy.Reuse, _ errand: Errand) {
    guard reuse.permission == .staleWhileRevalidate, let head = errand.found.head else { return }
    var behind = errand
    behind.progress = nil
    behind.admit = nil
    behind.isStreamed = false
    behind.options.interim = nil
    behind.time = timeLimit(errand.options)
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

  // MARK: Counting

  /// Counts a load by its last hop.
  func count(_ errand: Errand, _ response: HTTPResponse, _ change: (inout HTTPCacheStatistics) -> Void) {
    if !errand.passes(response) { counters.withLock { change(&$0) } }
  }

  func statistics() async -> HTTPCacheStatistics {
    var statistics = counters.withLock { $0 }
    statistics.memory.bytes = memory.cost
    statistics.memory.budgetBytes = memory.budget
    statistics.memory.entries = memory.count
    statistics.memory.evictions = memory.evictions
    statistics.parts = parts.statistics
    statistics.disk = await disk?.statistics()
    return statistics
  }
}

extension CachePolicy.Decision {
  var isUse: Bool {
    if case .use = self { true } else { false }
  }
}

extension HTTPResponse {
  /// As a cache shows it: it says how old it is (RFC 9111, section 5.1), without what may not be shown unasked.
  fileprivate func reused(_ reuse: CachePolicy.Reuse) -> HTTPResponse {
    var response = self
    response.headers = headers.without(reuse.withheldFields)
    response.headers["Age"] = "\(Int(reuse.age))"
    return response
  }
}
