import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

@Suite("A directory that holds other files is no place for a store", .timeLimit(.minutes(5)))
struct ForeignDirectoryTests {
  private let directory = TemporaryDirectory()
  private let body = pattern(50_000)

  private func make(_ path: String) throws {
    let file = URL(fileURLWithPath: directory.path(path))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("foreign".utf8).write(to: file)
  }

  /// Everything in it, with its folders.
  private var content: Set<String> {
    Set(FileManager.default.enumerator(atPath: directory.url.path)?.compactMap { $0 as? String } ?? [])
  }

  @Test(
    "nothing in it is changed or added, and one line and a code tell of it",
    arguments: [
      "notes.txt", ".profile", "photos/a.jpg", "bodies.txt", "Lock", "discarded-old/a", "index.sqlite", "CACHEDIR.TAG~",
    ])
  func refused(_ path: String) async throws {
    try make(path)
    // One of the store's own makes it none.
    try make("lock")
    let before = content
    let stage = StoreStage(directory)
    for _ in 0..<2 {
      stage.store.put("a", body)
      #expect(await stage.store.get("a") == nil)
      await stage.store.sweep()
      stage.store.removeAll()
      await #expect { try await stage.store.entries() } throws: { ($0 as? DiskStoreError)?.code == .foreign }
    }
    let statistics = await stage.store.statistics()
    #expect(!statistics.isAvailable && statistics.rebuilds == 0)
    #expect(stage.log.withLock { $0.count } == 1)
    #expect(content == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path(path))) == Data("foreign".utf8))
    #expect(!DiskStore.mayUse(directory.url))
  }

  @Test(
    "what comes with a volume, and what a process has made that began at the same time, is in nobody's way",
    arguments: [
      "lost+found/a", ".DS_Store", "lock", "CACHEDIR.TAG", "pending/\(BodyFiles.fileName(1))", "bodies/7f/a",
      "discarded-\(BodyFiles.fileName(1))/a",
    ])
  func accepted(_ path: String) async throws {
    try make(path)
    let stage = StoreStage(directory)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
  }

  @Test("a store's own stays so with other files in it, also once everything has been removed")
  func becomesForeign() async throws {
    do {
      let stage = StoreStage(directory)
      stage.store.put("a", body)
      await stage.store.flush()
      try make("notes.txt")
      stage.store.removeAll()
      // The end: a job that opened the index would make it anew.
      await stage.store.run { _ in }
    }
    let next = StoreStage(directory)
    #expect(await next.store.get("a") == nil)
    next.store.put("a", body)
    #expect(await next.store.get("a") == body)
    #expect(await next.store.statistics().failures == 0)
  }

  @Test("it is tried again after a while")
  func emptiedLater() async throws {
    try make("notes.txt")
    let now = Locked(0.0)
    let stage = StoreStage(directory) { $0.uptime = { now.withLock { $0 } } }
    #expect(await stage.store.get("a") == nil)
    try FileManager.default.removeItem(atPath: directory.path("notes.txt"))
    now.withLock { $0 = 31 }
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
  }

  @Test("through a link a directory is seen as it is", arguments: [true, false])
  func link(_ isForeign: Bool) async throws {
    let place = TemporaryDirectory()
    try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
    if isForeign { try Data().write(to: place.url.appendingPathComponent("a")) }
    try FileManager.default.createSymbolicLink(at: directory.url, withDestinationURL: place.url)
    let stage = StoreStage(directory)
    stage.store.put("a", body)
    #expect((await stage.store.get("a") == body) != isForeign)
    if isForeign { #expect(place.files == ["a"]) }
  }
}
