import Foundation
import Synchronized

/// Incomplete responses in memory, within a budget of bytes, what was used longest ago dropped first: bodies that broke
/// off, and answers to requests for ranges. They do not outlive the process.
///
/// Invariants: one body under each key, that of the last request that brought a part; none of them is whole.
struct PartTable {
  private var cache: ByteBoundedCache<CacheKey, PartialResponse>
  private(set) var evictions = 0

  init(budget: Int) { cache = ByteBoundedCache(budget: budget) }

  var cost: Int { cache.cost }
  var count: Int { cache.count }

  /// What is here of the response that the request selects.
  mutating func part(for query: StoreQuery) -> PartialResponse? {
    guard let part = cache.value(for: query.key), Variants.selects(part.head, query.headers) else { return nil }
    return part
  }

  enum Insertion: Sendable {
    case kept
    /// Nothing is missing any more. It is not kept here.
    case whole(StoredResponse)
    /// With what there was of the same body it is larger than the budget; that stays.
    case tooLarge
  }

  /// Keeps a part beside those of the same body, in place of those of any other.
  mutating func insert(_ part: PartialResponse, for query: StoreQuery) -> Insertion {
    var kept = self.part(for: query) ?? part
    let isOfSameBody = kept.combine(part)
    if !isOfSameBody { kept = part }
    if let whole = kept.whole {
      cache.remove(query.key)
      return .whole(whole)
    }
    guard kept.cost <= cache.budget else {
      // What there was of the same body is of use still.
      if !isOfSameBody { cache.remove(query.key) }
      return .tooLarge
    }
    evictions += cache.insert(kept, for: query.key, cost: kept.cost).count
    return .kept
  }

  mutating func remove(_ key: CacheKey) { cache.remove(key) }

  /// Drops what came from a URL, or is kept under it, whoever it was given to. O(entries).
  mutating func removeAll(url: String) {
    let cache = cache
    self.cache.removeAll { key in
      key.url == url || cache.peek(key)?.address == url
    }
  }

  mutating func removeAll() { cache.removeAll() }
}

/// A `PartTable` that everybody may use.
final class PartStore: Sendable {
  let budget: Int
  private let table: Locked<PartTable>

  init(budget: Int) {
    self.budget = max(budget, 0)
    table = Locked(PartTable(budget: budget))
  }

  var statistics: HTTPCacheStatistics.Memory {
    var statistics = HTTPCacheStatistics.Memory()
    statistics.budgetBytes = budget
    table.withLock { table in
      statistics.bytes = table.cost
      statistics.entries = table.count
      statistics.evictions = table.evictions
    }
    return statistics
  }

  func part(for query: StoreQuery) -> PartialResponse? { table.withLock { $0.part(for: query) } }

  func insert(_ part: PartialResponse, for query: StoreQuery) -> PartTable.Insertion {
    table.withLock { $0.insert(part, for: query) }
  }

  func remove(_ key: CacheKey) { table.withLock { $0.remove(key) } }
  func removeAll(url: String) { table.withLock { $0.removeAll(url: url) } }
  func removeAll() { table.withLock { $0.removeAll() } }
}
