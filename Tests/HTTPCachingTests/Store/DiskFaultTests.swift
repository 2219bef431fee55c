import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

@Suite("The store survives what happens to disks", .timeLimit(.minutes(5)))
struct DiskFaultTests {
  private let body = pattern(5000)

  private func filled(_ configure: (inout DiskStore.Configuration) -> Void = { _ in }) async -> StoreStage {
    let stage = StoreStage {
      $0.inlineBytes = 1000
      configure(&$0)
    }
    stage.store.put("a", body)
    stage.store.put("b", Data(body.reversed()))
    stage.store.put("small", pattern(100))
    await stage.store.flush()
    return stage
  }

  enum Damage: CaseIterable, Sendable {
    case flipped, truncated, lengthened, emptied, removed, swapped, directory
  }

  @Test("a body that is damaged, missing or another's is a miss, and is removed", arguments: Damage.allCases)
  func damage(_ damage: Damage) async throws {
    let stage = await filled()
    let files = stage.directory.bodies.map { URL(fileURLWithPath: stage.directory.path($0)) }
    let contents = try files.map { try Data(contentsOf: $0) }
    for (file, (own, other)) in zip(files, zip(contents, contents.reversed())) {
      var data = own
      switch damage {
      case .flipped: data[2500] ^= 1
      case .truncated: data.removeLast()
      case .lengthened: data.append(0)
      case .emptied: data = Data()
      case .swapped: data = other
      case .removed, .directory: break
      }
      try FileManager.default.removeItem(at: file)
      switch damage {
      case .removed: break
      case .directory: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      default: try data.write(to: file)
      }
    }
    for name in ["a", "b"] { #expect(await stage.store.get(name) == nil) }
    #expect(await stage.store.head("a") == nil)
    #expect(await stage.store.get("small") == pattern(100))
    let statistics = await stage.store.statistics()
    #expect(statistics.damaged == 2 && statistics.entries == 1)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
  }

  @Test("a damaged attachment goes alone")
  func damagedAttachment() async throws {
    let stage = StoreStage()
    let id = stage.store.put("a", pattern(100))
    stage.store.attach(pattern(50_000), named: "t", to: id)
    await stage.store.flush()
    let file = try #require(stage.directory.bodies.first)
    try Data(count: 50_000).write(to: URL(fileURLWithPath: stage.directory.path(file)))
    #expect(await stage.store.attachment(named: "t", of: id) == nil)
    #expect(await stage.store.get("a") == pattern(100))
    #expect(await stage.store.statistics().damaged == 1)
  }

  enum Inside: String, CaseIterable, Sendable {
    case flipped = "UPDATE parts SET data = zeroblob(100)"
    case short = "UPDATE parts SET data = x'00'"
    case missing = "DROP TRIGGER partRemoved; DELETE FROM parts"
    case otherSum = "UPDATE parts SET checksum = checksum + 1"
    case otherHead = "UPDATE entries SET head = zeroblob(90)"
    case noHead = "UPDATE entries SET head = x''"
  }

  @Test("a body or a head that is damaged in the index is a miss, and is removed", arguments: Inside.allCases)
  func damageInside(_ damage: Inside) async throws {
    let stage = StoreStage()
    for name in ["a", "b"] { stage.store.put(name, pattern(100)) }
    await stage.store.flush()
    try SQLiteDatabase(path: stage.directory.path("vignette-index.sqlite")).execute(damage.rawValue)
    for name in ["a", "b"] { #expect(await stage.store.get(name) == nil) }
    let statistics = await stage.store.statistics()
    #expect(statistics.damaged == 2 && statistics.entries == 0 && statistics.rebuilds == 0)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
  }

  @Test(
    "a process out of descriptors, or before the device is unlocked, misses and removes nothing",
    arguments: [EMFILE, ENFILE, ENOMEM, EPERM])
  func unreadable(_ number: Int32) async {
    let isOut = Locked(false)
    let stage = await filled { configuration in
      let posix = FileOperations.posix
      configuration.files.read = { path, count throws(FileFailure) in
        if isOut.withLock({ $0 }) { throw FileFailure(number) }
        return try posix.read(path, count)
      }
    }
    isOut.withLock { $0 = true }
    #expect(await stage.store.get("a") == nil)
    isOut.withLock { $0 = false }
    #expect(await stage.store.get("a") == body)
  }

  enum Index: CaseIterable, Sendable {
    case noDatabase, zeroed, truncated, otherVersion, otherTables, noSecret
  }

  @Test("an index that is none, or another's, is made anew, and one line tells", arguments: Index.allCases)
  func damagedIndex(_ kind: Index) async throws {
    let directory = TemporaryDirectory()
    do {
      let stage = StoreStage(directory) { $0.inlineBytes = 0 }
      for name in 0..<200 { stage.store.put("\(name)", pattern(100)) }
      await stage.store.flush()
    }
    let path = directory.path("vignette-index.sqlite")
    // The store closes the index, and so empties its log, after it has been let go of.
    while FileManager.default.fileExists(atPath: path + "-wal") { await Task.yield() }
    let file = URL(fileURLWithPath: path)
    switch kind {
    case .noDatabase: try Data("This is no database, and never was one. ".utf8).write(to: file)
    case .zeroed:
      var bytes = try Data(contentsOf: file)
      for place in 4096..<bytes.count where place % 4096 < 2000 { bytes[place] = 0 }
      try bytes.write(to: file)
    case .truncated: try Data(contentsOf: file).prefix(10_000).write(to: file)
    case .otherVersion: try SQLiteDatabase(path: path).execute("PRAGMA user_version = 99")
    case .otherTables: try SQLiteDatabase(path: path).execute("DROP TABLE parts")
    case .noSecret: try SQLiteDatabase(path: path).execute("DELETE FROM settings")
    }
    let stage = StoreStage(directory) { $0.idleDelay = 0 }
    // Whatever page is damaged, none of this may hand out wrong bytes.
    for name in 0..<200 {
      if let found = await stage.store.get("\(name)") { #expect(found == pattern(100)) }
    }
    stage.store.put("new", body)
    stage.store.put("new", body)
    #expect(await stage.store.get("new") == body)
    let statistics = await stage.store.statistics()
    #expect(statistics.rebuilds >= 1 && statistics.isAvailable && statistics.entries == 1)
    #expect(stage.log.withLock { $0.count } == 1)
    while !directory.files.filter({ $0.hasPrefix("discarded") }).isEmpty { _ = await stage.store.get("new") }
  }

  @Test("a directory deleted beneath the store is made again")
  func deletedDirectory() async throws {
    let stage = await filled()
    try FileManager.default.removeItem(at: stage.directory.url)
    #expect(await stage.store.get("a") == nil)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
    #expect(await stage.store.statistics().entries == 1)
    try FileManager.default.removeItem(atPath: stage.directory.path("bodies"))
    #expect(await stage.store.get("a") == nil)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
  }

  @Test("a directory deleted beneath a store that has nothing to do stays deleted")
  func deletedWhileIdle() async throws {
    let stage = await filled()
    try FileManager.default.removeItem(at: stage.directory.url)
    await stage.store.sweep()
    #expect(!FileManager.default.fileExists(atPath: stage.directory.url.path))
  }

  @Test("a directory that cannot be is tried again after a while, not with every load")
  func noDirectory() async throws {
    let directory = TemporaryDirectory()
    try Data().write(to: directory.url)
    let now = Locked(0.0)
    let stage = StoreStage(directory) { $0.uptime = { now.withLock { $0 } } }
    for _ in 0..<5 {
      stage.store.put("a", body)
      #expect(await stage.store.get("a") == nil)
    }
    var statistics = await stage.store.statistics()
    #expect(!statistics.isAvailable && statistics.failures == 1)
    #expect(stage.log.withLock { $0.count } == 1)
    try FileManager.default.removeItem(at: directory.url)
    now.withLock { $0 = 31 }
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
    statistics = await stage.store.statistics()
    #expect(statistics.isAvailable)
  }

  @Test(
    "a file system without shared memory for locks is not used", arguments: ["unix-dotfile", "unix-none", "nonsense"])
  func noLocks(_ vfs: String) async {
    let stage = StoreStage { $0.sqliteVFS = vfs }
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == nil)
    #expect(await stage.store.statistics().isAvailable == false)
    #expect(stage.log.withLock { $0.count } == 1)
  }

  @Test("a disk that is full for files keeps what is stored, and takes more when there is room")
  func diskFull() async {
    let isFull = Locked(false)
    let stage = await filled { configuration in
      let posix = FileOperations.posix
      configuration.files.write = { path, data throws(FileFailure) in
        if isFull.withLock({ $0 }), !data.isEmpty { throw FileFailure(ENOSPC) }
        try posix.write(path, data)
      }
    }
    isFull.withLock { $0 = true }
    stage.store.put("new", body)
    #expect(await stage.store.get("new") == nil)
    #expect(await stage.store.get("a") == body)
    #expect(await stage.store.statistics().failures == 1)
    #expect(stage.directory.bodies.count == 2 && !stage.directory.files.contains { $0.hasPrefix("pending/") })
    isFull.withLock { $0 = false }
    stage.store.put("new", body)
    #expect(await stage.store.get("new") == body)
  }

  @Test("a disk that is full for the index undoes the write whole")
  func indexFull() async throws {
    let stage = StoreStage { $0.maximumPages = 40 }
    for name in 0..<40 { stage.store.put("\(name)", pattern(8000)) }
    let statistics = await stage.store.statistics()
    #expect(statistics.failures > 0 && statistics.entries > 3 && statistics.entries < 40 && statistics.isAvailable)
    let found = try await stage.store.verify()
    #expect(found == .init(whole: statistics.entries))
  }

  @Test("what a killed process left of a write is removed, what it finished stays")
  func leftovers() async throws {
    let stage = await filled()
    let bodies = stage.directory.bodies
    let known = try #require(bodies.first)
    let name = URL(fileURLWithPath: known).lastPathComponent
    try FileManager.default.moveItem(
      atPath: stage.directory.path(known), toPath: stage.directory.path("pending/" + name))
    let orphan = BodyFiles.fileName(EntryNames.shared.next().rawValue)
    try Data("x".utf8).write(to: URL(fileURLWithPath: stage.directory.path("pending/\(orphan)")))
    for name in ["a", "b"] { #expect(await stage.store.get(name)?.count == body.count) }
    let second = StoreStage(stage.directory) { $0.idleDelay = 0 }
    while stage.directory.files.contains(where: { $0.hasPrefix("pending/") }) { _ = await second.store.get("x") }
    #expect(stage.directory.bodies == bodies)
    #expect(await second.store.get("a") == body)
  }

  @Test("what is being written is not taken for left behind")
  func grace() async throws {
    let stage = await filled { $0.pendingGrace = 1000 }
    let path = stage.directory.path("pending/" + BodyFiles.fileName(123))
    try Data().write(to: URL(fileURLWithPath: path))
    let second = StoreStage(stage.directory) {
      $0.idleDelay = 0
      $0.pendingGrace = 1000
    }
    for _ in 0..<50 { _ = await second.store.get("a") }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("verify removes bodies of no entry and damage, and puts the totals right")
  func verifying() async throws {
    let stage = await filled()
    let known = try #require(stage.directory.bodies.first)
    let folder = URL(fileURLWithPath: stage.directory.path(known)).deletingLastPathComponent()
    for orphan in [1, 2] as [Int64] {
      try Data("x".utf8).write(to: folder.appendingPathComponent(BodyFiles.fileName(orphan)))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: stage.directory.path(known)))
    try SQLiteDatabase(path: stage.directory.path("vignette-index.sqlite")).execute("UPDATE totals SET bytes = 5")
    let found = try await stage.store.verify()
    #expect(found == .init(whole: 2, damaged: 1, orphans: 2, totalsWereRight: false))
    #expect(try await stage.store.verify() == .init(whole: 2))
  }

  @Test("a writer that never comes to its turn drops writes instead of piling them up")
  func bounded() async {
    let gate = DispatchSemaphore(value: 0)
    let stage = StoreStage { configuration in
      configuration.inlineBytes = -1
      configuration.files.write = { _, _ throws(FileFailure) in
        gate.wait()
        throw FileFailure(ENOSPC)
      }
    }
    for name in 0..<2000 { stage.store.put("\(name)", Data(count: 100)) }
    for _ in 0..<2000 { gate.signal() }
    let statistics = await stage.store.statistics()
    #expect(statistics.droppedWrites >= 900)
    #expect(statistics.failures + statistics.droppedWrites == 2000)
  }
}

@Suite("Heads and checksums on disk")
struct CodingTests {
  /// Made with the reference implementation, python-xxhash 4.1: `xxh64(bytes, seed)`.
  @Test("XXH64 gives the reference's sums")
  func checksums() {
    let bytes = Data((0..<101).map { UInt8($0) })
    #expect(Checksum.xxh64(Data()) == 0xEF46_DB37_51D8_E999)
    #expect(Checksum.xxh64(Data("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
    for (count, seed, sum) in Self.sums { #expect(Checksum.xxh64(bytes.prefix(count), seed: seed) == sum, "\(count)") }
    #expect(Checksum.xxh64(bytes.dropFirst(1).prefix(40)) == Checksum.xxh64(Data(bytes.dropFirst(1).prefix(40))))
  }

  static let sums: [(Int, UInt64, UInt64)] = [
    (1, 0, 0xE934A84ADB052768),
    (3, 7, 0x5AB1230478CA6310),
    (4, 0, 0xFFCED8604453CC1E),
    (7, 9, 0x3490BF38B48BDF96),
    (8, 0, 0x884A173614B81B8D),
    (15, 1, 0xC60AA95976ED0E4E),
    (31, 2, 0x589639DD80649E3D),
    (32, 0, 0xCBF59C5116FF32B4),
    (33, 3, 0x72263567299A03AC),
    (63, 9223372036854775813, 0xCEE3B5BA8AE50DCF),
    (64, 0, 0xF7C67301DB6713F0),
    (101, 2654435761, 0xA1C6D4174C37136D),
  ]

  private func coding() -> HeadCoding {
    HeadCoding(
      status: 404, headers: ["A": "1", "B": "", "Ü": String(repeating: "x", count: 3000)],
      selecting: [.init(name: "accept", digest: Data([1, 2])), .init(name: "x", digest: nil)],
      requestTime: Rules.epoch, responseTime: Rules.epoch + 0.25)
  }

  @Test("a head reads back as it was, under its own name only")
  func roundTrip() throws {
    let id = StoredEntryID(rawValue: 77)
    let data = coding().encoded(for: id)
    let read = try #require(HeadCoding(data, id: id))
    #expect(read.status == 404 && read.headers == coding().headers && read.selecting == coding().selecting)
    #expect(read.requestTime == Rules.epoch && read.responseTime == Rules.epoch + 0.25)
    #expect(HeadCoding(data, id: StoredEntryID(rawValue: 78)) == nil)
  }

  @Test("no change of a head goes unnoticed, and lengths that lie are damage", arguments: 0..<4 as Range<UInt64>)
  func damage(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    let id = StoredEntryID(rawValue: 77)
    let data = coding().encoded(for: id)
    for _ in 0..<500 {
      var copy = data
      let place = Int.random(in: 0..<copy.count, using: &random)
      copy[place] ^= UInt8.random(in: 1...255, using: &random)
      #expect(HeadCoding(copy, id: id) == nil, "seed \(seed)")
      #expect(HeadCoding(data.prefix(place), id: id) == nil, "seed \(seed)")
      // With the sum made right again: the reader itself must hold.
      var forged = Data(copy.dropLast(8))
      let sum = Checksum.xxh64(forged, seed: 77)
      withUnsafeBytes(of: sum.littleEndian) { forged.append(contentsOf: $0) }
      _ = HeadCoding(forged, id: id)
    }
    #expect(HeadCoding(Data(), id: id) == nil)
  }
}
