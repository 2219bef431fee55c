import Foundation
import ImageCodecs
import Pixels
import Synchronized

/// Decoded pictures by source, bounded by their exact bytes.
///
/// Invariants: the sum of costs never exceeds the budget once a call returns; a picture above the ceiling for one entry
/// is not kept; at most one variant of a source per pixel size and chain of processors; all variants of a source come
/// from the same bytes. A picture that was evicted, or never kept, is still found for as long as somebody holds its
/// `Bitmap`, as a view on screen does. Look-up is synchronous, takes one lock, allocates nothing and does no I/O, so a
/// view's first body may call it.
/// Complexity: look-up and insertion O(variants of one source); eviction amortised O(1), by the SIEVE algorithm.
public final class ImageMemoryCache: Sendable {
  /// One decoded size of a source.
  public struct Entry: Sendable {
    public var image: DecodedImage
    /// When the source stops being fresh by the HTTP rules; `nil` for never.
    public var freshUntil: Date?
    /// Which bytes it was decoded from; `nil` where the source's key says so already.
    var contents: ContentID?
    /// The largest target it satisfies, where its pixels do not tell.
    var coverage: DecodeTarget?
  }

  private let state: Locked<SieveCache>
  /// `nil` where entries have no lifetime: then nobody has to ask a clock.
  private let clock: (@Sendable () -> Double)?
  private let pressure = Locked<MemoryPressureSource.Subscription?>(nil)

  /// - Parameters:
  ///   - budget: bytes kept, counted as `cost` is. Default: 15 % of the memory this process may use, at least 16 MiB and
  ///     at most 768 MiB. 0 keeps nothing.
  ///   - entryCeiling: the most one picture may cost, in bytes; larger ones are found only while somebody else holds
  ///     them. Default: `defaultEntryCeiling(budget:)` of the budget of the moment. Never more than the budget.
  ///   - lifetime: seconds from insertion after which a picture is no longer found, whatever HTTP says of its source.
  ///     Default `nil`, without end; so is what is not above 0. Pictures past it leave when they are looked up and when
  ///     others come.
  ///   - pressure: what tells that memory is short; see `MemoryPressure` for what then happens. Default: nothing.
  ///   - clock: seconds that only ever grow, from any start. Setting the wall clock does not change lifetimes.
  public init(
    budget: Int = ImageMemoryCache.defaultBudget, entryCeiling: Int? = nil, lifetime: Double? = nil,
    pressure source: MemoryPressureSource = .none,
    clock: @escaping @Sendable () -> Double = MonotonicClock.seconds
  ) {
    let cache = SieveCache(budget: budget, entryCeiling: entryCeiling, lifetime: lifetime)
    self.clock = cache.lifetime == nil ? nil : clock
    state = Locked(cache)
    let subscription = source.subscribe { [weak self] event in self?.respond(to: event) }
    pressure.withLock { $0 = subscription }
  }

  deinit { pressure.withLock { $0 }?.cancel() }

  /// Bytes of pixels held now.
  public var byteCount: Int { state.withLock { $0.byteCount } }

  /// Bytes counted against the budget now: pixels, keys and 512 for each entry.
  public var cost: Int { state.withLock { $0.cost } }

  /// Entries held now.
  public var count: Int { state.withLock { $0.count } }

  /// Bytes kept at most, counted as `cost` is. Lowering it evicts at once.
  public var budget: Int {
    get { state.withLock { $0.budget } }
    set { update { $0.setBudget(newValue) } }
  }

  /// The most one picture may cost, in bytes.
  public var entryCeiling: Int { state.withLock { $0.entryCeiling } }

  /// Entries evicted since the cache was made, to stay within the budget.
  public var evictions: Int { statistics.evictions.budget }

  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// The smallest variant that satisfies `key.target`, or else the largest there is.
  ///
  /// Whether it satisfies the target: `entry.satisfies(target)`.
  public func bestEntry(for key: ImageKey) -> Entry? { bestEntry(for: VariantKey(key), target: key.target) }

  func bestEntry(for key: VariantKey, target: DecodeTarget) -> Entry? {
    let now = now()
    return update { $0.best(for: key, target: target, now: now) }
  }

  /// Keeps `entry`; drops variants of the source that were decoded from other bytes, and evicts others to stay within
  /// the budget.
  public func insert(_ entry: Entry, for source: SourceKey) { insert(entry, for: VariantKey(source: source)) }

  func insert(_ entry: Entry, for key: VariantKey) {
    let now = now()
    update { $0.insert(entry, for: key, now: now) }
  }

  /// Makes the variants of a source fresh again when it still has the bytes they were decoded from.
  func refresh(_ source: SourceKey, contents: ContentID?, freshUntil: Date?) {
    state.withLock { $0.refresh(source, contents: contents, freshUntil: freshUntil) }
  }

  /// Forgets every variant of a source, also those that somebody else holds.
  public func remove(_ source: SourceKey) { update { $0.remove(source) } }

  /// Forgets everything, also what somebody else holds.
  public func removeAll() { update { $0.removeAll() } }

  /// Evicts until `cost` is at most `bytes`. The budget stays, and so do pictures that somebody else holds: they are
  /// found, and kept again when they are.
  public func trim(to bytes: Int) { update { $0.trim(to: bytes) } }

  /// Does what `event` asks for; the cache calls it itself for events of the source it was made with.
  public func respond(to event: MemoryPressure) {
    update { $0.trim(to: event.allowance(cost: $0.cost, budget: $0.budget)) }
  }

  private func now() -> Double { clock.map { $0() } ?? 0 }

  /// Changes the state, and gives back the memory of what was let go of once the lock is free again.
  private func update<Result>(_ change: (inout SieveCache) -> Result) -> Result {
    let (result, discarded) = state.withLock { (change(&$0), $0.takeDiscarded()) }
    withExtendedLifetime(discarded) {}
    return result
  }
}

extension ImageMemoryCache {
  /// 15 % of the memory this process may use, at least 16 MiB and at most 768 MiB; found out once.
  ///
  /// On Linux that is the least of the machine's memory, the limits of its control groups (versions 1 and 2) and
  /// RLIMIT_AS; on Apple's platforms of the machine's memory and what the system still gives to the process.
  public static let defaultBudget = defaultBudget(availableMemory: availableMemory())

  static func defaultBudget(availableMemory bytes: Int) -> Int {
    min(768 << 20, max(16 << 20, Int(Double(max(0, bytes)) * 0.15)))
  }

  /// A quarter of a budget. Below 16 MiB: 4 MiB, or the whole budget where that is less, so that a small cache still
  /// keeps ordinary pictures.
  public static func defaultEntryCeiling(budget: Int) -> Int { min(max(0, budget), max(budget / 4, 4 << 20)) }
}

extension ImageMemoryCache.Entry {
  /// Whether this variant has all the pixels `target` asks for.
  public func satisfies(_ target: DecodeTarget) -> Bool {
    target.isSatisfied(by: image.bitmap.size, of: image.info.size, coverage: coverage)
  }

  public func isFresh(at now: Date) -> Bool { freshUntil.map { now < $0 } ?? true }
}

extension DecodeTarget {
  /// Whether whatever satisfies `other` satisfies this.
  func isWithin(_ other: DecodeTarget) -> Bool {
    switch (self, other) {
    case (_, .full): true
    case (.full, .box): false
    case (.box(let size, let mode), .box(let limit, let otherMode)):
      size.width <= limit.width && size.height <= limit.height && (mode == otherMode || otherMode == .fill)
    }
  }

  /// Whether pixels of `size`, decoded from a source of `source` pixels, are as many as this target asks for.
  func isSatisfied(by size: PixelSize, of source: PixelSize, coverage: DecodeTarget? = nil) -> Bool {
    if let coverage { return isWithin(coverage) }
    let needed = self.size(for: source)
    return size.width >= needed.width && size.height >= needed.height
  }
}
