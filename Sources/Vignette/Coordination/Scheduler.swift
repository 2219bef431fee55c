/// The pure order of work at one stage: who runs, who waits, who is next.
///
/// Invariants: never more than `limit` run, nor more than `laneLimit` in one lane (a lane is a host, say); a higher
/// level goes first, and within a level `ImagePriority.isNewestFirst` decides; prefetch takes neither the last place
/// nor a lane's last, unless there is only one; every sixteenth start goes to whatever has waited longest of all that
/// may start, so that nothing but prefetch can starve. Work is known by an ID of the caller's, and either waits or runs.
/// Complexity: O(lanes in use + limit) for a transition, however much waits.
struct Scheduler<ID: Hashable & Sendable> {
  /// What a transition asks its owner to do.
  struct Outcome: Equatable {
    /// Start these, in this order.
    var started: [ID] = []
    /// Ask these, which run, to call `pause` at the next opportunity.
    var preempted: [ID] = []
  }

  private struct Entry {
    let id: ID
    /// Order of arrival. Every queue is sorted by it.
    let ticket: Int
  }

  private struct Item {
    var priority: ImagePriority
    let lane: String
    var ticket: Int
    /// `nil` while it runs.
    var place: LinkedQueue<Entry>.Place?
  }

  private struct Lane {
    var running = 0
    var waiting = 0
    var levels = [LinkedQueue<Entry>](repeating: LinkedQueue(), count: ImagePriority.allCases.count)

    var hasUrgentWork: Bool { levels[ImagePriority.visible.rawValue...].contains { $0.count > 0 } }
  }

  /// Every how many starts the one that has waited longest goes first.
  static var oldestEvery: Int { 16 }

  let limit: Int
  let laneLimit: Int
  private(set) var running: Set<ID> = []
  private var items: [ID: Item] = [:]
  private var lanes: [String: Lane] = [:]
  /// Running work that has been asked to make way and has not answered yet.
  private var preempted: Set<ID> = []
  private var firstTicket = 0
  private var lastTicket = 0
  private var startsSinceOldest = 0

  init(limit: Int, laneLimit: Int = .max) {
    self.limit = max(1, limit)
    self.laneLimit = max(1, laneLimit)
  }

  var waitingCount: Int { items.count - running.count }

  mutating func enqueue(_ id: ID, priority: ImagePriority, lane: String = "") -> Outcome {
    guard items[id] == nil else { preconditionFailure("work is enqueued once, until it has finished") }
    lastTicket += 1
    var item = Item(priority: priority, lane: lane, ticket: lastTicket)
    wait(id, &item)
    return advance()
  }

  /// Frees the place of work that ran, or takes waiting work out.
  mutating func finish(_ id: ID) -> Outcome {
    guard let item = items.removeValue(forKey: id) else { return Outcome() }
    if item.place == nil { vacate(id, lane: item.lane) } else { unwait(item) }
    forgetIfIdle(item.lane)
    return advance()
  }

  /// Takes waiting work out. Answers `false` when it runs or is unknown.
  mutating func cancel(_ id: ID) -> Bool {
    guard let item = items[id], item.place != nil else { return false }
    items[id] = nil
    unwait(item)
    forgetIfIdle(item.lane)
    return true
  }

  /// Waiting work moves to the newest place of its new level; running work keeps running, and need not make way once it
  /// is more than prefetch.
  mutating func setPriority(_ id: ID, _ priority: ImagePriority) -> Outcome {
    guard var item = items[id], item.priority != priority else { return Outcome() }
    if item.place == nil {
      items[id]?.priority = priority
      if priority != .prefetch { preempted.remove(id) }
    } else {
      unwait(item)
      lastTicket += 1
      item.ticket = lastTicket
      item.priority = priority
      wait(id, &item)
    }
    return advance()
  }

  /// Running work that was preempted makes way: it waits again, before all others of its level. Answers `false` when
  /// there is nothing left to make way for: it goes on.
  mutating func pause(_ id: ID) -> (isPaused: Bool, outcome: Outcome) {
    guard preempted.remove(id) != nil, var item = items[id] else { return (false, Outcome()) }
    // Another may be the one that has to make way now.
    guard canMakeWay(item, isOpen: hasOpenLane) else { return (false, advance()) }
    vacate(id, lane: item.lane)
    firstTicket -= 1
    item.ticket = firstTicket
    wait(id, &item, first: true)
    return (true, advance())
  }

  // MARK: Places

  private mutating func wait(_ id: ID, _ item: inout Item, first: Bool = false) {
    let entry = Entry(id: id, ticket: item.ticket)
    let level = item.priority.rawValue
    var lane = lanes.removeValue(forKey: item.lane) ?? Lane()
    item.place = first ? lane.levels[level].prepend(entry) : lane.levels[level].append(entry)
    lane.waiting += 1
    lanes[item.lane] = lane
    items[id] = item
  }

  private mutating func unwait(_ item: Item) {
    guard let place = item.place else { return }
    lanes[item.lane]?.levels[item.priority.rawValue].remove(place)
    lanes[item.lane]?.waiting -= 1
  }

  private mutating func vacate(_ id: ID, lane: String) {
    running.remove(id)
    preempted.remove(id)
    lanes[lane]?.running -= 1
  }

  private mutating func forgetIfIdle(_ name: String) {
    if let lane = lanes[name], lane.running == 0, lane.waiting == 0 { lanes[name] = nil }
  }

  // MARK: Deciding

  private mutating func advance() -> Outcome {
    var outcome = Outcome()
    while running.count < limit, let id = next() {
      start(id)
      outcome.started.append(id)
    }
    outcome.preempted = preempt()
    return outcome
  }

  private mutating func start(_ id: ID) {
    guard var item = items[id] else { return }
    unwait(item)
    item.place = nil
    items[id] = item
    running.insert(id)
    lanes[item.lane]?.running += 1
    startsSinceOldest = takesOldest ? 0 : startsSinceOldest + 1
  }

  private var takesOldest: Bool { startsSinceOldest >= Self.oldestEvery - 1 }

  private func next() -> ID? {
    var best: (level: ImagePriority, entry: Entry)?
    for lane in lanes.values where lane.waiting > 0 && lane.running < laneLimit {
      for level in ImagePriority.allCases.reversed() where mayStart(level, in: lane) {
        let queue = lane.levels[level.rawValue]
        guard let entry = level.isNewestFirst && !takesOldest ? queue.last : queue.first else { continue }
        if best.map({ precedes((level, entry), $0) }) ?? true { best = (level, entry) }
        if !takesOldest { break }
      }
    }
    return best?.entry.id
  }

  private func mayStart(_ level: ImagePriority, in lane: Lane) -> Bool {
    guard level == .prefetch else { return true }
    let isLast = limit > 1 && running.count == limit - 1
    let isLastOfLane = laneLimit > 1 && lane.running == laneLimit - 1
    return !isLast && !isLastOfLane
  }

  private func precedes(_ one: (level: ImagePriority, entry: Entry), _ other: (level: ImagePriority, entry: Entry))
    -> Bool
  {
    if takesOldest { return one.entry.ticket < other.entry.ticket }
    if one.level != other.level { return one.level > other.level }
    return (one.entry.ticket > other.entry.ticket) == one.level.isNewestFirst
  }

  /// When every place is taken and something visible waits, one prefetch that runs is asked to make way: the newest,
  /// which has the least to lose.
  private mutating func preempt() -> [ID] {
    guard running.count >= limit, preempted.isEmpty else { return [] }
    let isOpen = hasOpenLane
    var newest: (id: ID, ticket: Int)?
    for id in running {
      guard let item = items[id], canMakeWay(item, isOpen: isOpen) else { continue }
      if item.ticket > newest?.ticket ?? .min { newest = (id, item.ticket) }
    }
    guard let newest else { return [] }
    preempted.insert(newest.id)
    return [newest.id]
  }

  /// Whether visible work waits for nothing but a place.
  private var hasOpenLane: Bool { lanes.values.contains { $0.running < laneLimit && $0.hasUrgentWork } }

  /// Whether visible work waits that could take the place of this.
  private func canMakeWay(_ item: Item, isOpen: Bool) -> Bool {
    item.priority == .prefetch && (isOpen || lanes[item.lane]?.hasUrgentWork == true)
  }
}

// MARK: For tests

extension Scheduler {
  /// What the type promises and does not keep; `nil` when all is well.
  func checkInvariants() -> String? {
    if running.count > limit { return "\(running.count) run, more than \(limit)" }
    if running != Set(items.filter { $0.value.place == nil }.keys) { return "what runs is not what has no place" }
    if !preempted.isSubset(of: running) { return "something that does not run was asked to make way" }
    if preempted.contains(where: { items[$0]?.priority != .prefetch }) { return "more than prefetch is to make way" }
    if Set(items.values.map(\.lane)) != Set(lanes.keys) { return "a lane is kept for nothing, or missing" }
    if next() != nil, running.count < limit { return "a place is free and something could have it" }
    for (name, lane) in lanes {
      if let fault = fault(in: lane) { return "\(name): \(fault)" }
      let own = items.values.filter { $0.lane == name }
      if lane.running > laneLimit { return "\(name): \(lane.running) run, more than \(laneLimit)" }
      if lane.running != own.filter({ $0.place == nil }).count { return "\(name): counts wrongly what runs" }
      if lane.waiting != own.filter({ $0.place != nil }).count { return "\(name): counts wrongly what waits" }
    }
    return nil
  }

  private func fault(in lane: Lane) -> String? {
    if lane.waiting != lane.levels.map(\.count).reduce(0, +) { return "counts wrongly what is queued" }
    for queue in lane.levels {
      if let fault = queue.checkInvariants() { return fault }
      let tickets = queue.elements.map(\.ticket)
      if zip(tickets, tickets.dropFirst()).contains(where: { $0 >= $1 }) { return "a queue is not sorted" }
    }
    return nil
  }
}
