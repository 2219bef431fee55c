import Foundation
import HTTPCaching

/// `vignette cache`: looks into a cache that is there, checks it, and makes it smaller.
///
/// Works through the store's own transactions, a few entries at a time, so that processes that use the cache meanwhile
/// go on. Only entries are ever removed: never the directory, and nothing in it that is not the cache's.
struct CacheCommand {
  private let options: CacheOptions

  init(_ options: CacheOptions) { self.options = options }

  /// - Returns: whether all was well.
  /// - Throws: `Terminal.Closed`.
  func run(_ terminal: inout Terminal) async throws -> Bool {
    do {
      let directory = URL(fileURLWithPath: options.directory, isDirectory: true)
      let store = try await DiskStore.existing(DiskStore.Configuration(directory: directory))
      switch options.action {
      case .list: return try await list(store, &terminal)
      case .info: return try await info(store, &terminal)
      case .verify: return try await verify(store, &terminal)
      case .trim: return try await trim(store, &terminal)
      case .clear: return try await clear(store, &terminal)
      }
    } catch let error as DiskStoreError {
      return try report(Failure(error), &terminal)
    }
  }

  /// - Returns: `false`.
  private func report(_ failure: Failure, _ terminal: inout Terminal) throws -> Bool {
    if options.isJSON {
      try terminal.print(json(failure: failure) { _ in })
    } else {
      terminal.printError("vignette: \(failure.code): \(printable(failure.message))")
    }
    return false
  }

  /// The members that every action but `list` prints, around its own.
  private func json(failure: Failure? = nil, _ add: (inout JSONLine) -> Void) -> String {
    var line = JSONLine()
    line.add("cache", options.directory)
    line.add("status", failure == nil ? "success" : "failure")
    add(&line)
    line.add("error", failure?.json)
    return line.text
  }

  private static func responses(_ count: Int) -> String { count == 1 ? "1 response" : "\(count) responses" }

  // MARK: Looking

  /// A page at a time: memory does not grow with the cache.
  private func list(_ store: DiskStore, _ terminal: inout Terminal) async throws -> Bool {
    if !options.isJSON { try terminal.print(CacheEntryLine.title) }
    var last: StoredEntryID?
    while true {
      let page = try await store.entries(after: last, limit: Self.pageSize)
      for entry in page.map(CacheEntryLine.init) { try terminal.print(options.isJSON ? entry.json : entry.text) }
      guard page.count == Self.pageSize else { return true }
      last = page.last?.id
    }
  }

  private static let pageSize = 100

  private func info(_ store: DiskStore, _ terminal: inout Terminal) async throws -> Bool {
    let statistics = await store.statistics()
    let version = DiskStore.schemaVersion
    // Of what could not be read nothing is known.
    if statistics.failures > 0 { return try report(Failure(store: options.directory), &terminal) }
    if options.isJSON {
      try terminal.print(
        json { line in
          line.add("entries", statistics.entries)
          line.add("bytes", statistics.bytes)
          line.add("budgetBytes", statistics.budgetBytes)
          line.add("schema", version)
        })
    } else {
      try terminal.print(
        "\(printable(options.directory)): \(Self.responses(statistics.entries)), \(statistics.bytes) of at most "
          + "\(statistics.budgetBytes) bytes, schema \(version)")
    }
    return true
  }

  // MARK: Checking

  private func verify(_ store: DiskStore, _ terminal: inout Terminal) async throws -> Bool {
    var bar = terminal
    bar.startBar(total: await store.statistics().entries)
    let result: DiskStore.Verification
    do {
      result = try await store.verify { entry, isWhole in
        bar.advanceBar()
        if !isWhole { bar.printError("\(printable(entry.url)): damaged, and removed") }
      }
    } catch {
      bar.endBar()
      throw error
    }
    bar.endBar()
    terminal = bar
    let isWell = result.damaged == 0 && result.totalsWereRight
    if options.isJSON {
      try terminal.print(
        json { line in
          line.add("whole", result.whole)
          line.add("damaged", result.damaged)
          line.add("orphans", result.orphans)
          line.add("totalsWereRight", result.totalsWereRight)
        })
    } else {
      try terminal.print(
        "\(printable(options.directory)): \(result.whole) whole, \(result.damaged) damaged and removed, "
          + "\(result.orphans) files of no entry removed, totals \(result.totalsWereRight ? "right" : "corrected")")
    }
    return isWell
  }

  // MARK: Making smaller

  private func trim(_ store: DiskStore, _ terminal: inout Terminal) async throws -> Bool {
    try await remove(from: store, &terminal) {
      if let age = options.age { await store.removeAll(olderThan: age) }
      if let bytes = options.bytes { await store.trim(to: bytes) }
    }
  }

  private func clear(_ store: DiskStore, _ terminal: inout Terminal) async throws -> Bool {
    try await remove(from: store, &terminal) { await store.trim(to: 0) }
  }

  /// - Returns: whether the store could be worked on to the end.
  private func remove(
    from store: DiskStore, _ terminal: inout Terminal, _ work: () async -> Void
  ) async throws -> Bool {
    let before = await store.statistics()
    await work()
    await store.sweep()
    // Others may have stored something meanwhile.
    let after = await store.statistics()
    let (entries, bytes) = (max(before.entries - after.entries, 0), max(before.bytes - after.bytes, 0))
    let failure = after.failures > before.failures ? Failure(store: options.directory) : nil
    if options.isJSON {
      try terminal.print(
        json(failure: failure) { line in
          line.add("removedEntries", entries)
          line.add("removedBytes", bytes)
          line.add("entries", after.entries)
          line.add("bytes", after.bytes)
        })
    } else {
      if let failure { terminal.printError("vignette: \(failure.code): \(printable(failure.message))") }
      try terminal.print(
        "\(printable(options.directory)): \(Self.responses(entries)) removed, \(bytes) bytes; \(after.entries) left, "
          + "\(after.bytes) bytes")
    }
    return failure == nil
  }
}

extension Failure {
  /// Some step on the store failed, and said so in a counter.
  fileprivate init(store directory: String) {
    code = "store.unavailable"
    message = "Not everything in \(directory) could be done; check its rights and the space left, and try again."
  }
}
