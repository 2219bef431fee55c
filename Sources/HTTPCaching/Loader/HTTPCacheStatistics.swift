/// What a loader keeps and how it served it, since it was made. Bytes count bodies, headers, attachments and
/// bookkeeping.
public struct HTTPCacheStatistics: Hashable, Sendable {
  public struct Memory: Hashable, Sendable {
    public var bytes = 0
    public var budgetBytes = 0
    public var entries = 0
    /// Responses that made room for others.
    public var evictions = 0

    public init() {}
  }

  public struct Disk: Hashable, Sendable {
    public var bytes = 0
    public var budgetBytes = 0
    public var entries = 0
    /// Responses written by this loader.
    public var writes = 0
    /// Responses that made room for others.
    public var evictions = 0
    /// Responses and attachments that did not read back as they were written, and were removed.
    public var damaged = 0
    /// How often everything was forgotten because the index was damaged, or by `removeAll`.
    public var rebuilds = 0
    /// Jobs that failed: disk full, no rights, no locks.
    public var failures = 0
    /// Responses not stored because too many were waiting to be.
    public var droppedWrites = 0
    /// `false` while the directory cannot be used.
    public var isAvailable = true

    public init() {}
  }

  public var memory = Memory()
  /// Incomplete responses in memory.
  public var parts = Memory()
  /// `nil` for a loader without a disk store.
  public var disk: Disk?
  /// Loads answered by what was stored, without the server. A load that follows redirects counts once, by its last hop.
  public var memoryHits = 0
  public var diskHits = 0
  /// Of both: those whose response was stale, by leave of the response or the request.
  public var staleHits = 0
  /// Loads for which the server confirmed what was stored.
  public var revalidations = 0
  /// Loads whose whole response came over the network.
  public var networkLoads = 0
  /// Loads answered by what was stored because the server failed.
  public var rescues = 0
  /// Loads that went on where an interrupted transfer had ended.
  public var resumed = 0
  /// Bytes that these did not have to receive again.
  public var resumedBytes = 0
  /// Loads behind callers' backs.
  public var refreshes = 0

  public init() {}
}
