import Foundation
import Synchronized

/// Responses in memory, within a budget of bytes, what was used longest ago dropped first.
///
/// Invariants: `variants` lists exactly the entries of `cache`, each under its key; `keys` lists exactly the keys of
/// `variants`, each under its URL or name; `named` lists exactly the entries under names, each under the URL it came from.
final class MemoryStore: ResponseStore {
  fileprivate struct Entry: Sendable {
    var key: CacheKey
    /// The URL it came from, where its key has a name in place of that.
    var address: String?
    var response: StoredResponse
    var attachments: [String: Data] = [:]

    var cost: Int { attachments.reduce(response.cost) { $0 + $1.value.count + $1.key.utf8.count + 64 } }
  }

  fileprivate struct State {
    var cache: ByteBoundedCache<StoredEntryID, Entry>
    var variants: [CacheKey: [StoredEntryID]] = [:]
    var keys: [String: Set<CacheKey>] = [:]
    var named: [String: Set<StoredEntryID>] = [:]
    var evictions = 0
  }

  let budget: Int
  /// Bytes one response may take.
  let largestEntry: Int
  private let state: Locked<State>

  /// More variants of one key than this push out the oldest: a Vary by something that always differs is bounded.
  static let maximumVariants = 16

  init(budget: Int) {
    self.budget = max(budget, 0)
    largestEntry = self.budget / 4
    state = Locked(State(cache: ByteBoundedCache(budget: self.budget)))
  }

  var cost: Int { state.withLock { $0.cache.cost } }
  var count: Int { state.withLock { $0.cache.count } }
  var evictions: Int { state.withLock { $0.evictions } }

  // MARK: Reading

  func select(_ query: StoreQuery) -> StoredResponse? {
    state.withLock { state in state.selected(query).flatMap { state.cache.value(for: $0) }?.response }
  }

  func select(_ query: StoreQuery, wanted: @escaping @Sendable (StoredHead) -> StoredPart) async -> Selected? {
    guard let found = select(query) else { return nil }
    switch wanted(found.head) {
    case .nothing: return Selected(head: found.head)
    case .body: return Selected(head: found.head, data: found.data)
    case .attachment(let name): return Selected(head: found.head, data: attached(name, to: found.head.id))
    }
  }

  func body(of id: StoredEntryID) async -> Data? { state.withLock { $0.cache.value(for: id)?.response.data } }

  func attachment(named name: String, of id: StoredEntryID) async -> Data? { attached(name, to: id) }

  private func attached(_ name: String, to id: StoredEntryID) -> Data? {
    state.withLock { $0.cache.value(for: id)?.attachments[name] }
  }

  // MARK: Changing

  @discardableResult
  func insert(_ response: StoredResponse, for query: StoreQuery) -> Bool {
    state.withLock { state in
      state.removeSelected(by: query)
      let entry = Entry(key: query.key, address: query.address, response: response)
      guard entry.cost <= largestEntry else { return false }
      if let oldest = state.variants[query.key], oldest.count >= Self.maximumVariants { state.remove(oldest[0]) }
      state.insert(entry)
      return true
    }
  }

  func freshen(_ head: StoredHead, for query: StoreQuery) {
    state.withLock { state in
      guard var entry = state.cache.value(for: head.id) else { return }
      entry.response.head = head
      state.insert(entry)
    }
  }

  func attach(_ data: Data, named name: String, to id: StoredEntryID) {
    state.withLock { state in
      guard var entry = state.cache.value(for: id) else { return }
      entry.attachments[name] = data
      // A response is worth more than what is made of it.
      if entry.cost <= largestEntry { state.insert(entry) }
    }
  }

  func touch(_ id: StoredEntryID) { state.withLock { _ = $0.cache.value(for: id) } }

  func removeSelected(by query: StoreQuery) { state.withLock { $0.removeSelected(by: query) } }

  func removeWay(from query: StoreQuery) {
    var query: StoreQuery? = query
    // Ends also where redirects lead in a circle: what has been passed is gone.
    while let here = query {
      query = select(here).flatMap { here.redirected(by: $0.head) }
      removeSelected(by: here)
    }
  }

  func remove(_ id: StoredEntryID) { state.withLock { $0.remove(id) } }

  func removeAll(url: String) {
    state.withLock { state in
      for key in state.keys[url] ?? [] {
        for id in state.variants[key] ?? [] { state.remove(id) }
      }
      for id in state.named[url] ?? [] { state.remove(id) }
    }
  }

  func removeAll() {
    state.withLock { $0 = State(cache: ByteBoundedCache(budget: $0.cache.budget), evictions: $0.evictions) }
  }

  /// Drops what was used longest ago until no more than `bytes` are left.
  func trim(to bytes: Int) {
    state.withLock { state in
      while state.cache.cost > bytes, let oldest = state.cache.leastRecentlyUsed { state.remove(oldest) }
    }
  }
}

extension MemoryStore.State {
  fileprivate func selected(_ query: StoreQuery) -> StoredEntryID? {
    guard let ids = variants[query.key] else { return nil }
    let heads = ids.compactMap { cache.peek($0)?.response.head }
    return Variants.newest(of: heads, for: query.headers).map { heads[$0].id }
  }

  fileprivate mutating func removeSelected(by query: StoreQuery) {
    for id in variants[query.key] ?? [] {
      guard let head = cache.peek(id)?.response.head, Variants.selects(head, query.headers) else { continue }
      remove(id)
    }
  }

  /// Adds an entry, or puts it in the place of the one of its name.
  fileprivate mutating func insert(_ entry: MemoryStore.Entry) {
    let id = entry.response.head.id
    guard entry.cost <= cache.budget else { return remove(id) }
    if cache.peek(id) == nil {
      variants[entry.key, default: []].append(id)
      keys[entry.key.url, default: []].insert(entry.key)
      if let address = entry.address { named[address, default: []].insert(id) }
    }
    let dropped = cache.insert(entry, for: id, cost: entry.cost)
    for entry in dropped { unlist(entry) }
    evictions += dropped.count
  }

  fileprivate mutating func remove(_ id: StoredEntryID) {
    guard let entry = cache.peek(id) else { return }
    cache.remove(id)
    unlist(entry)
  }

  private mutating func unlist(_ entry: MemoryStore.Entry) {
    let id = entry.response.head.id
    if let address = entry.address {
      named[address]?.remove(id)
      if named[address]?.isEmpty == true { named[address] = nil }
    }
    variants[entry.key]?.removeAll { $0 == id }
    guard variants[entry.key]?.isEmpty == true else { return }
    variants[entry.key] = nil
    keys[entry.key.url]?.remove(entry.key)
    if keys[entry.key.url]?.isEmpty == true { keys[entry.key.url] = nil }
  }
}
