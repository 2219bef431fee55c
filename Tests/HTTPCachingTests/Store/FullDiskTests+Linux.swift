#if !canImport(Darwin)
  import Foundation
  import Testing

  @testable import HTTPCaching

  @Suite("The store on a file system that is full", .timeLimit(.minutes(5)))
  struct FullDiskTests {
    /// Leaves a store of 200 KB that a thousand responses have gone through.
    private func settle(_ disk: SmallDisk) async {
      let stage = StoreStage(disk.directory) { $0.budgetBytes = 200_000 }
      for number in 0..<1000 { stage.store.put("\(number % 50)", pattern(3000)) }
      await stage.store.flush()
      #expect(await stage.store.statistics().failures == 0)
    }

    @Test("a store that has found its size goes on replacing the old by the new with hardly any space left")
    func log() async throws {
      guard let disk = SmallDisk(bytes: 16 << 20) else { return print("full disk: none could be mounted") }
      await settle(disk)
      // The store closes the index, and so empties its log, after it has been let go of.
      while FileManager.default.fileExists(atPath: disk.directory.path("vignette-index.sqlite-wal")) {
        await Task.yield()
      }
      disk.fill(leaving: 200_000)
      let stage = StoreStage(disk.directory) { $0.budgetBytes = 200_000 }
      for number in 0..<500 {
        stage.store.put("\(number % 50)", pattern(3001 + number))
        if let found = await stage.store.get("\(number % 50)") { #expect(found.count <= 3001 + number) }
      }
      #expect(await stage.store.statistics().writes > 250)
      #expect(stage.log.withLock { $0.count } <= 1)
      #expect(try await stage.store.verify().damaged == 0)
    }
  }
#endif
