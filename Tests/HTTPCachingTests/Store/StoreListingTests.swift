import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

@Suite("Looking into a store", .timeLimit(.minutes(5)))
struct StoreListingTests {
  @Test("pages follow one another in the order of storing, each entry once, and sum up to what is stored")
  func pages() async throws {
    let stage = StoreStage()
    for name in 0..<23 { stage.store.put("\(name)", pattern(name), headers: ["X-Name": "\(name)"]) }
    var pages: [[DiskStore.Entry]] = []
    repeat {
      pages.append(try await stage.store.entries(after: pages.last?.last?.id, limit: 5))
    } while pages
      .last?.count == 5
    #expect(pages.map(\.count) == [5, 5, 5, 5, 3])
    let entries = pages.flatMap { $0 }
    #expect(entries.map { $0.headers["X-Name"] } == (0..<23).map { "\($0)" })
    #expect(entries.map(\.url) == (0..<23).map { Stores.url("\($0)").absoluteString })
    #expect(entries.map(\.bodyBytes) == Array(0..<23) && entries.allSatisfy { $0.status == 200 })
    #expect(entries.reduce(0) { $0 + $1.totalBytes } == (await stage.store.statistics().bytes))
  }

  @Test("what is stored, replaced or removed between two pages is listed at most once")
  func changesBetweenPages() async throws {
    let stage = StoreStage()
    let ids = ["a", "b", "c", "d"].map { stage.store.put($0, pattern(9)) }
    let first = try await stage.store.entries(limit: 2)
    #expect(first.map(\.id) == Array(ids[0...1]))
    let replacing = stage.store.put("a", pattern(10))
    stage.store.remove(ids[1])
    stage.store.remove(ids[2])
    let second = try await stage.store.entries(after: first.last?.id)
    #expect(second.map(\.id) == [ids[3], replacing])
  }

  @Test("a page has from one to a thousand entries, whatever is asked for", arguments: [-5, 0, 1, .max])
  func limits(_ limit: Int) async throws {
    let stage = StoreStage()
    for name in 0..<1005 { stage.store.put("\(name)", pattern(1)) }
    await stage.store.flush()
    #expect(try await stage.store.entries(limit: limit).count == (limit == .max ? 1000 : 1))
  }

  @Test("every entry is told until the listener has enough, and what it throws comes through")
  func listener() async throws {
    struct Enough: Error {}
    let stage = StoreStage()
    for name in 0..<230 { stage.store.put("\(name)", pattern(name)) }
    var seen = 0
    try await stage.store.forEachEntry { _ in
      seen += 1
      return true
    }
    #expect(seen == 230)
    try await stage.store.forEachEntry { _ in
      seen += 1
      return seen < 235
    }
    #expect(seen == 235)
    await #expect(throws: Enough.self) { try await stage.store.forEachEntry { _ in throw Enough() } }
  }

  @Test("an entry tells its attachments' weight, its credentials and until when it is fresh")
  func values() async throws {
    let stage = StoreStage()
    let id = stage.store.put("a", pattern(10), headers: ["Cache-Control": "max-age=60"])
    stage.store.put("b", pattern(10), headers: [:], request: ["Authorization": "x"])
    stage.store.put("c", pattern(10), headers: ["Cache-Control": "no-cache, max-age=60"])
    let light = try await stage.store.entries()[0].totalBytes
    stage.store.attach(pattern(700), named: "t", to: id)
    let entries = try await stage.store.entries()
    #expect(entries[0].totalBytes >= light + 700 && entries[0].bodyBytes == 10)
    #expect(entries.map(\.hasCredentials) == [false, true, false])
    #expect(entries.map(\.stored) == Array(repeating: Rules.epoch, count: 3))
    #expect(
      entries.map { $0.freshUntil() } == [Rules.epoch + 60, Rules.epoch + 7 * 86_400, Rules.epoch])
    var strict = HTTPLoader.Configuration()
    strict.defaultLifetime = nil
    #expect(entries[1].freshUntil(for: strict) == Rules.epoch)
  }

  @Test("the last use is the time of it, in the order of use even where the clock is set back")
  func lastUse() async throws {
    let now = Locked(Date(timeIntervalSince1970: 1_800_000_000))
    let stage = StoreStage { $0.clock = WallClock { now.withLock { $0 } } }
    func uses() async throws -> [Double] {
      await stage.store.sweep()
      return try await stage.store.entries().map { $0.lastUse.timeIntervalSince1970 }
    }
    stage.store.put("a", pattern(1))
    #expect(try await uses() == [1_800_000_000])
    now.withLock { $0 += 500 }
    stage.store.put("b", pattern(1))
    #expect(try await uses() == [1_800_000_000, 1_800_000_500])
    now.withLock { $0 += 500 }
    _ = await stage.store.get("a")
    #expect(try await uses() == [1_800_001_000, 1_800_000_500])
    // Set back: no use lies in the future, and the order stays.
    now.withLock { $0 -= 900 }
    _ = await stage.store.get("b")
    #expect(try await uses() == [1_800_000_100, 1_800_000_100])
    await stage.store.trim(to: await stage.store.statistics().bytes - 1)
    #expect(try await stage.store.entries().map(\.url) == [Stores.url("b").absoluteString])
  }

  @Test("a damaged head is listed without what it said")
  func damagedHead() async throws {
    let stage = StoreStage()
    stage.store.put("a", pattern(10))
    await stage.store.flush()
    try SQLiteDatabase(path: stage.directory.path("vignette-index.sqlite")).execute("UPDATE entries SET head = x'00'")
    let entry = try #require(try await stage.store.entries().first)
    #expect(entry.status == nil && entry.stored == nil && entry.freshUntil() == nil && entry.bodyBytes == 10)
  }

  @Test("a store that cannot be read says so instead of showing nothing")
  func unreadable() async throws {
    let stage = StoreStage()
    stage.store.put("a", pattern(10))
    await stage.store.flush()
    try SQLiteDatabase(path: stage.directory.path("vignette-index.sqlite")).execute("DROP TABLE entries")
    #expect(await code { _ = try await stage.store.entries() } == .damaged)
    let file = TemporaryDirectory()
    try Data().write(to: file.url)
    let none = StoreStage(file)
    for _ in 0..<2 { #expect(await code { _ = try await none.store.entries() } == .unavailable) }
    #expect(await code { _ = try await none.store.verify() } == .unavailable)
  }

  // MARK: Only what is there

  @Test("an existing store is opened, with what it holds, beside the one that is at work")
  func existing() async throws {
    let stage = StoreStage()
    stage.store.put("a", pattern(10))
    await stage.store.flush()
    let second = try await DiskStore.existing(stage.store.configuration)
    #expect(await second.get("a") == pattern(10))
    stage.store.put("b", pattern(10))
    await stage.store.flush()
    #expect(try await second.entries().count == 2)
  }

  enum Other: CaseIterable, Sendable {
    case nothing, file, emptyDirectory, emptyIndex, text, database, newer
  }

  @Test("what is no store of this version is refused, and left as it is", arguments: Other.allCases)
  func refusal(_ other: Other) async throws {
    let directory = TemporaryDirectory()
    let index = URL(fileURLWithPath: directory.path("vignette-index.sqlite"))
    if other != .nothing && other != .file {
      try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    }
    switch other {
    case .nothing, .emptyDirectory: break
    case .file: try Data("x".utf8).write(to: directory.url)
    case .emptyIndex: try Data().write(to: index)
    case .text: try Data(repeating: 65, count: 5000).write(to: index)
    case .database: try SQLiteDatabase(path: index.path).execute("CREATE TABLE entries (id)")
    case .newer:
      _ = try StoreIndex(path: index.path)
      try SQLiteDatabase(path: index.path).execute("PRAGMA user_version = 99")
    }
    let before = directory.files
    let bytes = try? Data(contentsOf: index)
    let expected: DiskStoreError.Code =
      switch other {
      case .nothing: .missing
      case .newer: .version
      default: .foreign
      }
    var configuration = DiskStore.Configuration(directory: directory.url)
    configuration.idleDelay = 0
    for _ in 0..<20 { #expect(await code { _ = try await DiskStore.existing(configuration) } == expected) }
    #expect(directory.files == before)
    #expect((try? Data(contentsOf: index)) == bytes)
  }

  @Test("a sweep leaves nothing to do")
  func sweeping() async throws {
    let stage = StoreStage { $0.inlineBytes = 0 }
    for name in 0..<600 { stage.store.put("\(name)", pattern(100)) }
    stage.store.removeAll()
    await stage.store.flush()
    #expect(stage.directory.files.contains { $0.hasPrefix("discarded") })
    await stage.store.sweep()
    #expect(!stage.directory.files.contains { $0.hasPrefix("discarded") || $0.hasPrefix("bodies") })
  }

  @Test("verify tells each entry as it is checked")
  func checkedEntries() async throws {
    let stage = StoreStage { $0.inlineBytes = 10 }
    for name in 0..<120 { stage.store.put("\(name)", pattern(100)) }
    await stage.store.flush()
    let damaged = try #require(stage.directory.bodies.first)
    try Data(count: 100).write(to: URL(fileURLWithPath: stage.directory.path(damaged)))
    var told: [(id: StoredEntryID, isWhole: Bool)] = []
    let found = try await stage.store.verify { told.append(($0.id, $1)) }
    #expect(found.whole == 119 && found.damaged == 1)
    #expect(told.count == 120 && Set(told.map(\.id)).count == 120 && told.filter { !$0.isWhole }.count == 1)
  }
}

/// The code of the error that `body` throws; `nil` where it throws none, or another.
private func code(_ body: () async throws -> Void) async -> DiskStoreError.Code? {
  do { try await body() } catch { return (error as? DiskStoreError)?.code }
  return nil
}
