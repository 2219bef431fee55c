import Foundation
import Testing

@testable import HTTPCaching

/// A change may wait for minutes here: a load that waits with it runs into the limit. Locks of files are not inherited by
/// the processes that other tests start meanwhile.
@Suite("Another process holds the index", .timeLimit(.minutes(2)))
struct LockedIndexTests {
  private let body = pattern(100)
  private let minutes: Double = 600

  private func connection(_ directory: TemporaryDirectory) throws -> SQLiteDatabase {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    return try SQLiteDatabase(path: directory.path("vignette-index.sqlite"))
  }

  @Test("a load behind a write that waits for the lock misses, and the write is made once the lock is free")
  func waitingWrite() async throws {
    let stage = StoreStage { $0.lockPatience = minutes }
    let id = stage.store.put("a", body)
    stage.store.attach(body, named: "t", to: id)
    await stage.store.flush()
    let other = try connection(stage.directory)
    try other.execute("BEGIN EXCLUSIVE")
    stage.store.put("b", body)
    stage.store.removeAll(url: CacheKey.withoutFragment(Stores.url("a")))
    #expect(await stage.store.get("a") == nil)
    #expect(await stage.store.body(of: id) == nil)
    #expect(await stage.store.attachment(named: "t", of: id) == nil)
    try other.execute("ROLLBACK")
    await stage.store.flush()
    #expect(await stage.store.get("b") == body)
    #expect(await stage.store.get("a") == nil)
    let statistics = await stage.store.statistics()
    #expect(statistics.failures == 3 && statistics.damaged == 0 && statistics.entries == 1 && statistics.isAvailable)
  }

  @Test("loads that cannot open the index miss, each counted once, and the store is there once the lock is free")
  func opening() async throws {
    let directory = TemporaryDirectory()
    let other = try connection(directory)
    try other.execute("BEGIN EXCLUSIVE")
    let stage = StoreStage(directory) {
      $0.lockPatience = minutes
      $0.lookUpPatience = 0
    }
    await withTaskGroup(of: Data?.self) { group in
      for name in 0..<20 { group.addTask { await stage.store.get("\(name)") } }
      for await found in group { #expect(found == nil) }
    }
    try other.execute("ROLLBACK")
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
    #expect(await stage.store.statistics().failures == 20)
    #expect(stage.log.withLock { $0.count } == 1)
  }

  @Test("loads do not wait for another process that makes the index anew")
  func directoryLock() async throws {
    let stage = StoreStage { $0.lookUpPatience = 0 }
    try FileManager.default.createDirectory(at: stage.directory.url, withIntermediateDirectories: true)
    let lock = open(stage.directory.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
    #expect(await stage.store.get("a") == nil)
    close(lock)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
    let statistics = await stage.store.statistics()
    #expect(statistics.failures == 1 && statistics.isAvailable)
  }

  @Test("a load does not wait to make a damaged index anew; the next one does it")
  func damaged() async throws {
    let stage = StoreStage { $0.lookUpPatience = 0 }
    stage.store.put("a", body)
    await stage.store.flush()
    try connection(stage.directory).execute("DROP TABLE parts")
    let lock = open(stage.directory.path("lock"), O_RDWR | O_CLOEXEC)
    #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
    #expect(await stage.store.get("a") == nil)
    close(lock)
    #expect(await stage.store.get("a") == nil)
    stage.store.put("a", body)
    await stage.store.flush()
    #expect(await stage.store.get("a") == body)
    let statistics = await stage.store.statistics()
    #expect(statistics.rebuilds == 1 && statistics.isAvailable)
  }
}
