import Foundation
import Synchronized

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Everything the disk store does, one job after another: opens the index when first needed, and turns every failure
/// into "not stored" with a count and a line for the log.
///
/// Not thread-safe: belongs to the queue of its `DiskStore`. A body reaches the disk before the row that names it, and
/// leaves it after; what a process that is killed in between leaves is swept later.
final class DiskStoreCore {
  let configuration: DiskStore.Configuration
  let files: BodyFiles
  let directory: String
  let counters: Locked<HTTPCacheStatistics.Disk>
  let touches: DiskStoreTouches
  let lookUps: DiskStoreLookUps
  /// Until when the job that runs may wait for locks, where it is a look-up.
  var deadline: Double?
  private var index: StoreIndex?
  /// Which file the index is: another at its path, or none, means that the directory was emptied beneath us.
  private var identity: FileIdentity?
  private var retryAt = -Double.infinity
  /// Whether the process will go on until the job is done: `false` where it is about to be suspended.
  var mayLock = true
  /// Whether another process may have left trash that nobody has looked at.
  var isFreshlyOpened = false
  /// Whether a write left the store above its budget. Who only reads may have another budget than who writes.
  var hasMoreToEvict = false
  /// Rebuilds without a successful job in between.
  private var rebuilds = 0
  private var logged: Set<StoreFailure.Kind> = []
  /// Files that are gone while their rows in `trash` are not yet.
  private(set) var emptied: [Int64] = []

  /// Seconds before a directory that could not be used is tried again.
  private static let retryInterval: Double = 30

  init(
    configuration: DiskStore.Configuration, directory: String, counters: Locked<HTTPCacheStatistics.Disk>,
    touches: DiskStoreTouches, lookUps: DiskStoreLookUps
  ) {
    self.configuration = configuration
    self.directory = directory
    self.counters = counters
    self.touches = touches
    self.lookUps = lookUps
    files = BodyFiles(directory: directory, operations: configuration.files)
  }

  var indexPath: String { directory + "/" + StoreIndex.fileName }

  private var indexFiles: [String] { ["", "-wal", "-shm"].map { indexPath + $0 } }

  // MARK: Failures

  /// Runs a job with the index; `fallback` where there is none, or it fails.
  func perform<Result>(
    _ fallback: Result, _ job: (StoreIndex) throws(StoreFailure) -> Result
  ) -> Result {
    // While the directory is known to be of no use, that is no failure of each job.
    guard index != nil || configuration.uptime() >= retryAt else { return fallback }
    return (try? attempt(job)) ?? fallback
  }

  /// Runs a job with the index, and tells its caller why it failed.
  func attempt<Result>(_ job: (StoreIndex) throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
    do throws(StoreFailure) {
      guard mayLock else { throw StoreFailure(kind: .busy, message: "the process is about to be suspended") }
      let result = try job(try opened())
      rebuilds = 0
      return result
    } catch {
      handle(error)
      throw error
    }
  }

  private func handle(_ failure: StoreFailure) {
    counters.withLock { $0.failures += 1 }
    log(failure)
    switch failure.kind {
    case .busy: break
    // Of itself SQLite begins the log anew at 4 MB only: until then each change would need more space.
    case .full: try? index?.restartLog()
    case .foreign, .unavailable: giveUp()
    case .corrupt:
      rebuilds += 1
      // What cannot be repaired is not tried for ever.
      if rebuilds > 3 { giveUp() } else { rebuild() }
    }
  }

  private func log(_ failure: StoreFailure) {
    guard logged.insert(failure.kind).inserted else { return }
    configuration.log?(
      "HTTP cache in \(directory): \(failure.kind.rawValue): \(failure.message). Loads go on without it where needed.")
  }

  private func giveUp() {
    closeIndex()
    retryAt = configuration.uptime() + Self.retryInterval
    counters.withLock { $0.isAvailable = false }
  }

  /// Starts with nothing. Bodies are put out of the way at once and removed later.
  func rebuild() {
    closeIndex()
    guard POSIXFiles.identity(directory) != nil else { return }
    do throws(StoreFailure) {
      try requireOwnDirectory()
      try withDirectoryLock { () throws(StoreFailure) in
        for path in indexFiles {
          do throws(FileFailure) { try configuration.files.remove(path) } catch {
            if error == .notFound { continue }
            throw error.storeFailure(path)
          }
        }
        // An empty index, so that the directory stays the store's own whatever else is in it.
        createIndexPrivately()
        files.discardAll()
      }
      counters.withLock { $0.rebuilds += 1 }
    } catch {
      log(error)
      if error.kind != .busy { giveUp() }
    }
  }

  // MARK: Opening

  /// SQLite gives its files beside the index the index's own mode. One that is there already is not opened: closing it
  /// would take this process's other locks on it away.
  private func createIndexPrivately() {
    let file = open(indexPath, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    for path in indexFiles { fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW) }
  }

  private func requireOwnDirectory() throws(StoreFailure) {
    guard StoreDirectory.isUsable(directory) else {
      throw StoreFailure(kind: .foreign, message: "it holds other files; a cache needs a directory of its own")
    }
  }

  /// SQLite would follow a symbolic link, and change what that leads to.
  func requireOwnFiles() throws(StoreFailure) {
    for path in indexFiles {
      guard let kind = POSIXFiles.kind(path), kind != S_IFREG else { continue }
      throw StoreFailure(kind: .unavailable, message: "this is no file but a link or something else: \(path)")
    }
  }

  private func opened() throws(StoreFailure) -> StoreIndex {
    if let index {
      if POSIXFiles.identity(indexPath)?.file == identity { return index }
      closeIndex()
    }
    do throws(FileFailure) { try configuration.files.makeDirectory(directory) } catch {
      throw error.storeFailure(directory)
    }
    try requireOwnDirectory()
    CacheDirectory.prepare(directory)
    let opened = try withDirectoryLock { () throws(StoreFailure) in
      try requireOwnFiles()
      createIndexPrivately()
      return try StoreIndex(
        path: indexPath, clock: configuration.clock, vfs: configuration.sqliteVFS,
        maximumPages: configuration.maximumPages,
        whileLocked: { [weak self, patience = configuration.lockPatience] attempt in
          self?.waitsForLock(attempt, patience: patience) ?? false
        })
    }
    index = opened
    identity = POSIXFiles.identity(indexPath)?.file
    emptied = []
    isFreshlyOpened = true
    counters.withLock { $0.isAvailable = true }
    return opened
  }

  func closeIndex() {
    index?.database.close()
    index = nil
    identity = nil
  }

  /// What was noted of use and not yet written is, before the end.
  func finish() {
    if index != nil { idle() }
    closeIndex()
  }

  // MARK: Reading

  func select(_ query: StoreQuery, wanted: (StoredHead) -> StoredPart) -> Selected? {
    perform(nil) { index throws(StoreFailure) in
      let key = key(query, index)
      var heads: [StoredHead] = []
      for row in try index.rows(key) {
        guard let coding = HeadCoding(row.head, id: row.id) else {
          try discard(row.id, index)
          continue
        }
        if selects(coding, query, index) { heads.append(head(row, coding, query)) }
      }
      while let place = Variants.newest(of: heads, for: query.headers) {
        let head = heads.remove(at: place)
        guard let found = try read(wanted(head), of: head, index) else { continue }
        touches.note(head.id)
        return found
      }
      return nil
    }
  }

  /// - Returns: `nil` where the body turned out to be damaged, and its response is gone.
  private func read(_ part: StoredPart, of head: StoredHead, _ index: StoreIndex) throws(StoreFailure) -> Selected? {
    switch part {
    case .nothing: return Selected(head: head)
    case .attachment(let name): return Selected(head: head, data: try attachment(name, of: head.id, index))
    case .body: return try body(of: head.id, index).map { Selected(head: head, data: $0) }
    }
  }

  func body(of id: StoredEntryID) -> Data? {
    perform(nil) { index throws(StoreFailure) in try body(of: id, index) }
  }

  func attachment(named name: String, of id: StoredEntryID) -> Data? {
    perform(nil) { index throws(StoreFailure) in try attachment(name, of: id, index) }
  }

  private func body(of id: StoredEntryID, _ index: StoreIndex) throws(StoreFailure) -> Data? {
    guard let part = try index.part(StoreIndex.bodyName, of: id) else {
      if try index.hasEntry(id) { try discard(id, index) }
      return nil
    }
    switch contents(of: part) {
    case .whole(let data): return data
    case .unreadable: return nil
    case .damaged:
      try discard(id, index)
      return nil
    }
  }

  private func attachment(_ name: String, of id: StoredEntryID, _ index: StoreIndex) throws(StoreFailure) -> Data? {
    let name = StoreIndex.attachmentName(name)
    guard let part = try index.part(name, of: id) else { return nil }
    switch contents(of: part) {
    case .whole(let data): return data
    case .unreadable: return nil
    case .damaged:
      counters.withLock { $0.damaged += 1 }
      try change(index) { () throws(StoreFailure) in try index.removePart(name, of: id) }
      return nil
    }
  }

  enum Contents {
    case whole(Data)
    /// Not there, or other bytes than were written.
    case damaged
    /// For now.
    case unreadable
  }

  /// The process has no descriptor or memory left, or the device has not been unlocked since it started.
  private static let passing = [EMFILE, ENFILE, ENOMEM, EPERM]

  func contents(of part: StoreIndex.Part) -> Contents {
    var data = part.data
    if data == nil {
      do throws(FileFailure) { data = try files.read(part.name, count: part.length) } catch {
        return Self.passing.contains(error.number) ? .unreadable : .damaged
      }
    }
    guard let data, data.count == part.length,
      Checksum.xxh64(data, seed: UInt64(bitPattern: part.name)) == part.checksum
    else { return .damaged }
    return .whole(data)
  }

  /// Removes an entry that turned out to be damaged.
  func discard(_ id: StoredEntryID, _ index: StoreIndex) throws(StoreFailure) {
    // One that has just been removed by another process was not damaged.
    guard try index.hasEntry(id) else { return }
    counters.withLock { $0.damaged += 1 }
    try change(index) { () throws(StoreFailure) in try index.remove(id) }
  }

  // MARK: Writing

  func insert(_ response: StoredResponse, for query: StoreQuery) {
    perform(()) { index throws(StoreFailure) in
      let key = key(query, index)
      let head = encoded(response.head, query, index)
      try adding(response.data) { part throws(StoreFailure) in
        try change(index) { () throws(StoreFailure) in
          try removeSelected(key, query, index)
          try index.insert(
            response.head.id, key, address: query.address, head: head, bodyLength: response.data.count)
          try index.insert(part, named: StoreIndex.bodyName, of: response.head.id)
          try evict(index, keeping: response.head.id)
        }
      }
      counters.withLock { $0.writes += 1 }
    }
  }

  func freshen(_ head: StoredHead, for query: StoreQuery) {
    perform(()) { index throws(StoreFailure) in
      let bytes = encoded(head, query, index)
      try change(index) { () throws(StoreFailure) in try index.update(head.id, head: bytes) }
    }
  }

  func attach(_ data: Data, named name: String, to id: StoredEntryID) {
    perform(()) { index throws(StoreFailure) in
      guard try index.hasEntry(id) else { return }
      try adding(data) { part throws(StoreFailure) in
        try change(index) { () throws(StoreFailure) in
          // It may have gone since; a part without an entry would never be found.
          guard try index.hasEntry(id) else {
            throw StoreFailure(kind: .busy, message: "the response of an attachment is gone")
          }
          try index.removePart(StoreIndex.attachmentName(name), of: id)
          try index.insert(part, named: StoreIndex.attachmentName(name), of: id)
          try evict(index, keeping: id)
        }
      }
    }
  }

  func removeSelected(by query: StoreQuery) {
    perform(()) { index throws(StoreFailure) in
      let key = key(query, index)
      guard !(try index.rows(key)).isEmpty else { return }
      try change(index) { () throws(StoreFailure) in try removeSelected(key, query, index) }
    }
  }

  func remove(_ id: StoredEntryID) {
    perform(()) { index throws(StoreFailure) in
      try change(index) { () throws(StoreFailure) in try index.remove(id) }
    }
  }

  func removeAll(url: String) {
    perform(()) { index throws(StoreFailure) in
      try change(index) { () throws(StoreFailure) in try index.removeAll(url: url) }
    }
  }

  /// One commit, with what is due anyway: notes of use, and files whose rows are gone.
  @discardableResult
  func change<Result>(
    _ index: StoreIndex, _ work: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    let used = touches.take()
    let result = try index.database.transaction { () throws(StoreFailure) in
      try index.forgetTrash(emptied)
      try index.touch(used)
      return try work()
    }
    emptied = []
    try emptyTrash(index)
    return result
  }

  /// Files go after the commit that removed their rows.
  private func emptyTrash(_ index: StoreIndex) throws(StoreFailure) {
    for name in try index.trash(limit: 256) {
      do throws(FileFailure) {
        try files.remove(name)
        emptied.append(name)
      } catch {
        // It stays in the trash, and is tried again.
      }
    }
  }

  /// Brings bytes to the disk, then runs `commit` with the part that names them; takes them back where that throws.
  private func adding(
    _ data: Data, _ commit: (StoreIndex.Part) throws(StoreFailure) -> Void
  ) throws(StoreFailure) {
    let name = EntryNames.shared.next().rawValue
    var part = StoreIndex.Part(
      name: name, length: data.count, checksum: Checksum.xxh64(data, seed: UInt64(bitPattern: name)), data: data)
    guard data.count > configuration.inlineBytes else { return try commit(part) }
    part.data = nil
    try files.write(data, as: name)
    do throws(StoreFailure) { try commit(part) } catch {
      files.abandon(name)
      throw error
    }
    files.settle(name)
  }

  private func removeSelected(_ key: StoreIndex.Key, _ query: StoreQuery, _ index: StoreIndex) throws(StoreFailure) {
    var kept: [StoredEntryID] = []
    for row in try index.rows(key) {
      let isSelected = HeadCoding(row.head, id: row.id).map { selects($0, query, index) } ?? true
      if isSelected { try index.remove(row.id) } else { kept.append(row.id) }
    }
    // A Vary by something that always differs is bounded; names rise with time.
    let surplus = kept.count - MemoryStore.maximumVariants + 1
    for id in kept.sorted(by: { $0.rawValue < $1.rawValue }).prefix(max(surplus, 0)) { try index.remove(id) }
  }

  /// Within a transaction. A budget that has been made much smaller is reached in steps, so that no load waits for it.
  func evict(_ index: StoreIndex, keeping id: StoredEntryID?) throws(StoreFailure) {
    let removed = try index.evict(
      bytes: configuration.budgetBytes, entries: configuration.maximumEntries, keeping: id, limit: Self.evictionStep)
    if removed > 0 { counters.withLock { $0.evictions += removed } }
    hasMoreToEvict = removed == Self.evictionStep
  }

  private static let evictionStep = 256

  // MARK: Between the rules and the index

  private func key(_ query: StoreQuery, _ index: StoreIndex) -> StoreIndex.Key {
    guard query.key.credentials.contains(where: { $0 != nil }) else {
      return StoreIndex.Key(
        url: query.key.url, partition: query.key.keepsCoding ? StoreIndex.Key.commonCoded : StoreIndex.Key.common)
    }
    var writer = ByteWriter()
    for credential in query.key.credentials {
      writer.append(UInt8(credential == nil ? 0 : 1))
      writer.append(credential ?? "")
    }
    if query.key.keepsCoding { writer.append(UInt8(1)) }
    return StoreIndex.Key(url: query.key.url, partition: digest(writer.data, index))
  }

  private func digest(_ message: Data, _ index: StoreIndex) -> Data {
    MessageAuthentication.sha256(message, key: index.secret).prefix(16)
  }

  private func digest(_ name: String, _ value: String?, _ index: StoreIndex) -> Data? {
    Variants.normalized(value).map { digest(Data("\(name.lowercased()):\($0)".utf8), index) }
  }

  private func selects(_ coding: HeadCoding, _ query: StoreQuery, _ index: StoreIndex) -> Bool {
    coding.selecting.allSatisfy { $0.digest == digest($0.name, query.headers[$0.name], index) }
  }

  private func encoded(_ head: StoredHead, _ query: StoreQuery, _ index: StoreIndex) -> Data {
    let selecting = Variants.fields(of: head.response).map { name in
      HeadCoding.Selecting(name: name, digest: digest(name, head.selectingHeaders[name], index))
    }
    return HeadCoding(
      status: head.response.status, headers: head.response.headers, selecting: selecting,
      requestTime: head.requestTime, responseTime: head.responseTime
    ).encoded(for: head.id)
  }

  private func head(_ row: StoreIndex.Row, _ coding: HeadCoding, _ query: StoreQuery) -> StoredHead {
    let response = HTTPResponse(url: query.url, status: coding.status, headers: coding.headers)
    return StoredHead(
      id: row.id, response: response, selectingHeaders: Variants.selectingHeaders(query.headers, for: response),
      requestTime: coding.requestTime, responseTime: coding.responseTime, bodyLength: row.bodyLength)
  }
}
