extension ImageMemoryCache {
  /// What a cache has done since it was made. Numbers only grow; take two and subtract.
  public struct Statistics: Hashable, Sendable {
    /// Look-ups answered by a picture the cache kept.
    public var hits = 0
    /// Look-ups answered by a picture it had evicted, or never kept, and that somebody else still held.
    public var weakHits = 0
    /// Look-ups answered by nothing.
    public var misses = 0
    public var insertions = 0
    /// Insertions above the ceiling for one entry, which are not kept.
    public var oversized = 0
    public var evictions = Evictions()

    public init() {}
  }

  /// Pictures the cache let go of, by reason.
  public struct Evictions: Hashable, Sendable {
    /// To make room for others, or because the budget was lowered.
    public var budget = 0
    /// By `trim(to:)`, which memory pressure calls.
    public var pressure = 0
    /// Older than the lifetime.
    public var lifetime = 0
    /// By a newer picture of the same size, or one decoded from newer bytes.
    public var replaced = 0
    /// By `remove` and `removeAll`.
    public var removed = 0

    public var total: Int { budget + pressure + lifetime + replaced + removed }

    public init() {}
  }
}
