/// The pure order of work at a stage with a limit: who runs, who waits, who is next.
///
/// Invariants: never more than `limit` run; work of a higher priority starts first; visible work starts newest first
/// (what has just scrolled in matters most), other work oldest first; prefetch never takes the last slot unless there
/// is only one. Complexity: O(waiting) for `next`, which keeps changing priorities cheap and the type small.
struct Scheduler<ID: Hashable> {
  private struct Item {
    let id: ID
    var priority: ImagePriority
    let order: UInt64
  }

  let limit: Int
  private(set) var running: Set<ID> = []
  private var waiting: [Item] = []
  private var lastOrder: UInt64 = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var waitingCount: Int { waiting.count }

  /// Adds work; answers what may start now.
  mutating func enqueue(_ id: ID, priority: ImagePriority) -> [ID] {
    lastOrder += 1
    waiting.append(Item(id: id, priority: priority, order: lastOrder))
    return startable()
  }

  /// Frees the slot of work that ran; answers what may start now.
  mutating func finish(_ id: ID) -> [ID] {
    running.remove(id)
    return startable()
  }

  /// Takes waiting work out. Answers `false` when it has already started or is unknown.
  mutating func cancel(_ id: ID) -> Bool {
    guard let at = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: at)
    return true
  }

  private mutating func startable() -> [ID] {
    var started: [ID] = []
    while running.count < limit, let at = next() {
      let item = waiting.remove(at: at)
      running.insert(item.id)
      started.append(item.id)
    }
    return started
  }

  private func next() -> Int? {
    let isLastSlot = limit > 1 && running.count == limit - 1
    var best: Int?
    for at in waiting.indices {
      if isLastSlot && waiting[at].priority == .prefetch { continue }
      guard let current = best else {
        best = at
        continue
      }
      if Self.precedes(waiting[at], waiting[current]) { best = at }
    }
    return best
  }

  private static func precedes(_ one: Item, _ other: Item) -> Bool {
    guard one.priority == other.priority else { return one.priority > other.priority }
    return one.priority == .visible ? one.order > other.order : one.order < other.order
  }
}
