import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import HTTPCaching

@Suite("Whatever happens to the disk, loads succeed", .timeLimit(.minutes(5)))
struct DiskTroubleTests {
  enum Trouble: CaseIterable, Sendable {
    case noLocks, fileInTheWay, otherFiles, diskFull, indexFull, readOnly, deleted, corruptedBefore, corruptedBeneath
  }

  private let directory = TemporaryDirectory()
  private let lines = Locked<[String]>([])

  private func stage(_ trouble: Trouble) -> LoaderStage {
    LoaderStage(LoaderStage.reply(String(repeating: "x", count: 9000), "max-age=60")) { configuration in
      configuration.memoryBudget = 0
      var disk = DiskStore.Configuration(directory: directory.url)
      disk.idleDelay = 1000
      disk.inlineBytes = trouble == .indexFull ? 1 << 20 : 1000
      disk.log = { [lines] line in lines.withLock { $0.append(line) } }
      switch trouble {
      case .noLocks: disk.sqliteVFS = "unix-none"
      case .indexFull: disk.maximumPages = 11
      case .diskFull: disk.files.write = { _, _ throws(FileFailure) in throw FileFailure(ENOSPC) }
      case .readOnly:
        disk.files.write = { _, _ throws(FileFailure) in throw FileFailure(EROFS) }
        disk.files.makeDirectory = { _ throws(FileFailure) in throw FileFailure(EROFS) }
      default: break
      }
      configuration.disk = disk
    }
  }

  private var index: URL { URL(fileURLWithPath: directory.path("vignette-index.sqlite")) }

  @Test("the response comes from the network, a counter and one line tell of it", arguments: Trouble.allCases)
  func trouble(_ trouble: Trouble) async throws {
    switch trouble {
    case .fileInTheWay: try Data().write(to: directory.url)
    case .otherFiles:
      try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
      try Data().write(to: directory.url.appendingPathComponent("notes.txt"))
    case .corruptedBefore:
      try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
      try Data(repeating: 1, count: 9000).write(to: index)
    default: break
    }
    let stage = stage(trouble)
    if [.deleted, .corruptedBeneath].contains(trouble) {
      _ = try await stage.load()
      #expect(try await stage.load().origin == .disk)
      if trouble == .deleted {
        try FileManager.default.removeItem(at: directory.url)
      } else {
        try SQLiteDatabase(path: index.path).execute("DROP TABLE parts")
      }
    }
    for number in 0..<5 {
      let request = stage.request(policy: .reloadIgnoringLocalCacheData)
      #expect(try await stage.loader.data(for: request).data.count == 9000)
      if number == 0 { #expect(try await stage.load().data.count == 9000) }
    }
    let statistics = try #require(await stage.loader.statistics().disk)
    // A directory that was emptied is no trouble: the store begins anew.
    let isTrouble = trouble != .deleted
    #expect((statistics.failures + statistics.rebuilds > 0) == isTrouble)
    #expect(lines.withLock { $0.count } == (isTrouble ? 1 : 0))
    let recovers = [.deleted, .corruptedBefore, .corruptedBeneath].contains(trouble)
    #expect(try await stage.load().origin == (recovers ? .disk : .network))
  }

  #if !canImport(Darwin)
    @Test("a file system that is read-only costs no load, and what is on it stays")
    func readOnlyFileSystem() async throws {
      guard let disk = SmallDisk(bytes: 4 << 20) else { return print("read-only: none could be mounted") }
      func stage() -> LoaderStage {
        LoaderStage(LoaderStage.reply("max-age=60")) { configuration in
          configuration.memoryBudget = 0
          configuration.disk = DiskStore.Configuration(directory: disk.directory.url)
          configuration.disk?.log = { [lines] line in lines.withLock { $0.append(line) } }
        }
      }
      do {
        let first = stage()
        _ = try await first.load()
        await first.loader.disk?.flush()
      }
      // The store closes the index, and so empties its log, after it has been let go of.
      while FileManager.default.fileExists(atPath: disk.directory.path("vignette-index.sqlite-wal")) {
        await Task.yield()
      }
      disk.setReadOnly(true)
      let second = stage()
      for _ in 0..<3 { #expect(try await second.load().origin == .network) }
      #expect(await second.loader.statistics().disk?.isAvailable == false)
      #expect(lines.withLock { $0.count } == 1)
      disk.setReadOnly(false)
      #expect(try await stage().load().origin == .disk)
    }
  #endif
}
