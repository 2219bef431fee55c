import Foundation
import ImageCodecs
import Pixels

/// The pure part of `ImageMemoryCache`: the pictures it keeps, in the order they came, with SIEVE's hand; those it let
/// go of but somebody else still holds; and one index over both, from source to variants.
///
/// Invariants: `cost` is the sum of the kept entries' costs and at most the budget after every call; no kept entry costs
/// more than the ceiling; every slot is in one list and in `index` under its source; a slot of `elsewhere` holds no
/// pixels; `elsewhere` has at most `elsewhereLimit` slots, each with a key of at most `longestKeyElsewhere` bytes.
///
/// SIEVE (Zhang and others, NSDI 2024): a hit sets a bit; the hand goes from the oldest to the newest, clears bits and
/// evicts the first entry without one; what stays does not move. So new pictures are tried out between the hand and the
/// newest end, and a long scroll flushes itself instead of what is looked at again. Hit ratios of synthetic traces
/// (pictures of 160 KB to 2.5 MB, 131 MB kept), LRU / CLOCK / SIEVE / S3-FIFO with a tenth on trial: Zipf 1.0 with
/// scans 27 / 27 / 34 / 34 %, Zipf 0.8 with scans 11 / 11 / 18 / 17 %, a feed with avatars 15 / 15 / 16 / 12 %, down a
/// list and up again 6 / 6 / 6 / 1 %. S3-FIFO also needs a table of what it evicted.
struct SieveCache {
  typealias Entry = ImageMemoryCache.Entry

  /// What an entry costs beside its pixels and its key, in bytes: its slot, its place in the index, the objects behind
  /// a bitmap.
  static let overhead = 512
  static let longestKeyElsewhere = 4 << 10
  static let elsewhereLimit = 2_048

  enum Reason { case budget, pressure, lifetime, replaced, removed }

  /// An object, so that copying a slot copies no weak reference, which is dear.
  private final class Elsewhere: Sendable {
    let weak: Bitmap.Weak
    var bitmap: Bitmap? { weak.bitmap }

    init(_ bitmap: Bitmap) { weak = Bitmap.Weak(bitmap) }
  }

  private struct Slot {
    let key: VariantKey
    /// Its bitmap is empty while the slot is in `elsewhere`.
    var entry: Entry
    /// The pixels, where others hold them.
    var pixels: Elsewhere?
    let size: PixelSize
    let cost: Int
    /// Seconds of the monotonic clock.
    let since: Double
    /// The next variant of the same source, of whichever chain.
    var nextVariant: Int?
    var wasUsed = false

    var isKept: Bool { pixels == nil }
    var byteCount: Int { size.area * 4 }
  }

  private(set) var budget: Int
  let lifetime: Double?
  private let chosenCeiling: Int?
  private(set) var cost = 0
  private(set) var byteCount = 0
  private(set) var statistics = ImageMemoryCache.Statistics()

  private var slots = LinkedSlots<Slot>()
  private var kept = LinkedSlots<Slot>.List()
  private var elsewhere = LinkedSlots<Slot>.List()
  /// The first variant of each source.
  private var index: [SourceKey: Int] = [:]
  /// The next kept slot to be judged; `nil` for the oldest.
  private var hand: Int?
  /// Pixels let go of, for the owner to release outside its lock: giving them back takes a system call each.
  private var discarded: [Bitmap] = []

  init(budget: Int, entryCeiling: Int? = nil, lifetime: Double? = nil) {
    self.budget = max(0, budget)
    chosenCeiling = entryCeiling.map { max(0, $0) }
    self.lifetime = lifetime.flatMap { $0 > 0 ? $0 : nil }
  }

  var count: Int { kept.count }
  var countElsewhere: Int { elsewhere.count }
  var entryCeiling: Int { min(budget, chosenCeiling ?? ImageMemoryCache.defaultEntryCeiling(budget: budget)) }

  /// What was let go of since the last call.
  mutating func takeDiscarded() -> [Bitmap] {
    guard !discarded.isEmpty else { return [] }
    defer { discarded = [] }
    return discarded
  }

  mutating func setBudget(_ bytes: Int) {
    budget = max(0, bytes)
    // A lower budget lowers the ceiling.
    for at in slots.slots(of: kept) where slots[at].map({ $0.cost > entryCeiling }) == true { evict(at, .budget) }
    evict(to: budget, .budget)
  }

  mutating func trim(to bytes: Int) { evict(to: max(0, bytes), .pressure) }

  // MARK: Look-up

  mutating func best(for key: VariantKey, target: DecodeTarget, now: Double = 0) -> Entry? {
    while let at = bestSlot(for: key, target) {
      if isExpired(at, now) {
        drop(at, .lifetime)
        continue
      }
      if slots[at]?.isKept == true {
        slots.update(at) { $0?.wasUsed = true }
        statistics.hits += 1
        return slots[at]?.entry
      }
      if let entry = readmit(at) {
        statistics.weakHits += 1
        return entry
      }
      drop(at, .budget)
    }
    statistics.misses += 1
    return nil
  }

  private func bestSlot(for key: VariantKey, _ target: DecodeTarget) -> Int? {
    var best: Int?
    var next = index[key.source]
    while let at = next {
      if slots[at]?.key.chain == key.chain, isBetter(at, than: best, for: target) { best = at }
      next = slots[at]?.nextVariant
    }
    return best
  }

  /// The smallest that satisfies the target; failing that, the largest.
  private func isBetter(_ at: Int, than other: Int?, for target: DecodeTarget) -> Bool {
    guard let other else { return true }
    guard let candidate = measure(at, target), let current = measure(other, target) else { return false }
    guard candidate.satisfies == current.satisfies else { return candidate.satisfies }
    return candidate.satisfies ? candidate.area < current.area : candidate.area > current.area
  }

  private func measure(_ at: Int, _ target: DecodeTarget) -> (satisfies: Bool, area: Int)? {
    guard let size = slots[at]?.size, let source = slots[at]?.entry.image.info.size else { return nil }
    let coverage = slots[at]?.entry.coverage
    return (target.isSatisfied(by: size, of: source, coverage: coverage), size.area)
  }

  /// The entry with the pixels somebody else still holds, kept again where it is not too large for that.
  private mutating func readmit(_ at: Int) -> Entry? {
    guard let bitmap = slots[at]?.pixels?.bitmap, let cost = slots[at]?.cost else { return nil }
    guard cost <= entryCeiling else {
      var entry = slots[at]?.entry
      entry?.image.bitmap = bitmap
      return entry
    }
    // In no list, so that making room cannot take it.
    slots.unlink(at, from: &elsewhere)
    evict(to: budget - cost, .budget)
    slots[at]?.pixels = nil
    slots[at]?.entry.image.bitmap = bitmap
    keep(at)
    return slots[at]?.entry
  }

  // MARK: Insertion

  mutating func insert(_ entry: Entry, for key: VariantKey, now: Double = 0) {
    statistics.insertions += 1
    sweepElsewhere()
    while let at = kept.oldest, isExpired(at, now) { drop(at, .lifetime) }
    dropReplaced(by: entry, for: key)
    let size = entry.image.bitmap.size
    // Saturating: a key cannot be that long, but nothing here may trap.
    let cost = entry.image.bitmap.byteCount.addingSaturated(Self.overhead + key.byteCount)
    var slot = Slot(key: key, entry: entry, size: size, cost: cost, since: now)
    if cost <= entryCeiling {
      evict(to: budget - cost, .budget)
      keep(add(slot))
    } else {
      statistics.oversized += 1
      guard key.byteCount <= Self.longestKeyElsewhere else { return }
      slot.pixels = Elsewhere(entry.image.bitmap)
      slot.entry.image.bitmap = .empty
      let at = add(slot)
      slots.link(at, into: &elsewhere)
      limitElsewhere()
    }
  }

  private mutating func dropReplaced(by entry: Entry, for key: VariantKey) {
    for at in variants(of: key.source) {
      let isSameSize = slots[at]?.size == entry.image.bitmap.size && slots[at]?.key.chain == key.chain
      if isSameSize || slots[at]?.entry.contents != entry.contents { drop(at, .replaced) }
    }
  }

  private mutating func add(_ slot: Slot) -> Int {
    var slot = slot
    slot.nextVariant = index[slot.key.source]
    let at = slots.add(slot)
    index[slot.key.source] = at
    return at
  }

  private mutating func keep(_ at: Int) {
    slots[at]?.wasUsed = false
    slots.link(at, into: &kept)
    cost += slots[at]?.cost ?? 0
    byteCount += slots[at]?.byteCount ?? 0
  }

  mutating func refresh(_ source: SourceKey, contents: ContentID?, freshUntil: Date?) {
    for at in variants(of: source) where slots[at]?.entry.contents == contents {
      slots[at]?.entry.freshUntil = freshUntil
    }
  }

  // MARK: Removal

  mutating func remove(_ source: SourceKey) {
    for at in variants(of: source) { drop(at, .removed) }
  }

  /// Forgets what others hold, too.
  mutating func removeAll() {
    for at in slots.slots(of: kept) + slots.slots(of: elsewhere) { drop(at, .removed) }
  }

  private mutating func evict(to limit: Int, _ reason: Reason) {
    while cost > limit, let at = hand ?? kept.oldest {
      if slots[at]?.wasUsed == true {
        slots[at]?.wasUsed = false
        hand = slots.newer(than: at)
      } else {
        evict(at, reason)
      }
    }
  }

  /// Lets go of the pixels; whoever else holds them keeps the entry findable.
  private mutating func evict(_ at: Int, _ reason: Reason) {
    let isForgotten =
      slots[at]?.entry.image.bitmap.isUniquelyHeld() != false
      || slots[at].map { $0.key.byteCount > Self.longestKeyElsewhere } != false
    guard !isForgotten, let bitmap = slots[at]?.entry.image.bitmap else { return drop(at, reason) }
    leaveKept(at, reason)
    slots[at]?.pixels = Elsewhere(bitmap)
    slots[at]?.entry.image.bitmap = .empty
    discarded.append(bitmap)
    sweepElsewhere()
    slots.link(at, into: &elsewhere)
    limitElsewhere()
  }

  /// Forgets an entry of either list.
  private mutating func drop(_ at: Int, _ reason: Reason) {
    guard let slot = slots[at] else { return }
    if slot.isKept {
      leaveKept(at, reason)
      discarded.append(slot.entry.image.bitmap)
    } else {
      slots.unlink(at, from: &elsewhere)
    }
    unindex(at, slot)
    slots.free(at)
    // Gives back what a large cache needed.
    if slots.count == 0 { (slots, index) = (LinkedSlots(), [:]) }
  }

  private mutating func leaveKept(_ at: Int, _ reason: Reason) {
    if hand == at { hand = slots.newer(than: at) }
    slots.unlink(at, from: &kept)
    cost -= slots[at]?.cost ?? 0
    byteCount -= slots[at]?.byteCount ?? 0
    statistics.evictions.count(reason)
  }

  private mutating func unindex(_ at: Int, _ slot: Slot) {
    let source = slot.key.source
    guard var previous = index[source] else { return }
    if previous == at {
      index[source] = slot.nextVariant
      return
    }
    while let next = slots[previous]?.nextVariant {
      if next == at {
        slots[previous]?.nextVariant = slot.nextVariant
        return
      }
      previous = next
    }
  }

  private func variants(of source: SourceKey) -> [Int] {
    var result: [Int] = []
    var next = index[source]
    while let at = next {
      result.append(at)
      next = slots[at]?.nextVariant
    }
    return result
  }

  private func isExpired(_ at: Int, _ now: Double) -> Bool {
    guard let lifetime, let since = slots[at]?.since else { return false }
    return now - since >= lifetime
  }

  // MARK: What others hold

  /// Looks at the two oldest: forgets those nobody holds any more, puts the others at the end. Two for each one that
  /// comes, so that all are looked at before the list is twice as long.
  private mutating func sweepElsewhere() {
    for _ in 0..<min(2, elsewhere.count) {
      guard let at = elsewhere.oldest else { return }
      guard slots[at]?.pixels?.bitmap != nil else {
        drop(at, .budget)
        continue
      }
      slots.unlink(at, from: &elsewhere)
      slots.link(at, into: &elsewhere)
    }
  }

  private mutating func limitElsewhere() {
    while elsewhere.count > Self.elsewhereLimit, let at = elsewhere.oldest { drop(at, .budget) }
  }
}

extension SieveCache {
  /// Checks what the type promises; for tests.
  func checkInvariants() -> String? {
    if let fault = slots.checkInvariants([kept, elsewhere]) { return fault }
    let members = slots.slots(of: kept).compactMap { slots[$0] }
    let others = slots.slots(of: elsewhere).compactMap { slots[$0] }
    if members.reduce(0, { $0 + $1.cost }) != cost { return "cost \(cost) is not the sum of the entries'" }
    if members.reduce(0, { $0 + $1.byteCount }) != byteCount { return "byteCount \(byteCount) is not the sum" }
    if members.contains(where: { $0.entry.image.bitmap.byteCount != $0.byteCount }) { return "a kept entry is empty" }
    if cost > budget { return "cost \(cost) exceeds the budget \(budget)" }
    if members.contains(where: { !$0.isKept || $0.cost > entryCeiling }) { return "an entry must not be kept" }
    if others.contains(where: { $0.isKept || $0.entry.image.bitmap.byteCount > 0 }) { return "pixels held elsewhere" }
    if elsewhere.count > Self.elsewhereLimit { return "\(elsewhere.count) entries held elsewhere" }
    if let hand, slots[hand]?.isKept != true { return "the hand points at nothing kept" }
    var indexed: Set<Int> = []
    for source in index.keys {
      let variants = variants(of: source)
      if variants.isEmpty || variants.contains(where: { slots[$0]?.key.source != source }) {
        return "the index of \(source) is wrong"
      }
      if Set(variants.map { slots[$0]?.entry.contents }).count > 1 { return "variants come from different bytes" }
      indexed.formUnion(variants)
    }
    return indexed.count == slots.count ? nil : "\(indexed.count) indexed, \(slots.count) in use"
  }
}

extension ImageMemoryCache.Evictions {
  fileprivate mutating func count(_ reason: SieveCache.Reason) {
    switch reason {
    case .budget: budget += 1
    case .pressure: pressure += 1
    case .lifetime: lifetime += 1
    case .replaced: replaced += 1
    case .removed: removed += 1
    }
  }
}

extension Int {
  /// The sum, or `Int.max` where there is none.
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? Int.max : sum
  }
}
