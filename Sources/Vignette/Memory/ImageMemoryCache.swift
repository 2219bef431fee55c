import Foundation
import ImageCodecs
import Pixels
import Synchronized

/// Decoded pictures by source, bounded by their exact bytes.
///
/// Invariants: the sum of costs never exceeds the budget once a call returns; a picture larger than the budget is not
/// kept; at most one variant of a source per pixel size; all variants of a source come from the same bytes. Look-up is synchronous, takes one lock, allocates nothing and
/// does no I/O, so a view's first body may call it.
/// Complexity: look-up and insertion O(variants of one source); eviction amortised O(1) by the CLOCK algorithm (a hit
/// sets a bit; the hand clears bits and takes the first entry without one).
public final class ImageMemoryCache: Sendable {
  /// One decoded size of a source.
  public struct Entry: Sendable {
    public var image: DecodedImage
    /// When the source stops being fresh by the HTTP rules; `nil` for never.
    public var freshUntil: Date?
    /// Which bytes it was decoded from; `nil` where the source's key says so already.
    var contents: ContentID?
  }

  private let state: Locked<ClockCache>

  /// - Parameter budget: bytes of pixels kept. Default 128 MiB; 0 keeps nothing.
  public init(budget: Int = 128 << 20) { state = Locked(ClockCache(budget: max(0, budget))) }

  /// Bytes of pixels held now.
  public var byteCount: Int { state.withLock { $0.byteCount } }

  /// Entries held now.
  public var count: Int { state.withLock { $0.count } }

  /// Bytes of pixels kept at most. Lowering it evicts at once.
  public var budget: Int {
    get { state.withLock { $0.budget } }
    set { state.withLock { $0.setBudget(max(0, newValue)) } }
  }

  /// Entries evicted since the cache was made, to stay within the budget.
  public var evictions: Int { state.withLock { $0.evictions } }

  /// The smallest variant that satisfies `key.target`, or else the largest there is.
  ///
  /// Whether it satisfies the target: `entry.satisfies(target)`.
  public func bestEntry(for key: ImageKey) -> Entry? { state.withLock { $0.best(for: key) } }

  /// Keeps `entry`; drops variants of the source that were decoded from other bytes, and evicts others to stay within
  /// the budget.
  public func insert(_ entry: Entry, for source: SourceKey) { state.withLock { $0.insert(entry, for: source) } }

  /// Makes the variants of a source fresh again when it still has the bytes they were decoded from.
  func refresh(_ source: SourceKey, contents: ContentID?, freshUntil: Date?) {
    state.withLock { $0.refresh(source, contents: contents, freshUntil: freshUntil) }
  }

  /// Forgets every variant of a source.
  public func remove(_ source: SourceKey) { state.withLock { $0.remove(source) } }

  public func removeAll() { state.withLock { $0.removeAll() } }
}

extension ImageMemoryCache.Entry {
  /// Whether this variant has all the pixels `target` asks for.
  public func satisfies(_ target: DecodeTarget) -> Bool {
    let needed = target.size(for: image.info.size)
    return image.bitmap.size.width >= needed.width && image.bitmap.size.height >= needed.height
  }

  public func isFresh(at now: Date) -> Bool { freshUntil.map { now < $0 } ?? true }
}
