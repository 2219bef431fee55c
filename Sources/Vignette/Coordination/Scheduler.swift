/// The pure order of work at a stage with a limit: who runs, who waits, who is next.
///
/// Invariants: never more than `limit` run; work of a higher priority starts first; visible work starts newest first
/// (what has just scrolled in matters most), other work oldest first; prefetch never takes the last slot unless there
/// is only one. Priorities are asked for at each decision, so they follow those who wait; whoever changes one calls
/// `reconsider`. Complexity: O(waiting) for a decision, which keeps changing priorities cheap and the type small.
struct Scheduler<ID: Hashable> {
  private struct Item {
    let id: ID
    let priority: CurrentPriority
  }

  let limit: Int
  private(set) var running: Set<ID> = []
  /// In order of arrival.
  private var waiting: [Item] = []

  init(limit: Int) { self.limit = max(1, limit) }

  var waitingCount: Int { waiting.count }

  /// Adds work; answers what may start now.
  mutating func enqueue(_ id: ID, priority: @escaping CurrentPriority) -> [ID] {
    waiting.append(Item(id: id, priority: priority))
    return reconsider()
  }

  /// Frees the slot of work that ran; answers what may start now.
  mutating func finish(_ id: ID) -> [ID] {
    running.remove(id)
    return reconsider()
  }

  /// Takes waiting work out. Answers `false` when it has already started or is unknown.
  mutating func cancel(_ id: ID) -> Bool {
    guard let at = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: at)
    return true
  }

  /// Answers what may start now; for callers that changed a priority.
  mutating func reconsider() -> [ID] {
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
    var best: (at: Int, priority: ImagePriority)?
    for at in waiting.indices {
      let priority = waiting[at].priority()
      if isLastSlot && priority == .prefetch { continue }
      // In order of arrival: among equals the newest visible work wins, and the oldest of any other.
      let precedes = best.map { priority > $0.priority || (priority == .visible && $0.priority == .visible) } ?? true
      if precedes { best = (at, priority) }
    }
    return best?.at
  }
}

/// The priority of a piece of work at this moment. Called under locks: short, and calls nothing but other tables.
typealias CurrentPriority = @Sendable () -> ImagePriority
