import Foundation

#if canImport(Darwin)
  internal import SQLite3
#else
  internal import CSQLite
#endif

/// One connection to a SQLite database: statements prepared once, values bound and read by type, errors by kind.
///
/// Not thread-safe: belongs to whoever made it, on one thread at a time.
final class SQLiteDatabase {
  enum Value {
    case integer(Int64)
    case text(String)
    case blob(Data)
    case null

    static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  }

  /// The row a statement stands at. Valid within the closure it is given to.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(statement, column) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> Data {
      guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
      return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }
  }

  /// Waits a little for a lock that another connection holds, and says whether to try again. Attempts count from 0.
  typealias LockWait = (_ attempt: Int) -> Bool

  private let whileLocked: LockWait?
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// - Parameters:
  ///   - vfs: the name of SQLite's way to the file system; `nil` for the usual.
  ///   - creates: whether to make a database where there is none.
  ///   - whileLocked: `nil` for up to two seconds.
  init(
    path: String, vfs: String? = nil, creates: Bool = true, whileLocked: LockWait? = nil
  ) throws(StoreFailure) {
    self.whileLocked = whileLocked
    // One thread at a time uses it, so that SQLite's own locks would only cost.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (creates ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK else {
      var failure = failure(code)
      // There is no database yet that could be damaged.
      if code & 0xFF == SQLITE_ERROR { failure.kind = .unavailable }
      close()
      throw failure
    }
    sqlite3_extended_result_codes(handle, 1)
    if whileLocked == nil { sqlite3_busy_timeout(handle, 2000) } else { waitByHandler() }
  }

  private func waitByHandler() {
    let handler: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { database, attempt in
      guard let database else { return 0 }
      let waits = Unmanaged<SQLiteDatabase>.fromOpaque(database).takeUnretainedValue().whileLocked
      return waits?(Int(attempt)) == true ? 1 : 0
    }
    // SQLite calls it within calls of its own only, which this object outlives.
    sqlite3_busy_handler(handle, handler, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { close() }

  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Runs statements that bring no rows and take no values.
  func execute(_ sql: String) throws(StoreFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func run(_ sql: String, _ values: Value...) throws(StoreFailure) {
    try step(sql, values) { _ in true }
  }

  /// What `read` makes of the first row; `nil` where there is none.
  func first<Result>(_ sql: String, _ values: Value..., read: (Row) -> Result) throws(StoreFailure) -> Result? {
    var result: Result?
    try step(sql, values) { row in
      result = read(row)
      return false
    }
    return result
  }

  func all<Result>(_ sql: String, _ values: Value..., read: (Row) -> Result) throws(StoreFailure) -> [Result] {
    var results: [Result] = []
    try step(sql, values) { row in
      results.append(read(row))
      return true
    }
    return results
  }

  /// All or nothing: what `body` changed is undone where it throws, or where the process ends before it returns.
  func transaction<Result>(_ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite may have undone it already.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Statements

  private func step(_ sql: String, _ values: [Value], each: (Row) -> Bool) throws(StoreFailure) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (place, value) in values.enumerated() {
      let code = bind(value, to: statement, at: Int32(place + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      if !each(Row(statement: statement)) { return }
    }
  }

  private func prepared(_ sql: String) throws(StoreFailure) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, at place: Int32) -> Int32 {
    // SQLITE_TRANSIENT: SQLite takes a copy before it returns.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, place, number)
    case .null: return sqlite3_bind_null(statement, place)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          sqlite3_bind_text(statement, place, bytes.baseAddress ?? Self.empty, Int32(clamping: bytes.count), copied)
        }
      }
    case .blob(let data):
      return data.withUnsafeBytes { bytes in
        // Without an address it would be null.
        sqlite3_bind_blob(
          statement, place, bytes.baseAddress ?? UnsafeRawPointer(Self.empty), Int32(clamping: bytes.count), copied)
      }
    }
  }

  // guard: one zero byte, never written or freed.
  private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()

  // MARK: Errors

  private func failure(_ code: Int32) -> StoreFailure {
    let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
    return StoreFailure(kind: Self.kind(code), message: "\(message) (SQLite \(code))")
  }

  private static func kind(_ code: Int32) -> StoreFailure.Kind {
    switch code & 0xFF {
    // An index that misses a table was not made by this code.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA: .corrupt
    case SQLITE_FULL, SQLITE_TOOBIG, SQLITE_NOMEM: .full
    // Two processes may, once in a very long time, give the same name: the second does without.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CONSTRAINT: .busy
    default: .unavailable
    }
  }
}
