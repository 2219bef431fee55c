/// The pure state of a prefetcher: what is wanted, what runs, and how far it is.
///
/// Invariants: an item is wanted at most once at a time, by its key; no more than `limit` run, none start while paused;
/// `finished + failed + waiting + running` is the number of items added since the last time there were none. Operations
/// are O(1) a item.
struct PrefetchQueue<Key: Hashable & Sendable, Item> {
  private enum State {
    case waiting(LinkedQueue<(key: Key, item: Item)>.Place)
    case running(UInt64)
  }

  let limit: Int
  private(set) var isPaused = false
  private(set) var finished = 0
  private(set) var failed = 0
  private var states: [Key: State] = [:]
  private var waiting = LinkedQueue<(key: Key, item: Item)>()
  private var runningCount = 0
  private var lastRun: UInt64 = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// Items that wait or run.
  var remaining: Int { states.count }

  /// Adds an item to the end; answers `false` when it is there already.
  mutating func add(_ key: Key, _ item: Item) -> Bool {
    guard states[key] == nil else { return false }
    if states.isEmpty { (finished, failed) = (0, 0) }
    states[key] = .waiting(waiting.append((key, item)))
    return true
  }

  /// What may start now, each with the number of its run. Call it after every change.
  mutating func startable() -> [(key: Key, run: UInt64, item: Item)] {
    var started: [(key: Key, run: UInt64, item: Item)] = []
    while !isPaused, runningCount < limit, let next = waiting.first, case .waiting(let place) = states[next.key] {
      waiting.remove(place)
      lastRun += 1
      runningCount += 1
      states[next.key] = .running(lastRun)
      started.append((next.key, lastRun, next.item))
    }
    return started
  }

  /// Takes an item out. Answers the number of its run when it has started.
  mutating func remove(_ key: Key) -> UInt64? {
    switch states.removeValue(forKey: key) {
    case nil: return nil
    case .waiting(let place):
      waiting.remove(place)
      return nil
    case .running(let run):
      runningCount -= 1
      return run
    }
  }

  /// Takes every item out; answers the numbers of those that have started.
  mutating func removeAll() -> [UInt64] { Array(states.keys).compactMap { remove($0) } }

  /// A run ended by itself. One that was taken out before changes nothing.
  mutating func finish(_ key: Key, run: UInt64, succeeded: Bool) {
    guard case .running(let current) = states[key], current == run else { return }
    states[key] = nil
    runningCount -= 1
    if succeeded { finished += 1 } else { failed += 1 }
  }

  mutating func setPaused(_ paused: Bool) { isPaused = paused }
}
