import Foundation
import Synchronized

/// Responses on disk: an index in SQLite with the small bodies, and a file for each larger one.
///
/// All work is done one job after another on a queue of its own, off the threads that Swift's tasks run on. Nothing is
/// opened before the first job. A store that cannot work (no rights, no space, no locks, a damaged index) answers
/// "nothing stored", counts that in its statistics and logs one line of each kind; no load fails for it.
///
/// Several processes may use one directory at a time. Credentials and the request fields that responses vary by are on
/// disk as keyed digests only (HMAC-SHA-256 with a secret of the store's own); URLs, headers and bodies are there as
/// they are, in a directory for the owner alone, which backups leave out.
///
/// On iOS the files can be read while the device is locked, once it has been unlocked since it started. In the container
/// of an app group nothing is locked while the process is suspended: in the background jobs run under an expiring
/// activity, after which the index is closed, and its log with it brought into the database.
public final class DiskStore: Sendable {
  public struct Configuration: Sendable {
    /// Default: `vignette/http` in the platform's folder for caches ($XDG_CACHE_HOME or ~/.cache on Linux, Caches on
    /// Apple's platforms). One that holds other files and no store is left alone, and nothing is stored.
    public var directory: URL?
    /// Bytes of everything stored. Kept at each write; what was used longest ago goes first, up to 256 responses for
    /// one write and the rest when idle. Default 500 MB.
    public var budgetBytes = 500_000_000
    /// Default 100,000.
    public var maximumEntries = 100_000
    /// Longest body or attachment kept, in bytes. Default 64 MiB; never more than half of the budget.
    public var maximumEntryBytes = 64 << 20
    /// Longest body or attachment kept in the index, in bytes; longer ones are files. Default 32 KiB: up to there both
    /// are read in the same time and the index is written in less than half, by `Benchmarks/Store`.
    public var inlineBytes = 32 << 10
    /// Told, from any thread, once for each kind of trouble, however many loads meet it. Default: the system's log on
    /// Apple's platforms, standard error elsewhere; `nil` for none.
    public var log: (@Sendable (String) -> Void)? = StoreLog.platform

    /// Seconds for which a file that no row names may belong to a process about to write the row.
    package var pendingGrace: Double = 5
    /// Seconds without a job before what is left to do is done.
    package var idleDelay: Double = 1
    package var files = FileOperations.posix
    /// Seconds since some moment.
    package var uptime: @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
    /// Seconds that a load waits for its look-up while another process holds the index; then nothing is stored for it.
    package var lookUpPatience: Double = 0.1
    /// Seconds that a change waits then; it is not made after that.
    package var lockPatience: Double = 2
    /// For the times of last use.
    package var clock = WallClock.system
    package var sqliteVFS: String?
    package var maximumPages: Int?

    public init(directory: URL? = nil) { self.directory = directory }
  }

  /// What `verify` found.
  public struct Verification: Hashable, Sendable {
    /// Entries that were read back whole.
    public var whole = 0
    /// Entries that were not, and have been removed.
    public var damaged = 0
    /// Files that belonged to no entry, and have been removed.
    public var orphans = 0
    /// Whether the running totals were right; they are now.
    public var totalsWereRight = true
  }

  private struct Load {
    var jobs = 0
    var bytes = 0
    var isIdleScheduled = false
  }

  /// Lets the core be sent to its queue.
  private final class Confined: @unchecked Sendable {
    // guard: used on `queue` alone.
    let core: DiskStoreCore
    init(_ core: DiskStoreCore) { self.core = core }
  }

  public let configuration: Configuration
  /// Where the responses are.
  public let directory: URL
  private let confined: Confined
  private let queue = DispatchQueue(label: "vignette.http.store", qos: .userInitiated)
  private let counters = Locked(HTTPCacheStatistics.Disk())
  private let touches = DiskStoreTouches()
  private let lookUps = DiskStoreLookUps()
  private let load = Locked(Load())
  private let suspension: SuspensionGuard?

  /// Writes waiting at a time, and bytes of them. What comes on top is not stored: a disk that slow is no help.
  private static let maximumJobs = 1024
  private static let maximumBytes = 64 << 20

  public convenience init(configuration: Configuration = Configuration()) {
    let directory = configuration.directory ?? CacheDirectory.standard
    self.init(
      configuration: configuration, directory: directory, suspension: SuspensionGuard.platform(directory.path))
  }

  init(configuration: Configuration, directory: URL, suspension: SuspensionGuard?) {
    self.configuration = configuration
    self.directory = directory
    self.suspension = suspension
    confined = Confined(
      DiskStoreCore(
        configuration: configuration, directory: directory.path, counters: counters, touches: touches,
        lookUps: lookUps))
    counters.withLock { $0.budgetBytes = configuration.budgetBytes }
    suspension?.onBackground { [weak self] in self?.enqueue { _ in } }
  }

  deinit { enqueue { $0.finish() } }

  // MARK: Jobs

  func read<Result: Sendable>(_ job: @escaping @Sendable (DiskStoreCore) -> Result) async -> Result {
    scheduleIdle(after: configuration.idleDelay)
    return await run(job)
  }

  /// A job that a load waits for, though not for long where another process is in the way.
  private func lookUp<Result: Sendable>(_ job: @escaping @Sendable (DiskStoreCore) -> Result?) async -> Result? {
    scheduleIdle(after: configuration.idleDelay)
    let deadline = configuration.uptime() + configuration.lookUpPatience
    return await withCheckedContinuation { continuation in
      let ticket = lookUps.add(deadline: deadline) { continuation.resume(returning: nil) }
      enqueue { core in
        guard let deadline = core.lookUps.take(ticket) else { return }
        continuation.resume(returning: core.lookUp(until: deadline, job))
      }
    }
  }

  /// Without anything to follow when the store is idle.
  func run<Result: Sendable>(_ job: @escaping @Sendable (DiskStoreCore) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: job($0)) }
    }
  }

  private func enqueue(_ job: @escaping @Sendable (DiskStoreCore) -> Void) {
    let (confined, suspension) = (confined, suspension)
    guard let suspension else { return queue.async { job(confined.core) } }
    suspension.enqueue()
    queue.async {
      confined.core.mayLock = suspension.begin()
      job(confined.core)
      suspension.end { confined.core.closeIndex() }
    }
  }

  /// - Returns: `false` where too much is waiting already.
  private func write(bytes: Int, _ job: @escaping @Sendable (DiskStoreCore) -> Void) -> Bool {
    let isAccepted = load.withLock { load in
      guard load.jobs < Self.maximumJobs, load.jobs == 0 || load.bytes + bytes <= Self.maximumBytes else {
        return false
      }
      load.jobs += 1
      load.bytes += bytes
      return true
    }
    guard isAccepted else {
      counters.withLock { $0.droppedWrites += 1 }
      return false
    }
    change { core in
      job(core)
      self.load.withLock { load in
        load.jobs -= 1
        load.bytes -= bytes
      }
    }
    return true
  }

  private func change(_ job: @escaping @Sendable (DiskStoreCore) -> Void) {
    enqueue(job)
    scheduleIdle(after: configuration.idleDelay)
  }

  private func scheduleIdle(after seconds: Double) {
    let isFirst = load.withLock { load in
      defer { load.isIdleScheduled = true }
      return !load.isIdleScheduled
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.enqueue { [weak self] core in self?.idle(core) }
    }
  }

  private func idle(_ core: DiskStoreCore) {
    load.withLock { $0.isIdleScheduled = false }
    switch core.idle() {
    case .done: break
    case .more: scheduleIdle(after: 0.01)
    case .later: scheduleIdle(after: max(configuration.idleDelay, configuration.pendingGrace / 4))
    }
  }

  // MARK: Maintenance

  public func statistics() async -> HTTPCacheStatistics.Disk {
    let counters = counters
    return await read { core in
      let totals = core.totals()
      var statistics = counters.withLock { $0 }
      statistics.bytes = totals?.bytes ?? 0
      statistics.entries = totals?.entries ?? 0
      return statistics
    }
  }

  /// Reads everything back, removes what is damaged or belongs to nothing, and sums up. Takes as long as reading the
  /// whole store, in steps between which loads are served.
  /// - Parameter checked: told each entry, and whether it was whole. Default none.
  /// - Throws: `DiskStoreError` where the index cannot be read; `CancellationError`. What has been found so far stays
  ///   removed.
  public func verify(checked: ((Entry, _ isWhole: Bool) -> Void)? = nil) async throws -> Verification {
    var result = Verification()
    var last: StoredEntryID?
    while true {
      let page = try await entries(after: last)
      for entry in page {
        try Task.checkCancellation()
        if let isWhole = await read({ $0.check(entry.id) }) {
          if isWhole { result.whole += 1 } else { result.damaged += 1 }
          checked?(entry, isWhole)
        }
        last = entry.id
      }
      guard page.count == 100 else { break }
    }
    for shard in UInt8.min...UInt8.max {
      try Task.checkCancellation()
      result.orphans += await read { $0.checkShard(shard) }
    }
    result.totalsWereRight = await read { $0.checkTotals() }
    return result
  }

  /// Removes what was used longest ago until no more than `bytes` are stored.
  public func trim(to bytes: Int) async {
    while await read({ $0.trim(bytes: bytes, limit: 100) }) == 100 {}
  }

  /// Removes what was stored more than `seconds` ago, by the system's clock; a confirmation (304) does not count.
  public func removeAll(olderThan seconds: Double) async {
    let before = EntryNames.first(at: Date(timeIntervalSinceNow: -seconds))
    while await read({ $0.removeOlder(than: before, limit: 100) }) == 100 {}
  }

  /// Returns when everything asked for before is on disk.
  public func flush() async { await read { _ in } }

  /// Does at once what is otherwise done when idle, in short steps: writes down what was used, removes files that
  /// belong to nothing any more, gives space back. What may still belong to a process that is writing stays.
  public func sweep() async {
    while await read({ $0.idle() }) == .more {}
  }
}

extension DiskStore: ResponseStore {
  func select(_ query: StoreQuery, wanted: @escaping @Sendable (StoredHead) -> StoredPart) async -> Selected? {
    await lookUp { $0.select(query, wanted: wanted) }
  }

  func body(of id: StoredEntryID) async -> Data? { await lookUp { $0.body(of: id) } }

  func attachment(named name: String, of id: StoredEntryID) async -> Data? {
    await lookUp { $0.attachment(named: name, of: id) }
  }

  @discardableResult
  func insert(_ response: StoredResponse, for query: StoreQuery) -> Bool {
    let isKept =
      fits(response.data) && write(bytes: response.data.count) { $0.insert(response, for: query) }
    // What it would have replaced is over all the same.
    if !isKept { removeSelected(by: query) }
    return isKept
  }

  func freshen(_ head: StoredHead, for query: StoreQuery) { change { $0.freshen(head, for: query) } }

  func attach(_ data: Data, named name: String, to id: StoredEntryID) {
    guard fits(data) else { return }
    _ = write(bytes: data.count) { $0.attach(data, named: name, to: id) }
  }

  func touch(_ id: StoredEntryID) {
    if touches.note(id) { change { $0.idle() } }
  }

  func removeSelected(by query: StoreQuery) { change { $0.removeSelected(by: query) } }

  func removeWay(from query: StoreQuery) {
    change { core in
      var query: StoreQuery? = query
      // Ends also where redirects lead in a circle: what has been passed is gone.
      while let here = query {
        query = core.select(here) { _ in .nothing }.flatMap { here.redirected(by: $0.head) }
        core.removeSelected(by: here)
      }
    }
  }

  func remove(_ id: StoredEntryID) { change { $0.remove(id) } }

  func removeAll(url: String) { change { $0.removeAll(url: url) } }

  func removeAll() { change { $0.rebuild() } }

  private func fits(_ data: Data) -> Bool {
    data.count <= min(configuration.maximumEntryBytes, configuration.budgetBytes / 2)
  }
}

/// Which entries were used since that was last written down: one commit for many.
final class DiskStoreTouches: Sendable {
  private let ids = Locked<Set<StoredEntryID>>([])

  /// More than these are worth a commit of their own.
  private static let limit = 256

  /// - Returns: whether it is time to write them down.
  @discardableResult
  func note(_ id: StoredEntryID) -> Bool {
    ids.withLock { ids in
      guard ids.count < Self.limit else { return ids.count == Self.limit && ids.insert(id).inserted }
      ids.insert(id)
      return false
    }
  }

  var isEmpty: Bool { ids.withLock { $0.isEmpty } }

  func take() -> [StoredEntryID] {
    ids.withLock { ids in
      defer { ids = [] }
      return Array(ids)
    }
  }
}
