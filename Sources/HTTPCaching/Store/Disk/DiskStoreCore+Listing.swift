import Foundation

/// Looking into a store, on its queue.
extension DiskStoreCore {
  /// Finds out whether the directory holds a store of this version. Nothing is created or made anew.
  func requireExisting() throws(DiskStoreError) {
    guard POSIXFiles.identity(directory) != nil else {
      throw DiskStoreError(.missing, "There is no directory \(directory). Check the path.")
    }
    var version: Int64?
    do throws(StoreFailure) { version = try foundVersion() } catch {
      if error.kind != .corrupt { throw DiskStoreError(error, directory: directory) }
    }
    guard let version else {
      throw DiskStoreError(
        .foreign, "\(directory) is not a cache of this library, or its index is beyond recognition. Check the path.")
    }
    guard version == StoreIndex.version else {
      throw DiskStoreError(
        .version,
        "The cache in \(directory) has version \(version), which this library, at \(StoreIndex.version), cannot read.")
    }
  }

  /// - Returns: `nil` where there is no index of this library.
  private func foundVersion() throws(StoreFailure) -> Int64? {
    guard POSIXFiles.identity(indexPath) != nil else { return nil }
    try requireOwnFiles()
    let database = try SQLiteDatabase(path: indexPath, vfs: configuration.sqliteVFS, creates: false)
    defer { database.close() }
    guard try StoreIndex.isIndex(database) else { return nil }
    return try StoreIndex.version(database)
  }

  /// Up to `limit` entries with names above `last`, in the order of their names.
  func entries(after last: StoredEntryID, limit: Int) throws(DiskStoreError) -> [DiskStore.Entry] {
    do throws(StoreFailure) {
      return try attempt { index throws(StoreFailure) in
        let now = configuration.clock.now()
        return try index.listing(after: last, limit: limit).map { DiskStore.Entry($0, now: now) }
      }
    } catch {
      throw DiskStoreError(error, directory: directory)
    }
  }
}

extension DiskStore.Entry {
  /// - Parameter now: no use is later, whatever the clock of some process said.
  fileprivate init(_ row: StoreIndex.Listed, now: Date) {
    let head = HeadCoding(row.head, id: row.id)
    self.init(
      id: row.id, url: row.url, hasCredentials: row.hasCredentials, status: head?.status,
      headers: head?.headers ?? [:], bodyBytes: row.bodyLength, totalBytes: row.cost, requested: head?.requestTime,
      stored: head?.responseTime, lastUse: min(row.used, now))
  }
}
