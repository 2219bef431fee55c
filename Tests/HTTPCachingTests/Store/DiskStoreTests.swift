import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

@Suite("The store on disk", .timeLimit(.minutes(5)))
struct DiskStoreTests {
  private let body = Data("body".utf8)

  @Test("nothing is opened before the first job, and the directory is for its owner alone")
  func lazy() async throws {
    let directory = TemporaryDirectory()
    let stage = StoreStage(directory)
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
    #expect(await stage.store.get("a") == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: directory.url.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    let index = try FileManager.default.attributesOfItem(atPath: directory.path("vignette-index.sqlite"))
    #expect(index[.posixPermissions] as? Int == 0o600)
  }

  @Test("in a directory that others may read, what is stored is not for them")
  func privateFiles() async throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
    let stage = StoreStage(directory)
    stage.store.put("small", body)
    stage.store.put("large", pattern(100_000))
    await stage.store.flush()
    let files = directory.files.filter { !$0.hasPrefix("bodies/") }
    #expect(files.contains("vignette-index.sqlite-wal"))
    for file in files {
      let mode = try FileManager.default.attributesOfItem(atPath: directory.path(file))[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(file)")
    }
    let bodies = try FileManager.default.attributesOfItem(atPath: directory.path("bodies"))
    #expect((bodies[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0)
  }

  @Test("what one store wrote another reads, beside it or after it")
  func reopening() async {
    let directory = TemporaryDirectory()
    let large = pattern(100_000)
    let first = StoreStage(directory)
    let id = first.store.put("a", body)
    first.store.put("large", large)
    first.store.attach(large, named: "t", to: id)
    await first.store.flush()
    let second = StoreStage(directory)
    #expect(await second.store.get("a") == body)
    #expect(await second.store.get("large") == large)
    #expect(await second.store.attachment(named: "t", of: id) == large)
    second.store.put("a", large)
    await second.store.flush()
    #expect(await first.store.get("a") == large)
  }

  @Test("small bodies are in the index, larger ones in files of their own, which go with them")
  func files() async {
    let stage = StoreStage { $0.inlineBytes = 1000 }
    let id = stage.store.put("small", pattern(1000))
    await stage.store.flush()
    #expect(stage.directory.bodies.isEmpty)
    stage.store.put("large", pattern(1001))
    stage.store.attach(pattern(2000), named: "t", to: id)
    await stage.store.flush()
    #expect(stage.directory.bodies.count == 2)
    #expect(stage.directory.files.filter { $0.hasPrefix("pending/") }.isEmpty)
    stage.store.put("large", pattern(3000))
    await stage.store.flush()
    #expect(stage.directory.bodies.count == 2)
    stage.store.remove(id)
    stage.store.removeSelected(by: Stores.query("large"))
    await stage.store.flush()
    #expect(stage.directory.bodies.isEmpty)
  }

  @Test("an attachment is looked up without reading the body")
  func attachmentAlone() async {
    let reads = Locked<[Int]>([])
    let stage = StoreStage { configuration in
      configuration.inlineBytes = 10
      let posix = FileOperations.posix
      configuration.files.read = { path, count throws(FileFailure) in
        reads.withLock { $0.append(count) }
        return try posix.read(path, count)
      }
    }
    let id = stage.store.put("a", pattern(5000))
    stage.store.attach(pattern(100), named: "t", to: id)
    #expect(await stage.store.select(Stores.query("a")) { _ in .attachment("t") }?.data == pattern(100))
    #expect(await stage.store.attachment(named: "t", of: id) == pattern(100))
    #expect(reads.withLock { $0 } == [100, 100])
  }

  @Test("no credential and no field that responses vary by is written down as it is")
  func secrets() async throws {
    let stage = StoreStage()
    let request: HTTPHeaders = [
      "Authorization": "Bearer SECRET-1", "Cookie": "s=SECRET-2", "Proxy-Authorization": "SECRET-3",
      "X-Key": "SECRET-4",
    ]
    stage.store.put("a", body, headers: ["Vary": "X-Key, Authorization"], request: request)
    #expect(await stage.store.get("a", request: request) == body)
    for file in stage.directory.files {
      let bytes = try Data(contentsOf: stage.directory.url.appendingPathComponent(file))
      #expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(file)")
    }
  }

  @Test("each store digests with a secret of its own")
  func ownSecret() async throws {
    let stages = [StoreStage(), StoreStage()]
    var partitions: [Data] = []
    for stage in stages {
      stage.store.put("a", body, request: ["Authorization": "Bearer x"])
      await stage.store.flush()
      let index = try SQLiteDatabase(path: stage.directory.path("vignette-index.sqlite"))
      partitions += try index.all("SELECT partition FROM entries") { $0.blob(0) }
    }
    #expect(partitions.count == 2 && partitions[0] != partitions[1] && partitions.allSatisfy { $0.count == 16 })
  }

  @Test("by default half a gigabyte and a hundred thousand responses are kept, and trouble is told")
  func defaults() {
    let configuration = DiskStore.Configuration()
    #expect(configuration.budgetBytes == 500_000_000 && configuration.maximumEntries == 100_000)
    #expect(configuration.log != nil)
  }

  @Test("the budget in bytes holds after every write, and what was used longest ago goes first")
  func budget() async {
    let stage = StoreStage { $0.budgetBytes = 60_000 }
    for name in ["a", "b", "c", "d", "e"] { stage.store.put(name, pattern(10_000)) }
    #expect(await stage.store.get("a") != nil)
    stage.store.touch(await stage.store.head("b")?.id ?? StoredEntryID(rawValue: 0))
    stage.store.put("f", pattern(10_000))
    #expect(await stage.store.get("c") == nil)
    #expect(await stage.store.get("a") != nil)
    #expect(await stage.store.get("b") != nil)
    let statistics = await stage.store.statistics()
    #expect(statistics.bytes <= 60_000 && statistics.bytes > 50_000)
    #expect(statistics.entries == 5 && statistics.evictions == 1)
  }

  @Test("the budget in entries holds as well; attachments count")
  func entries() async {
    let stage = StoreStage {
      $0.maximumEntries = 3
      $0.budgetBytes = 49_500
    }
    for name in ["a", "b", "c", "d"] { stage.store.put(name, body) }
    #expect(await stage.store.statistics().entries == 3)
    let id = stage.store.put("e", body)
    stage.store.attach(pattern(24_000), named: "t", to: id)
    stage.store.attach(pattern(24_000), named: "u", to: id)
    let statistics = await stage.store.statistics()
    #expect(statistics.entries == 1 && statistics.bytes <= 49_500)
    stage.store.attach(pattern(25_001), named: "v", to: id)
    #expect(await stage.store.attachment(named: "v", of: id) == nil)
  }

  @Test("a budget made much smaller is reached in steps, by writes and when idle")
  func smallerBudget() async {
    let directory = TemporaryDirectory()
    let first = StoreStage(directory)
    for name in 0..<900 { first.store.put("\(name)", body) }
    await first.store.flush()
    let second = StoreStage(directory) { $0.maximumEntries = 10 }
    second.store.put("new", body)
    #expect(await second.store.statistics().entries == 645)
    await second.store.sweep()
    #expect(await second.store.statistics().entries == 10)
    #expect(await second.store.get("new") == body)
    #expect(await second.store.get("899") == body)
  }

  @Test("who only looks into a store that is larger than his budget leaves it as it is")
  func foreignBudget() async throws {
    let directory = TemporaryDirectory()
    let first = StoreStage(directory)
    for name in 0..<50 { first.store.put("\(name)", body) }
    await first.store.flush()
    let second = StoreStage(directory) { $0.maximumEntries = 10 }
    #expect(await second.store.get("0") == body)
    #expect(try await second.store.verify().whole == 50)
    await second.store.sweep()
    #expect(await first.store.statistics().entries == 50)
  }

  @Test("what is too large is not stored, and what it replaces goes")
  func ceiling() async {
    let stage = StoreStage { $0.maximumEntryBytes = 1000 }
    stage.store.put("a", pattern(1000))
    #expect(await stage.store.get("a") != nil)
    stage.store.put("a", pattern(1001))
    #expect(await stage.store.get("a") == nil)
  }

  @Test("trimming, by age, by URL and altogether")
  func trimming() async throws {
    let stage = StoreStage()
    for name in 0..<250 { stage.store.put("\(name)", pattern(100)) }
    let before = await stage.store.statistics()
    await stage.store.trim(to: before.bytes / 2)
    let after = await stage.store.statistics()
    #expect(after.bytes <= before.bytes / 2 && after.entries > 120)
    #expect(await stage.store.get("249") != nil)
    #expect(await stage.store.get("0") == nil)
    await stage.store.removeAll(olderThan: 3600)
    #expect(await stage.store.statistics().entries == after.entries)
    await stage.store.removeAll(olderThan: -3600)
    #expect(await stage.store.statistics().entries == 0)
    #expect(await stage.store.statistics().bytes == 0)
  }

  @Test("removing everything takes effect at once, and the files go when nothing else is to do")
  func removingEverything() async throws {
    let stage = StoreStage {
      $0.inlineBytes = 0
      $0.idleDelay = 0
    }
    for name in 0..<60 { stage.store.put("\(name)", pattern(100)) }
    stage.store.removeAll()
    stage.store.put("0", body)
    #expect(await stage.store.get("0") == body)
    #expect(await stage.store.get("1") == nil)
    while stage.directory.files.contains(where: { $0.hasPrefix("discarded") }) { _ = await stage.store.get("0") }
    #expect(stage.directory.bodies.count == 1)
  }

  @Test("use is written down in few commits, and without being asked once enough has gathered")
  func touches() async {
    let touches = DiskStoreTouches()
    #expect((0..<256).allSatisfy { !touches.note(StoredEntryID(rawValue: $0)) })
    #expect(!touches.note(StoredEntryID(rawValue: 3)))
    #expect(touches.note(StoredEntryID(rawValue: 500)))
    #expect(!touches.note(StoredEntryID(rawValue: 501)))
    #expect(touches.take().count == 257 && touches.isEmpty)
  }

  @Test("the running totals stay right through a random walk", arguments: 0..<6 as Range<UInt64>)
  func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(state: seed)
    let stage = StoreStage {
      $0.budgetBytes = 200_000
      $0.maximumEntries = 30
      $0.inlineBytes = 4000
    }
    var model: [String: Data] = [:]
    for _ in 0..<250 {
      let name = "\(Int.random(in: 0..<40, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        stage.store.removeAll(url: CacheKey.withoutFragment(Stores.url(name)))
        model[name] = nil
      case 1...2:
        if let id = await stage.store.head(name)?.id {
          stage.store.attach(random.data(Int.random(in: 0..<8000, using: &random)), named: "t", to: id)
        }
      case 3...5:
        if let found = await stage.store.get(name) { #expect(found == model[name], "seed \(seed)") }
      default:
        let data = random.data(Int.random(in: 0..<9000, using: &random))
        stage.store.put(name, data)
        model[name] = data
      }
    }
    let statistics = await stage.store.statistics()
    #expect(statistics.bytes <= 200_000 && statistics.entries <= 30 && statistics.failures == 0, "seed \(seed)")
    let found = try await stage.store.verify()
    #expect(found == .init(whole: statistics.entries), "seed \(seed)")
  }

  #if !canImport(Darwin)
    @Test("programs that make backups are told to leave the directory out")
    func cacheTag() async throws {
      let stage = StoreStage()
      _ = await stage.store.get("a")
      let tag = try String(contentsOfFile: stage.directory.path("CACHEDIR.TAG"), encoding: .utf8)
      #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
    }

    @Test("the directory is where the desktop's rules say")
    func standardDirectory() {
      func path(_ environment: [String: String]) -> String { CacheDirectory.standard(environment: environment).path }
      #expect(path(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/vignette/http")
      #expect(path(["HOME": "/h"]) == "/h/.cache/vignette/http")
      #expect(path(["XDG_CACHE_HOME": "relative", "HOME": "/h"]) == "/h/.cache/vignette/http")
      #expect(path(["XDG_CACHE_HOME": "", "HOME": ""]).hasSuffix("/.cache/vignette/http"))
    }
  #endif
}
