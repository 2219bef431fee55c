import Foundation

/// What the disk store does when nobody waits: each step is short, so that a load that comes meanwhile is not held up.
extension DiskStoreCore {
  enum Rest {
    case done
    /// There is more, which may follow at once.
    case more
    /// There are parts too young to judge.
    case later
  }

  /// Writes notes of use, removes what is left behind, gives space back to the file system. A directory that has been
  /// removed is not made again for it.
  @discardableResult
  func idle() -> Rest {
    guard POSIXFiles.identity(directory) != nil else { return .done }
    return perform(.done) { index throws(StoreFailure) in
      if isFreshlyOpened || !touches.isEmpty || !emptied.isEmpty { try change(index) { () throws(StoreFailure) in } }
      isFreshlyOpened = false
      let young = try files.sweepPending(
        now: Date().timeIntervalSince1970, grace: configuration.pendingGrace,
        isKnown: { name throws(StoreFailure) in try index.hasPart(name) })
      let hasDiscarded = files.sweepDiscarded(limit: 500)
      if hasMoreToEvict { try change(index) { () throws(StoreFailure) in try evict(index, keeping: nil) } }
      let hasFree = try shrink(index)
      return hasDiscarded || hasFree || hasMoreToEvict || !emptied.isEmpty ? .more : young > 0 ? .later : .done
    }
  }

  /// Gives pages back where a quarter of the index, and more than 8 MiB, is empty.
  private func shrink(_ index: StoreIndex) throws(StoreFailure) -> Bool {
    let free = try index.database.first("PRAGMA freelist_count") { $0.integer(0) } ?? 0
    let pages = try index.database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
    guard free > 2048, free * 4 > pages else { return false }
    try index.database.execute("PRAGMA incremental_vacuum(512)")
    return true
  }

  // MARK: On request

  func totals() -> StoreIndex.Totals? {
    perform(nil) { index throws(StoreFailure) in try index.totals() }
  }

  /// - Returns: how many entries went; fewer than `limit` when it is done.
  func trim(bytes: Int, limit: Int) -> Int {
    perform(0) { index throws(StoreFailure) in
      let removed = try change(index) { () throws(StoreFailure) in
        try index.evict(bytes: bytes, entries: .max, keeping: nil, limit: limit)
      }
      counters.withLock { $0.evictions += removed }
      return removed
    }
  }

  func removeOlder(than id: StoredEntryID, limit: Int) -> Int {
    perform(0) { index throws(StoreFailure) in
      try change(index) { () throws(StoreFailure) in try index.removeOlder(than: id, limit: limit) }
    }
  }

  /// Reads an entry whole, with its attachments, and removes what is damaged.
  /// - Returns: whether the entry was whole; `nil` where it has gone meanwhile.
  func check(_ id: StoredEntryID) -> Bool? {
    perform(nil) { index throws(StoreFailure) in
      guard try index.hasEntry(id) else { return nil }
      let head = try index.database.first("SELECT head FROM entries WHERE id = ?", .integer(id.rawValue)) { $0.blob(0) }
      let names = try index.database.all("SELECT name FROM parts WHERE entry = ?", .integer(id.rawValue)) { $0.text(0) }
      var isWhole = names.contains(StoreIndex.bodyName) && head.map { HeadCoding($0, id: id) != nil } ?? false
      for name in names where isWhole {
        guard let part = try index.part(name, of: id) else { continue }
        if case .damaged = contents(of: part) { isWhole = false }
      }
      if !isWhole { try discard(id, index) }
      return isWhole
    }
  }

  /// Removes the files of one shard that the index does not know.
  func checkShard(_ shard: UInt8) -> Int {
    perform(0) { index throws(StoreFailure) in
      var removed = 0
      let now = Date().timeIntervalSince1970
      for (name, path) in files.parts(inShard: shard) {
        if try index.hasPart(name) { continue }
        guard let written = POSIXFiles.identity(path)?.written, now - written >= configuration.pendingGrace else {
          continue
        }
        do throws(FileFailure) { try configuration.files.remove(path) } catch { continue }
        removed += 1
      }
      return removed
    }
  }

  /// Sums up what the running totals should be, and puts them right.
  /// - Returns: whether they were.
  func checkTotals() -> Bool {
    perform(true) { index throws(StoreFailure) in
      try change(index) { () throws(StoreFailure) in
        let orphans = "DELETE FROM parts WHERE entry NOT IN (SELECT id FROM entries)"
        try index.database.run(orphans)
        let sum = try index.database.first("SELECT coalesce(sum(cost), 0), count(*) FROM entries") {
          StoreIndex.Totals(bytes: Int($0.integer(0)), entries: Int($0.integer(1)))
        }
        guard let sum, sum != (try index.totals()) else { return true }
        try index.database.run(
          "UPDATE totals SET bytes = ?, entries = ?", .integer(sum.bytes), .integer(sum.entries))
        return false
      }
    }
  }
}
