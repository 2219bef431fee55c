import Foundation

/// The index of the disk store: which responses there are, what they weigh, when they were used, and the small bodies.
///
/// Invariants, kept by triggers and so true after every commit: `totals` is the sum over `entries`; an entry's cost
/// counts its parts; an entry's parts go with it; a part that is a file is in `trash` from the commit that removes it
/// until the file is gone.
///
/// Not thread-safe: belongs to `DiskStoreCore`.
final class StoreIndex {
  typealias Value = SQLiteDatabase.Value

  static let fileName = "vignette-index.sqlite"

  /// Of the schema. Another one is made anew: it is a cache.
  static let version: Int64 = 2

  /// "Vgnt": tells our index from other programs' databases.
  private static let applicationID: Int64 = 0x5667_6E74

  let database: SQLiteDatabase
  /// Random, for digests of what must not be on disk itself.
  let secret: Data
  private let clock: WallClock

  struct Totals: Equatable {
    var bytes: Int
    var entries: Int
  }

  struct Row {
    var id: StoredEntryID
    var head: Data
    var bodyLength: Int
  }

  /// An entry as it is listed.
  struct Listed {
    var id: StoredEntryID
    var url: String
    var hasCredentials: Bool
    var head: Data
    var bodyLength: Int
    var cost: Int
    var used: Date
  }

  /// A body or an attachment; `data` is `nil` where it is a file named `name`.
  struct Part {
    var name: Int64
    var length: Int
    var checksum: UInt64
    var data: Data?
  }

  /// What entries are found by.
  struct Key {
    var url: String
    /// A digest of the credentials, and of the coding being kept; one of the two below without any.
    var partition: Data

    /// Of what was given to no credentials, and of such with bodies in the coding they came in: no digest is as short.
    static let common = Data()
    static let commonCoded = Data([1])

    var hash: Int64 { Self.hash(url) }

    static func hash(_ url: String) -> Int64 {
      var url = url
      return url.withUTF8 { Int64(bitPattern: Checksum.xxh64(UnsafeRawBufferPointer($0))) }
    }
  }

  /// Bytes counted for each entry and part beside what they hold: rows and indexes.
  static let entryOverhead = 512
  static let partOverhead = 128

  /// The name of the body among the parts; attachments begin with another letter.
  static let bodyName = "b"

  static func attachmentName(_ name: String) -> String { "a" + name }

  /// - Parameters:
  ///   - clock: for the times of last use.
  ///   - vfs: SQLite's way to the file system; `nil` for the usual.
  ///   - maximumPages: of 4 KiB, beyond which the disk counts as full; `nil` for none.
  ///   - whileLocked: waits where another process holds a lock.
  init(
    path: String, clock: WallClock = .system, vfs: String? = nil, maximumPages: Int? = nil,
    whileLocked: SQLiteDatabase.LockWait? = nil
  ) throws(StoreFailure) {
    self.clock = clock
    database = try SQLiteDatabase(path: path, vfs: vfs, whileLocked: whileLocked)
    // Both have to stand before the first table.
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    let mode = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == "wal" else {
      // Without a log several processes, and a reader beside a writer, would wait for each other.
      throw StoreFailure(kind: .unavailable, message: "this file system cannot share a database (\(mode ?? "none"))")
    }
    // The log is not flushed at each commit: a loss of power may undo the last ones, a crash undoes none.
    try database.execute(
      "PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON; PRAGMA journal_size_limit = 4194304")
    if let maximumPages { _ = try database.first("PRAGMA max_page_count = \(maximumPages)") { $0.integer(0) } }
    try Self.prepare(database)
    let secret = try database.first("SELECT value FROM settings WHERE name = 'secret'") { $0.blob(0) }
    guard let secret, secret.count == 32 else {
      throw StoreFailure(kind: .corrupt, message: "the index has no secret")
    }
    self.secret = secret
  }

  private static func prepare(_ database: SQLiteDatabase) throws(StoreFailure) {
    if try version(database) == version { return }
    try database.transaction { () throws(StoreFailure) in
      // Another process may have been quicker.
      let found = try Self.version(database)
      guard found != version else { return }
      let tables = try database.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) }
      guard found == 0, tables == 0 else {
        throw StoreFailure(kind: .corrupt, message: "the index has version \(found)")
      }
      try database.execute(schema)
      let secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
      try database.run("INSERT INTO settings VALUES ('secret', ?)", .blob(secret))
      try database.execute("PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
    }
  }

  static func version(_ database: SQLiteDatabase) throws(StoreFailure) -> Int64 {
    try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
  }

  /// Whether a database is an index, of whatever version.
  static func isIndex(_ database: SQLiteDatabase) throws(StoreFailure) -> Bool {
    try database.first("PRAGMA application_id") { $0.integer(0) } == applicationID
  }

  private static let schema = """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
    CREATE TABLE totals (bytes INTEGER NOT NULL, entries INTEGER NOT NULL, clock INTEGER NOT NULL);
    INSERT INTO totals VALUES (0, 0, 0);
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, url TEXT NOT NULL, partition BLOB NOT NULL, head BLOB NOT NULL,
      length INTEGER NOT NULL, cost INTEGER NOT NULL, used INTEGER NOT NULL, address INTEGER);
    CREATE INDEX entriesByHash ON entries (hash);
    CREATE INDEX entriesByAddress ON entries (address) WHERE address IS NOT NULL;
    CREATE INDEX entriesByUse ON entries (used);
    CREATE TABLE parts (
      id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, name TEXT NOT NULL, length INTEGER NOT NULL,
      checksum INTEGER NOT NULL, data BLOB);
    CREATE UNIQUE INDEX partsByEntry ON parts (entry, name);
    CREATE TABLE trash (id INTEGER PRIMARY KEY);
    CREATE TRIGGER entryAdded AFTER INSERT ON entries BEGIN
      UPDATE totals SET bytes = bytes + NEW.cost, entries = entries + 1;
    END;
    CREATE TRIGGER entryWeighed AFTER UPDATE OF cost ON entries BEGIN
      UPDATE totals SET bytes = bytes + NEW.cost - OLD.cost;
    END;
    CREATE TRIGGER entryRemoved AFTER DELETE ON entries BEGIN
      UPDATE totals SET bytes = bytes - OLD.cost, entries = entries - 1;
      DELETE FROM parts WHERE entry = OLD.id;
    END;
    CREATE TRIGGER partAdded AFTER INSERT ON parts BEGIN
      UPDATE entries SET cost = cost + NEW.length + \(partOverhead) WHERE id = NEW.entry;
    END;
    CREATE TRIGGER partRemoved AFTER DELETE ON parts BEGIN
      UPDATE entries SET cost = cost - OLD.length - \(partOverhead) WHERE id = OLD.entry;
      INSERT OR IGNORE INTO trash SELECT OLD.id WHERE OLD.data IS NULL;
    END;
    """

  // MARK: Reading

  func rows(_ key: Key) throws(StoreFailure) -> [Row] {
    try database.all(
      "SELECT id, head, length FROM entries WHERE hash = ? AND url = ? AND partition = ?",
      .integer(key.hash), .text(key.url), .blob(key.partition)
    ) { Row(id: StoredEntryID(rawValue: $0.integer(0)), head: $0.blob(1), bodyLength: Int($0.integer(2))) }
  }

  func part(_ name: String, of id: StoredEntryID) throws(StoreFailure) -> Part? {
    try database.first(
      "SELECT id, length, checksum, data FROM parts WHERE entry = ? AND name = ?", .integer(id.rawValue), .text(name)
    ) { row in
      Part(
        name: row.integer(0), length: Int(row.integer(1)), checksum: UInt64(bitPattern: row.integer(2)),
        data: row.isNull(3) ? nil : row.blob(3))
    }
  }

  /// Up to `limit` entries with names above `last`, in the order of their names.
  func listing(after last: StoredEntryID, limit: Int) throws(StoreFailure) -> [Listed] {
    try database.all(
      """
      SELECT id, url, length(partition) > 1, head, length, cost, used FROM entries WHERE id > ? ORDER BY id LIMIT ?
      """, .integer(last.rawValue), .integer(limit)
    ) { row in
      Listed(
        id: StoredEntryID(rawValue: row.integer(0)), url: row.text(1), hasCredentials: row.integer(2) != 0,
        head: row.blob(3), bodyLength: Int(row.integer(4)), cost: Int(row.integer(5)),
        used: Date(timeIntervalSince1970: Double(row.integer(6)) / 1e6))
    }
  }

  func hasPart(_ name: Int64) throws(StoreFailure) -> Bool {
    try database.first("SELECT 1 FROM parts WHERE id = ?", .integer(name)) { _ in true } ?? false
  }

  func hasEntry(_ id: StoredEntryID) throws(StoreFailure) -> Bool {
    try database.first("SELECT 1 FROM entries WHERE id = ?", .integer(id.rawValue)) { _ in true } ?? false
  }

  /// O(1): nothing is summed up.
  func totals() throws(StoreFailure) -> Totals {
    try database.first("SELECT bytes, entries FROM totals") {
      Totals(bytes: Int($0.integer(0)), entries: Int($0.integer(1)))
    } ?? Totals(bytes: 0, entries: 0)
  }

  // MARK: Changing; within a transaction

  /// - Parameter address: the URL it came from, where the key has a name in place of that.
  func insert(
    _ id: StoredEntryID, _ key: Key, address: String?, head: Data, bodyLength: Int
  ) throws(StoreFailure) {
    let cost = Self.entryOverhead + key.url.utf8.count + key.partition.count + head.count
    try database.run(
      "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(id.rawValue), .integer(key.hash),
      .text(key.url),
      .blob(key.partition), .blob(head), .integer(bodyLength), .integer(cost), .integer(try nextUse()),
      address.map { .integer(Key.hash($0)) } ?? .null)
  }

  func insert(_ part: Part, named name: String, of id: StoredEntryID) throws(StoreFailure) {
    try database.run(
      "INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?)", .integer(part.name), .integer(id.rawValue), .text(name),
      .integer(part.length), .integer(Int64(bitPattern: part.checksum)), part.data.map { .blob($0) } ?? .null)
  }

  func removePart(_ name: String, of id: StoredEntryID) throws(StoreFailure) {
    try database.run("DELETE FROM parts WHERE entry = ? AND name = ?", .integer(id.rawValue), .text(name))
  }

  func update(_ id: StoredEntryID, head: Data) throws(StoreFailure) {
    try database.run(
      "UPDATE entries SET cost = cost + ?2 - length(head), head = ?3 WHERE id = ?1", .integer(id.rawValue),
      .integer(head.count), .blob(head))
  }

  func remove(_ id: StoredEntryID) throws(StoreFailure) {
    try database.run("DELETE FROM entries WHERE id = ?", .integer(id.rawValue))
  }

  func removeAll(url: String) throws(StoreFailure) {
    try database.run("DELETE FROM entries WHERE hash = ? AND url = ?", .integer(Key.hash(url)), .text(url))
    try database.run("DELETE FROM entries WHERE address = ?", .integer(Key.hash(url)))
  }

  /// What was stored before this name was made, `limit` at a time.
  /// - Returns: how many went.
  func removeOlder(than id: StoredEntryID, limit: Int) throws(StoreFailure) -> Int {
    let ids = try database.all("SELECT id FROM entries WHERE id < ? LIMIT ?", .integer(id.rawValue), .integer(limit)) {
      StoredEntryID(rawValue: $0.integer(0))
    }
    for id in ids { try remove(id) }
    return ids.count
  }

  func touch(_ ids: [StoredEntryID]) throws(StoreFailure) {
    for id in ids {
      try database.run(
        "UPDATE entries SET used = ?2 WHERE id = ?1", .integer(id.rawValue), .integer(try nextUse()))
    }
  }

  /// A number above all given before: the order of use, whatever the clocks of the processes say. Where they can be
  /// believed it is the time, in microseconds since 1970.
  private func nextUse() throws(StoreFailure) -> Int64 {
    let now = Int64(min(max(clock.now().timeIntervalSince1970 * 1e6, 0), Double(1 << 52)))
    try database.run("UPDATE totals SET clock = max(clock + 1, ?)", .integer(now))
    return try database.first("SELECT clock FROM totals") { $0.integer(0) } ?? 0
  }

  /// Removes what was used longest ago until the store is within its limits.
  /// - Parameters:
  ///   - kept: is not removed.
  ///   - limit: most entries to remove.
  /// - Returns: how many went.
  func evict(bytes: Int, entries: Int, keeping kept: StoredEntryID?, limit: Int = .max) throws(StoreFailure) -> Int {
    var totals = try totals()
    var removed = 0
    while totals.bytes > bytes || totals.entries > entries {
      let oldest = try database.all("SELECT id, cost FROM entries ORDER BY used LIMIT 16") {
        (id: StoredEntryID(rawValue: $0.integer(0)), cost: Int($0.integer(1)))
      }
      let victims = oldest.filter { $0.id != kept }
      guard !victims.isEmpty else { return removed }
      for victim in victims where totals.bytes > bytes || totals.entries > entries {
        guard removed < limit else { return removed }
        try remove(victim.id)
        totals.bytes -= victim.cost
        totals.entries -= 1
        removed += 1
      }
    }
    return removed
  }

  /// Brings the log into the database, so that the next change begins it anew and needs no more space.
  func restartLog() throws(StoreFailure) {
    _ = try database.first("PRAGMA wal_checkpoint(RESTART)") { $0.integer(0) }
  }

  // MARK: Trash

  func trash(limit: Int) throws(StoreFailure) -> [Int64] {
    try database.all("SELECT id FROM trash LIMIT ?", .integer(limit)) { $0.integer(0) }
  }

  func forgetTrash(_ names: [Int64]) throws(StoreFailure) {
    for name in names { try database.run("DELETE FROM trash WHERE id = ?", .integer(name)) }
  }
}
