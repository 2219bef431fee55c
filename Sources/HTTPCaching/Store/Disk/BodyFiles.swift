import Foundation

/// The files of bodies and attachments too large for the index.
///
/// A part is written as `pending/NAME`, then the index names it, then it is renamed to `bodies/xx/NAME`; it is whole in
/// either place, and never changed. What a killed process leaves is thus in `pending`, found without looking through
/// everything: the index tells whether it is a part or a leftover. Nothing is flushed to the device: after a loss of
/// power a part may be short or empty, which its length and checksum in the index show.
struct BodyFiles {
  let directory: String
  let operations: FileOperations

  private var bodies: String { directory + "/bodies" }
  private var pending: String { directory + "/pending" }

  private func shard(_ name: Int64) -> String { bodies + "/" + String(UInt8(truncatingIfNeeded: name), radix: 16) }

  private func body(_ name: Int64) -> String { shard(name) + "/" + String(name, radix: 16) }

  private func waiting(_ name: Int64) -> String { pending + "/" + String(name, radix: 16) }

  // MARK: One part

  /// Writes a part, which may be read from now on; until `settle` it counts as left behind.
  func write(_ data: Data, as name: Int64) throws(StoreFailure) {
    let path = waiting(name)
    do throws(FileFailure) {
      try retryingWithDirectory(pending) { () throws(FileFailure) in try operations.write(path, data) }
    } catch {
      throw error.storeFailure(path)
    }
  }

  /// The part is in the index, and goes to its place. Where that fails it stays readable, and is moved by a sweep.
  func settle(_ name: Int64) {
    do throws(FileFailure) {
      try retryingWithDirectory(shard(name)) { () throws(FileFailure) in
        try operations.rename(waiting(name), body(name))
      }
    } catch {}
  }

  /// The part will not be in the index.
  func abandon(_ name: Int64) { try? operations.remove(waiting(name)) }

  /// - Throws: also where the file is not there or has another length.
  func read(_ name: Int64, count: Int) throws(FileFailure) -> Data {
    // It may be moved between the first look and the second.
    for path in [body(name), waiting(name)] {
      do throws(FileFailure) { return try operations.read(path, count) } catch {
        guard error == .notFound else { throw error }
      }
    }
    return try operations.read(body(name), count)
  }

  func remove(_ name: Int64) throws(FileFailure) {
    do throws(FileFailure) { try operations.remove(body(name)) } catch {
      guard error == .notFound else { throw error }
      do throws(FileFailure) { try operations.remove(waiting(name)) } catch {
        guard error == .notFound else { throw error }
      }
    }
  }

  private func retryingWithDirectory(
    _ directory: String, _ work: () throws(FileFailure) -> Void
  ) throws(FileFailure) {
    do throws(FileFailure) { try work() } catch {
      guard error == .notFound else { throw error }
      try operations.makeDirectory(directory)
      try work()
    }
  }

  // MARK: What is left behind

  /// Removes what was being written when its process ended, and puts in place what had been written.
  /// - Parameters:
  ///   - grace: seconds for which a part may belong to a process that is still at it.
  ///   - isKnown: whether the index has a part of this name.
  /// - Returns: how many parts are too young to judge.
  func sweepPending(
    now: Double, grace: Double, isKnown: (Int64) throws(StoreFailure) -> Bool
  ) throws(StoreFailure) -> Int {
    var young = 0
    for file in POSIXFiles.names(in: pending, limit: 1000) {
      let path = pending + "/" + file
      guard let written = POSIXFiles.identity(path)?.written else { continue }
      // A time in the future is that of a clock which has been set back since.
      guard now - written >= grace || written > now + grace else {
        young += 1
        continue
      }
      if let name = Int64(file, radix: 16), try isKnown(name) { settle(name) } else { try? operations.remove(path) }
    }
    return young
  }

  /// Puts every body out of the way at once; `sweepDiscarded` removes them bit by bit.
  func discardAll() {
    let name = directory + "/discarded-" + String(EntryNames.shared.next().rawValue, radix: 16)
    try? operations.rename(bodies, name)
  }

  /// Removes up to `limit` discarded files.
  /// - Returns: whether there may be more.
  func sweepDiscarded(limit: Int) -> Bool {
    guard let old = POSIXFiles.names(in: directory).first(where: { $0.hasPrefix("discarded-") }) else { return false }
    let root = directory + "/" + old
    var left = limit
    for shard in POSIXFiles.names(in: root) {
      let path = root + "/" + shard
      for file in POSIXFiles.names(in: path, limit: left) {
        try? operations.remove(path + "/" + file)
        left -= 1
      }
      guard left > 0 else { return true }
      if !POSIXFiles.removeDirectory(path) { try? operations.remove(path) }
    }
    // One that cannot be emptied is left alone until the next time.
    return POSIXFiles.removeDirectory(root)
  }

  /// The names of all parts in one of the 256 shards, those of foreign files as `nil`.
  func names(inShard shard: UInt8) -> [(name: Int64?, path: String)] {
    let path = bodies + "/" + String(shard, radix: 16)
    return POSIXFiles.names(in: path).map { (Int64($0, radix: 16), path + "/" + $0) }
  }
}
