/// One run of the work for a key.
struct WorkNode<Key: Hashable & Sendable>: Hashable, Sendable {
  let key: Key
  fileprivate let generation: UInt64
}

/// One waiter's place at the work for a key.
struct WorkTicket<Key: Hashable & Sendable>: Hashable, Sendable {
  let key: Key
  fileprivate let number: UInt64
}

/// The priority of some work has changed to this; so has that of everything it waits for.
struct PriorityChange<Link: Hashable>: Equatable {
  let priority: ImagePriority
  let links: Set<Link>

  var passedOn: [(Link, ImagePriority)] { links.map { ($0, priority) } }
}

/// The pure state of coalesced work: which pieces are under way, who waits for each, and how urgent that makes it.
///
/// Invariants: at most one live node per key; a node has at least one waiter while it is live, and its priority is the
/// highest of theirs; every waiter is handed out exactly once, by `leave` or by `finish`. A node that lost its last
/// waiter is dropped at once: its generation never matches again, so whatever its task still reports is ignored, and a
/// later `join` starts anew. Transitions return what the caller must do outside the lock.
/// `Link` names whatever a node itself waits for, so that a change of its priority is passed on.
struct WorkTable<Key: Hashable & Sendable, Waiter, Link: Hashable> {
  typealias Node = WorkNode<Key>
  typealias Ticket = WorkTicket<Key>
  typealias Change = PriorityChange<Link>

  enum Join: Equatable {
    /// The caller starts the work and reports its task with `didStart`.
    case start(Node)
    /// The work is under way; `change` where this waiter made it more urgent.
    case wait(Node, change: Change?)
  }

  struct Departure {
    let waiter: Waiter
    /// Set when the last waiter left: the task, if it was reported, is to be cancelled.
    var hasEnded = false
    var task: Task<Void, Never>?
    var change: Change?
  }

  private struct State {
    let generation: UInt64
    var waiters: [UInt64: (waiter: Waiter, priority: ImagePriority)] = [:]
    /// How many waiters there are of each level.
    var levels = [Int](repeating: 0, count: ImagePriority.allCases.count)
    var priority = ImagePriority.prefetch
    var task: Task<Void, Never>?
    var links: Set<Link> = []

    mutating func count(adding new: ImagePriority? = nil, removing old: ImagePriority? = nil) -> Change? {
      if let new { levels[new.rawValue] += 1 }
      if let old { levels[old.rawValue] -= 1 }
      let highest = ImagePriority.allCases.last { levels[$0.rawValue] > 0 } ?? .prefetch
      guard highest != priority else { return nil }
      priority = highest
      return Change(priority: highest, links: links)
    }
  }

  private var nodes: [Key: State] = [:]
  private var lastNumber: UInt64 = 0

  /// Pieces of work under way.
  var count: Int { nodes.count }

  mutating func makeTicket(_ key: Key) -> Ticket {
    lastNumber += 1
    return Ticket(key: key, number: lastNumber)
  }

  mutating func join(_ ticket: Ticket, _ waiter: Waiter, priority: ImagePriority) -> Join {
    if var state = nodes.removeValue(forKey: ticket.key) {
      state.waiters[ticket.number] = (waiter, priority)
      let change = state.count(adding: priority)
      nodes[ticket.key] = state
      return .wait(Node(key: ticket.key, generation: state.generation), change: change)
    }
    lastNumber += 1
    var state = State(generation: lastNumber)
    state.waiters[ticket.number] = (waiter, priority)
    _ = state.count(adding: priority)
    nodes[ticket.key] = state
    return .start(Node(key: ticket.key, generation: lastNumber))
  }

  /// Remembers the task of a node. Answers `false` when the node is gone: the caller cancels the task.
  mutating func didStart(_ node: Node, task: Task<Void, Never>) -> Bool {
    guard isLive(node) else { return false }
    nodes[node.key]?.task = task
    return true
  }

  /// Takes one waiter out. `nil` when it has already been served.
  mutating func leave(_ ticket: Ticket) -> Departure? {
    guard var state = nodes.removeValue(forKey: ticket.key) else { return nil }
    guard let (waiter, priority) = state.waiters.removeValue(forKey: ticket.number) else {
      nodes[ticket.key] = state
      return nil
    }
    guard !state.waiters.isEmpty else { return Departure(waiter: waiter, hasEnded: true, task: state.task) }
    let change = state.count(removing: priority)
    nodes[ticket.key] = state
    return Departure(waiter: waiter, change: change)
  }

  /// One waiter wants it sooner or later than before.
  mutating func setPriority(_ ticket: Ticket, _ priority: ImagePriority) -> Change? {
    guard let old = nodes[ticket.key]?.waiters[ticket.number]?.priority, old != priority else { return nil }
    nodes[ticket.key]?.waiters[ticket.number]?.priority = priority
    return nodes[ticket.key]?.count(adding: priority, removing: old)
  }

  /// Ends a node and hands out its waiters in the order in which they came; none when the node was superseded.
  mutating func finish(_ node: Node) -> [Waiter] {
    guard isLive(node), let state = nodes.removeValue(forKey: node.key) else { return [] }
    return state.waiters.sorted { $0.key < $1.key }.map(\.value.waiter)
  }

  /// The waiters of a live node, for progress; none when the node was superseded.
  func waiters(_ node: Node) -> [Waiter] { isLive(node) ? nodes[node.key]?.waiters.map(\.value.waiter) ?? [] : [] }

  /// `nil` when the node was superseded.
  func priority(_ node: Node) -> ImagePriority? { isLive(node) ? nodes[node.key]?.priority : nil }

  /// From now on `link` follows the node's priority. Answers the priority now; `nil` when the node was superseded.
  mutating func link(_ node: Node, to link: Link) -> ImagePriority? {
    guard isLive(node) else { return nil }
    nodes[node.key]?.links.insert(link)
    return nodes[node.key]?.priority
  }

  mutating func unlink(_ node: Node, from link: Link) {
    guard isLive(node) else { return }
    nodes[node.key]?.links.remove(link)
  }

  private func isLive(_ node: Node) -> Bool { nodes[node.key]?.generation == node.generation }

  /// Checks what the type promises; for tests.
  func checkInvariants() -> String? {
    for (key, state) in nodes {
      if state.waiters.isEmpty { return "\(key) is under way and nobody waits" }
      if state.priority != state.waiters.values.map(\.priority).max() { return "\(key) has another priority" }
      for level in ImagePriority.allCases
      where state.levels[level.rawValue] != state.waiters.values.filter({ $0.priority == level }).count {
        return "\(key) counts its waiters of \(level) wrongly"
      }
    }
    return nil
  }
}
