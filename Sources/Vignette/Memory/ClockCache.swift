import Foundation
import ImageCodecs
import Pixels

/// The pure part of `ImageMemoryCache`: a ring of slots for the CLOCK hand and an index from source to slots.
///
/// Invariants: `byteCount` is the sum of the occupied slots' costs; every occupied slot is in `index` under its source
/// and nowhere else; free slots are in `free`.
struct ClockCache {
  private struct Slot {
    var source: SourceKey
    var entry: ImageMemoryCache.Entry
    var wasUsed: Bool
  }

  private(set) var budget: Int
  private(set) var byteCount = 0
  private(set) var evictions = 0
  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var index: [SourceKey: [Int]] = [:]
  private var hand = 0

  init(budget: Int) { self.budget = budget }

  var count: Int { slots.count - free.count }

  mutating func setBudget(_ bytes: Int) {
    budget = bytes
    evict(toFit: 0)
  }

  mutating func best(for key: ImageKey) -> ImageMemoryCache.Entry? {
    guard let candidates = index[key.source] else { return nil }
    var best: Int?
    for at in candidates where isBetter(at, than: best, for: key.target) { best = at }
    guard let best else { return nil }
    slots[best]?.wasUsed = true
    return slots[best]?.entry
  }

  /// The smallest that satisfies the target; failing that, the largest.
  private func isBetter(_ at: Int, than other: Int?, for target: DecodeTarget) -> Bool {
    guard let candidate = slots[at]?.entry else { return false }
    guard let other, let current = slots[other]?.entry else { return true }
    let satisfies = candidate.satisfies(target)
    guard satisfies == current.satisfies(target) else { return satisfies }
    let isSmaller = candidate.image.bitmap.byteCount < current.image.bitmap.byteCount
    return satisfies ? isSmaller : !isSmaller
  }

  mutating func insert(_ entry: ImageMemoryCache.Entry, for source: SourceKey) {
    let cost = entry.image.bitmap.byteCount
    for at in index[source] ?? [] where isReplaced(at, by: entry) { release(at) }
    guard cost <= budget else { return }
    evict(toFit: cost)
    let slot = Slot(source: source, entry: entry, wasUsed: false)
    let at: Int
    if let reused = free.popLast() {
      at = reused
      slots[at] = slot
    } else {
      at = slots.count
      slots.append(slot)
    }
    index[source, default: []].append(at)
    byteCount += cost
  }

  private func isReplaced(_ at: Int, by entry: ImageMemoryCache.Entry) -> Bool {
    guard let old = slots[at]?.entry else { return false }
    return old.image.bitmap.size == entry.image.bitmap.size || old.contents != entry.contents
  }

  mutating func refresh(_ source: SourceKey, contents: ContentID?, freshUntil: Date?) {
    for at in index[source] ?? [] where slots[at]?.entry.contents == contents {
      slots[at]?.entry.freshUntil = freshUntil
    }
  }

  mutating func remove(_ source: SourceKey) {
    for at in index[source] ?? [] { release(at) }
  }

  mutating func removeAll() { self = ClockCache(budget: budget, evictions: evictions) }

  private init(budget: Int, evictions: Int) {
    self.budget = budget
    self.evictions = evictions
  }

  private mutating func evict(toFit cost: Int) {
    while byteCount + cost > budget, count > 0 {
      if hand >= slots.count { hand = 0 }
      if let slot = slots[hand] {
        if slot.wasUsed {
          slots[hand]?.wasUsed = false
        } else {
          release(hand)
          evictions += 1
        }
      }
      hand += 1
    }
  }

  private mutating func release(_ at: Int) {
    guard let slot = slots[at] else { return }
    byteCount -= slot.entry.image.bitmap.byteCount
    slots[at] = nil
    free.append(at)
    index[slot.source]?.removeAll { $0 == at }
    if index[slot.source]?.isEmpty == true { index[slot.source] = nil }
  }

  /// Checks what the type promises; for tests.
  func checkInvariants() -> String? {
    let occupied = slots.indices.filter { slots[$0] != nil }
    let sum = occupied.reduce(0) { $0 + (slots[$1]?.entry.image.bitmap.byteCount ?? 0) }
    if sum != byteCount { return "byteCount is \(byteCount), the entries add up to \(sum)" }
    if byteCount > budget { return "byteCount \(byteCount) exceeds the budget \(budget)" }
    let indexed = index.flatMap { source, at in at.map { (source, $0) } }
    if indexed.count != occupied.count { return "\(indexed.count) indexed, \(occupied.count) occupied" }
    if indexed.contains(where: { slots[$0.1]?.source != $0.0 }) { return "an index entry points at another source" }
    for (source, at) in index where Set(at.map { slots[$0]?.entry.contents }).count > 1 {
      return "variants of \(source) come from different bytes"
    }
    if Set(free).count + occupied.count != slots.count { return "free slots do not add up" }
    return nil
  }
}
