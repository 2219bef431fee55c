import Foundation

/// What becomes of the stores when a response has arrived, or is not wanted any more.
extension CacheEngine {
  /// - Parameter data: the body; `nil` where it did not arrive whole, and the response cannot be stored.
  func keep(_ reply: Reply, _ data: Data?, _ errand: Errand, _ reason: CachePolicy.Reason) -> HTTPResult {
    count(errand, reply.response) { $0.networkLoads += 1 }
    let query = errand.query
    for url in Invalidation.urls(query, reply.response) { removeAll(url: CacheKey.withoutFragment(url)) }
    if query.method == "HEAD" { updateByHead(reply, errand) }
    let head = head(of: reply, errand, bodyLength: data?.count ?? 0)
    let isStored = store(head, data, errand)
    let isPartStored = data.map { keepPart($0, of: reply, errand) } ?? false
    var result = result(of: reply, head, errand, reason, isStored: isStored || isPartStored)
    result.data = data ?? Data()
    result.entry = isStored ? head.id : nil
    return result
  }

  /// A reply's head as it would be stored.
  func head(of reply: Reply, _ errand: Errand, bodyLength: Int) -> StoredHead {
    var response = reply.response
    response.headers = response.headers.storable
    return StoredHead(
      id: EntryNames.shared.next(), response: response,
      selectingHeaders: Variants.selectingHeaders(errand.query.headers, for: response), requestTime: reply.requested,
      responseTime: reply.received, bodyLength: bodyLength)
  }

  /// The result that a reply from the network is, without its body.
  func result(
    of reply: Reply, _ head: StoredHead, _ errand: Errand, _ reason: CachePolicy.Reason, isStored: Bool
  ) -> HTTPResult {
    let until = policy.freshUntil(head)
    let status = CacheStatus(
      forward: CacheStatus.Forward(reason), forwardStatus: head.response.status,
      timeToLive: Int(until.timeIntervalSince(reply.received)), isStored: isStored)
    return HTTPResult(
      response: reply.response, data: Data(), origin: .network, freshUntil: until,
      mayBeStored: mayBeStored(head.response, errand.query), cacheStatus: status)
  }

  private func store(_ head: StoredHead, _ data: Data?, _ errand: Errand) -> Bool {
    guard !stores.isEmpty else { return false }
    let decision = policy.mayStore(errand.query, head.response, received: head.responseTime)
    guard let data, decision == .store else {
      // A redirect has to lead to an end first: one that does not loses nothing.
      if errand.isSuperseded(by: head.response), !errand.passes(head.response) { forget(errand.storeQuery) }
      return false
    }
    return store(StoredResponse(head: head, data: data), for: errand.storeQuery)
  }

  private func store(_ whole: StoredResponse, for query: StoreQuery) -> Bool {
    parts.remove(query.key)
    return stores.reduce(false) { $1.insert(whole, for: query) || $0 }
  }

  func freshen(_ head: StoredHead, _ query: StoreQuery) {
    for store in stores {
      if policy.control(of: head.response).noStore {
        store.remove(head.id)
      } else {
        store.freshen(head, for: query)
      }
    }
  }

  /// Section 4.3.5: a HEAD shows whether what is stored for GET still holds.
  private func updateByHead(_ reply: Reply, _ errand: Errand) {
    guard reply.response.status == 200, let head = errand.found.head else { return }
    switch Validation.verdict(head: reply.response, on: head) {
    case .same:
      let freshened = Validation.freshened(
        head, by: reply.response, requested: reply.requested, received: reply.received)
      freshen(freshened, errand.storeQuery)
    case .different:
      for store in stores { store.remove(head.id) }
    case .untold: break
    }
  }

  func mayBeStored(_ response: HTTPResponse, _ query: CacheQuery) -> Bool {
    let control = policy.control(of: response)
    return !(control.noStore && !control.mustUnderstand) && !CacheControl(query.headers).noStore
  }

  // MARK: Parts

  /// Keeps what had come of a body before it broke off.
  func keepBeginning(_ data: Data, of reply: Reply, _ errand: Errand) {
    let continues = BodyPlace(reply.response).map { $0.bytes.lowerBound > 0 } ?? false
    guard continues ? !data.isEmpty : data.count >= Resumption.minimumBytes else { return }
    _ = insert(data, of: reply, errand)
  }

  /// Keeps the answer to a request for a range.
  private func keepPart(_ data: Data, of reply: Reply, _ errand: Errand) -> Bool {
    guard reply.response.status == 206, BodyPlace(reply.response)?.bytes.count == data.count else { return false }
    return insert(data, of: reply, errand)
  }

  /// - Returns: whether it is stored, as a part, or in the whole that it belongs to.
  private func insert(_ data: Data, of reply: Reply, _ errand: Errand) -> Bool {
    let query = errand.query
    let part = policy.part(query, reply.response, data, requested: reply.requested, received: reply.received)
    guard let part else { return false }
    if let head = errand.found.head, StrongValidator(head.response) == part.validator,
      head.bodyLength == part.body.total
    {
      // The whole is here, and has been confirmed (RFC 9111, section 3.4).
      let freshened = Validation.freshened(
        head, by: reply.response, requested: reply.requested, received: reply.received)
      freshen(freshened, errand.storeQuery)
      return true
    }
    switch parts.insert(part, for: errand.storeQuery) {
    case .kept: return true
    case .tooLarge: return false
    case .whole(let whole): return store(whole, for: errand.storeQuery)
    }
  }

  // MARK: Dropping

  /// Drops what is stored for a request.
  func forget(_ query: StoreQuery) {
    parts.remove(query.key)
    for store in stores { store.removeSelected(by: query) }
  }

  /// Drops what answers a request: the redirects on the way, and what they lead to.
  func forgetWay(from query: StoreQuery) {
    parts.remove(query.key)
    for store in stores { store.removeWay(from: query) }
  }

  func removeAll(url: String) {
    parts.removeAll(url: url)
    for store in stores { store.removeAll(url: url) }
  }

  func removeAll() {
    parts.removeAll()
    for store in stores { store.removeAll() }
  }
}
