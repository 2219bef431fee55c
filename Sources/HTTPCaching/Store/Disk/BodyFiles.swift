import Foundation

/// The files of bodies and attachments too large for the index.
///
/// A part is written as `pending/NAME`, then the index names it, then it is renamed to `bodies/xx/NAME`; it is whole in
/// either place, and never changed. What a killed process leaves is thus in `pending`, found without looking through
/// everything: the index tells whether it is a part or a leftover. Nothing is flushed to the device: after a loss of
/// power a part may be short or empty, which its length and checksum in the index show.
///
/// Invariants: only what has a name that this type gives is ever removed. No symbolic link below the directory is
/// followed: a link in the place of a folder is as if there were none, and gives way to a folder.
struct BodyFiles {
  let directory: String
  let operations: FileOperations

  private var bodies: String { directory + "/bodies" }
  private var pending: String { directory + "/pending" }

  private func shard(_ name: Int64) -> String { bodies + "/" + Self.shardName(UInt8(truncatingIfNeeded: name)) }

  private func body(_ name: Int64) -> String { shard(name) + "/" + Self.fileName(name) }

  private func waiting(_ name: Int64) -> String { pending + "/" + Self.fileName(name) }

  // MARK: Names

  /// Sixteen lower-case hexadecimal digits.
  static func fileName(_ name: Int64) -> String {
    let digits = String(name, radix: 16)
    return String(repeating: "0", count: max(16 - digits.utf8.count, 0)) + digits
  }

  /// The name that a file has been given; `nil` for any other file.
  static func name(ofFile file: String) -> Int64? {
    guard let name = Int64(file, radix: 16), name >= 0, fileName(name) == file else { return nil }
    return name
  }

  private static func shardName(_ shard: UInt8) -> String { String(shard, radix: 16) }

  private static func isShard(_ folder: String) -> Bool { UInt8(folder, radix: 16).map(shardName) == folder }

  private static let discardedPrefix = "discarded-"

  private static func isDiscarded(_ folder: String) -> Bool {
    folder.hasPrefix(discardedPrefix) && name(ofFile: String(folder.dropFirst(discardedPrefix.count))) != nil
  }

  /// Whether a folder of this name in the directory is for files of this type.
  static func isFolder(_ name: String) -> Bool { name == "bodies" || name == "pending" || isDiscarded(name) }

  // MARK: Folders

  /// Whether the way to a file leads through folders only, and through no link out of the directory.
  private func isInPlace(_ path: String) -> Bool { folders(on: path).allSatisfy(POSIXFiles.isDirectory) }

  /// The folders on the way from the directory to a file, the outermost first.
  private func folders(on path: String) -> [String] {
    let below = path.utf8.dropFirst(directory.utf8.count + 1)
    return below.indices.filter { below[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
  }

  private func makeFolders(on path: String) throws(FileFailure) {
    for folder in folders(on: path) {
      if POSIXFiles.isLink(folder) { try operations.remove(folder) }
      try operations.makeDirectory(folder)
    }
  }

  // MARK: One part

  /// Writes a part, which may be read from now on; until `settle` it counts as left behind.
  func write(_ data: Data, as name: Int64) throws(StoreFailure) {
    let path = waiting(name)
    do throws(FileFailure) {
      try makingFolders(on: path) { () throws(FileFailure) in try operations.write(path, data) }
    } catch {
      throw error.storeFailure(path)
    }
  }

  /// The part is in the index, and goes to its place. Where that fails it stays readable, and is moved by a sweep.
  func settle(_ name: Int64) {
    guard isInPlace(waiting(name)) else { return }
    do throws(FileFailure) {
      try makingFolders(on: body(name)) { () throws(FileFailure) in
        try operations.rename(waiting(name), body(name))
      }
    } catch {}
  }

  /// The part will not be in the index.
  func abandon(_ name: Int64) { try? removeFile(waiting(name)) }

  /// - Throws: also where the file is not there or has another length.
  func read(_ name: Int64, count: Int) throws(FileFailure) -> Data {
    // It may be moved between the first look and the second.
    for path in [body(name), waiting(name)] {
      do throws(FileFailure) { return try readFile(path, count) } catch {
        guard error == .notFound else { throw error }
      }
    }
    return try readFile(body(name), count)
  }

  func remove(_ name: Int64) throws(FileFailure) {
    for path in [body(name), waiting(name)] {
      do throws(FileFailure) { return try removeFile(path) } catch {
        guard error == .notFound else { throw error }
      }
    }
  }

  private func readFile(_ path: String, _ count: Int) throws(FileFailure) -> Data {
    guard isInPlace(path) else { throw .notFound }
    return try operations.read(path, count)
  }

  private func removeFile(_ path: String) throws(FileFailure) {
    guard isInPlace(path) else { throw .notFound }
    try operations.remove(path)
  }

  private func makingFolders(on path: String, _ work: () throws(FileFailure) -> Void) throws(FileFailure) {
    if isInPlace(path) {
      do throws(FileFailure) { return try work() } catch {
        guard error == .notFound else { throw error }
      }
    }
    try makeFolders(on: path)
    try work()
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
    for file in POSIXFiles.names(in: pending, limit: 1000, where: { Self.name(ofFile: $0) != nil }) {
      let path = pending + "/" + file
      guard let name = Self.name(ofFile: file), let written = POSIXFiles.identity(path)?.written else { continue }
      // A time in the future is that of a clock which has been set back since.
      guard now - written >= grace || written > now + grace else {
        young += 1
        continue
      }
      if try isKnown(name) { settle(name) } else { try? removeFile(path) }
    }
    return young
  }

  /// Puts every body out of the way at once; `sweepDiscarded` removes them bit by bit.
  func discardAll() {
    let name = directory + "/" + Self.discardedPrefix + Self.fileName(EntryNames.shared.next().rawValue)
    try? operations.rename(bodies, name)
  }

  /// Removes up to `limit` discarded files, and the folders that are empty then.
  /// - Returns: whether there may be more. What cannot be removed is left alone until the next time.
  func sweepDiscarded(limit: Int) -> Bool {
    var left = limit
    // The directory itself may be reached through a link.
    for old in POSIXFiles.names(in: directory + "/.", where: Self.isDiscarded) {
      let root = directory + "/" + old
      for shard in POSIXFiles.names(in: root, where: Self.isShard) {
        let path = root + "/" + shard
        for file in POSIXFiles.names(in: path, limit: left, where: { Self.name(ofFile: $0) != nil }) {
          do throws(FileFailure) { try removeFile(path + "/" + file) } catch { continue }
          left -= 1
        }
        guard left > 0 else { return true }
        removeFolder(path)
      }
      removeFolder(root)
    }
    return false
  }

  /// One that is empty; of a link, the link itself.
  private func removeFolder(_ path: String) {
    if POSIXFiles.isLink(path) { try? operations.remove(path) } else { POSIXFiles.removeDirectory(path) }
  }

  /// The parts in one of the 256 shards.
  func parts(inShard shard: UInt8) -> [(name: Int64, path: String)] {
    let path = bodies + "/" + Self.shardName(shard)
    guard POSIXFiles.isDirectory(bodies) else { return [] }
    return POSIXFiles.names(in: path).compactMap { file in
      Self.name(ofFile: file).map { ($0, path + "/" + file) }
    }
  }
}
