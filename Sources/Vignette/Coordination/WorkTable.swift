/// The pure state of coalesced work: which pieces are under way, and who waits for each.
///
/// Invariants: at most one live node per key; a node has at least one waiter while it is live; every waiter is handed
/// out exactly once, by `leave` or by `finish`. A node that lost its last waiter is dropped at once: its generation
/// never matches again, so whatever its task still reports is ignored, and a later `join` starts anew.
/// Transitions return what the caller must do outside the lock.
struct WorkTable<Key: Hashable, Waiter> {
  /// Names one run of the work for a key.
  struct Generation: Hashable { fileprivate let number: UInt64 }

  struct WaiterID: Hashable, Sendable { fileprivate let number: UInt64 }

  enum JoinAction: Equatable {
    /// The caller starts the work and reports its task with `didStart`.
    case start(Generation)
    /// The work is under way.
    case wait
  }

  private struct Node {
    let generation: Generation
    var waiters: [(id: WaiterID, waiter: Waiter)]
    var task: Task<Void, Never>?
  }

  private var nodes: [Key: Node] = [:]
  private var lastNumber: UInt64 = 0

  /// Pieces of work under way.
  var count: Int { nodes.count }

  mutating func makeWaiterID() -> WaiterID {
    lastNumber += 1
    return WaiterID(number: lastNumber)
  }

  mutating func join(_ key: Key, id: WaiterID, waiter: Waiter) -> JoinAction {
    if nodes[key] != nil {
      nodes[key]?.waiters.append((id, waiter))
      return .wait
    }
    lastNumber += 1
    let generation = Generation(number: lastNumber)
    nodes[key] = Node(generation: generation, waiters: [(id, waiter)])
    return .start(generation)
  }

  /// Remembers the task of a node. Answers `false` when the node is gone: the caller cancels the task.
  mutating func didStart(_ key: Key, _ generation: Generation, task: Task<Void, Never>) -> Bool {
    guard nodes[key]?.generation == generation else { return false }
    nodes[key]?.task = task
    return true
  }

  /// Takes one waiter out, and with the last one the task to cancel. `nil` when the waiter has already been served.
  mutating func leave(_ key: Key, id: WaiterID) -> (waiter: Waiter, cancel: Task<Void, Never>?)? {
    guard let at = nodes[key]?.waiters.firstIndex(where: { $0.id == id }),
      let waiter = nodes[key]?.waiters.remove(at: at).waiter
    else { return nil }
    guard nodes[key]?.waiters.isEmpty == true else { return (waiter, nil) }
    let task = nodes.removeValue(forKey: key)?.task
    return (waiter, task)
  }

  /// Ends a node and hands out its waiters; none when the node was superseded.
  mutating func finish(_ key: Key, _ generation: Generation) -> [Waiter] {
    guard nodes[key]?.generation == generation else { return [] }
    return nodes.removeValue(forKey: key)?.waiters.map(\.waiter) ?? []
  }

  /// The waiters of a live node, for progress; none when the node was superseded.
  func waiters(_ key: Key, _ generation: Generation) -> [Waiter] {
    guard let node = nodes[key], node.generation == generation else { return [] }
    return node.waiters.map(\.waiter)
  }
}
