/// Remembers for a short while that a server has no picture at an address, so that a list scrolled to and fro does not
/// ask again for each row.
///
/// Only 404 and 410 are kept: every other failure may be over the next moment, or depends on who asks. Pure: the time
/// is handed in. Invariants: at most `capacity` entries, the oldest goes first; nothing lives longer than `lifetime`.
/// A request with the reload policy calls `remove` first. Operations take O(1), amortised.
struct NegativeCache<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var error: ImageLoadingError
    var recorded: Double
    var serial: UInt64
  }

  /// Seconds. Default 10.
  let lifetime: Double
  /// Entries. Default 1,024.
  let capacity: Int
  private var entries: [Key: Entry] = [:]
  /// Keys in the order of recording; one whose serial is no longer its entry's has been recorded anew or removed.
  private var order: [(key: Key, serial: UInt64)] = []
  private var head = 0
  private var serial: UInt64 = 0

  init(lifetime: Double = 10, capacity: Int = 1_024) {
    self.lifetime = lifetime
    self.capacity = max(0, capacity)
  }

  var count: Int { entries.count }
  /// What is queued for dropping, for tests of the bound.
  var backlog: Int { order.count }

  /// - Parameter now: seconds of a monotonic clock.
  /// - Returns: whether the error is of the kind that is remembered.
  @discardableResult
  mutating func record(_ error: ImageLoadingError, for key: Key, now: Double) -> Bool {
    guard error.code == .http(404) || error.code == .http(410), capacity > 0 else { return false }
    serial += 1
    entries[key] = Entry(error: error, recorded: now, serial: serial)
    order.append((key, serial))
    dropOldest(now: now)
    return true
  }

  /// The failure that is still remembered. An entry past its lifetime goes.
  mutating func error(for key: Key, now: Double) -> ImageLoadingError? {
    guard let entry = entries[key] else { return nil }
    guard isFresh(entry, now: now) else {
      entries[key] = nil
      return nil
    }
    return entry.error
  }

  mutating func remove(_ key: Key) { entries[key] = nil }

  mutating func removeAll() { self = NegativeCache(lifetime: lifetime, capacity: capacity) }

  /// Written so that a lifetime or a time that is not a number is never fresh.
  private func isFresh(_ entry: Entry, now: Double) -> Bool { now - entry.recorded < lifetime }

  private mutating func dropOldest(now: Double) {
    while head < order.count {
      let (key, serial) = order[head]
      if let entry = entries[key], entry.serial == serial {
        guard entries.count > capacity || !isFresh(entry, now: now) else { break }
        entries[key] = nil
      }
      head += 1
    }
    // What was removed or recorded anew leaves holes, which must not add up.
    guard order.count > 2 * capacity + 32 else { return }
    order = order[head...].filter { entries[$0.key]?.serial == $0.serial }
    head = 0
  }
}
