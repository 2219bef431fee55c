/// A dictionary with a budget in bytes that drops what was used longest ago. Every operation is O(1) amortised, `removeAll(where:)`
/// O(n). Invariant: `cost` is the sum of the entries' costs and never exceeds `budget`.
struct ByteBoundedCache<Key: Hashable, Value> {
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    var newer: Int?
    var older: Int?
  }

  let budget: Int
  private(set) var cost = 0
  private var index: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var newest: Int?
  private var oldest: Int?

  init(budget: Int) { self.budget = max(budget, 0) }

  var count: Int { index.count }

  /// The value, which counts as used.
  mutating func value(for key: Key) -> Value? {
    guard let slot = index[key], let value = nodes[slot]?.value else { return nil }
    unlink(slot)
    linkNewest(slot)
    return value
  }

  /// The value, without its counting as used.
  func peek(_ key: Key) -> Value? { index[key].flatMap { nodes[$0]?.value } }

  /// What is next to go.
  var leastRecentlyUsed: Key? { oldest.flatMap { nodes[$0]?.key } }

  /// Stores the value, or only drops the old one where the new is larger than the budget.
  /// - Returns: the values dropped to make room.
  @discardableResult
  mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
    remove(key)
    guard cost <= budget else { return [] }
    var dropped: [Value] = []
    while self.cost + cost > budget, let oldest, let node = nodes[oldest] {
      dropped.append(node.value)
      remove(node.key)
    }
    let node = Node(key: key, value: value, cost: cost)
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      nodes[slot] = node
    } else {
      slot = nodes.count
      nodes.append(node)
    }
    index[key] = slot
    self.cost += cost
    linkNewest(slot)
    return dropped
  }

  mutating func remove(_ key: Key) {
    guard let slot = index.removeValue(forKey: key) else { return }
    unlink(slot)
    cost -= nodes[slot]?.cost ?? 0
    nodes[slot] = nil
    free.append(slot)
  }

  mutating func removeAll(where condition: (Key) -> Bool) {
    for key in index.keys.filter(condition) { remove(key) }
  }

  mutating func removeAll() { self = ByteBoundedCache(budget: budget) }

  private mutating func linkNewest(_ slot: Int) {
    nodes[slot]?.newer = nil
    nodes[slot]?.older = newest
    if let newest { nodes[newest]?.newer = slot }
    newest = slot
    if oldest == nil { oldest = slot }
  }

  private mutating func unlink(_ slot: Int) {
    guard let node = nodes[slot] else { return }
    if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
    if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
  }
}
