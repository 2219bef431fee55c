#if !canImport(Darwin)
  import Foundation

  import Testing

  @testable import HTTPCaching
  @testable import StoreWriter

  private let isLong = ProcessInfo.processInfo.environment["VIGNETTE_LONG_TESTS"] != nil
  /// Kills of each kind.
  private let rounds = isLong ? 300 : 20

  @Suite("Processes that share a store, and are killed", .serialized, .timeLimit(.minutes(isLong ? 60 : 10)))
  struct StoreProcessTests {
    private struct Check {
      var directory: TemporaryDirectory
      var context: String
      /// What must be there; `nil` where other things may have made it go.
      var record: WriterRecord?
    }

    /// Opens the store and finds every entry whole, by its header's seed and by checksum, and no file too many.
    /// - Returns: seconds until the first answer.
    @discardableResult
    private func check(_ check: Check) async throws -> Double {
      let stage = StoreStage(check.directory) { $0.idleDelay = 0 }
      let opening = await open(stage)
      let stored = try await serve(stage, check.context)
      for (name, seeds) in check.record?.seeds ?? [:] {
        guard let committed = seeds.committed else { continue }
        let found = stored[name]
        #expect(found.map { seeds.later.union([committed]).contains($0) } == true, "\(check.context), \(name)")
      }
      let found = try await stage.store.verify()
      #expect(
        found.damaged == 0 && found.totalsWereRight && found.whole == stored.count, "\(check.context): \(found)")
      #expect(found.orphans == 0, "\(check.context)")
      while check.directory.files.contains(where: { $0.hasPrefix("pending/") }) { _ = await stage.store.get("none") }
      let statistics = await stage.store.statistics()
      #expect(statistics.damaged == 0 && statistics.rebuilds == 0 && statistics.failures == 0, "\(check.context)")
      #expect(stage.log.withLock { $0 }.isEmpty, "\(check.context)")
      return opening
    }

    /// - Returns: seconds until the first answer.
    private func open(_ stage: StoreStage) async -> Double {
      let begin = DispatchTime.now().uptimeNanoseconds
      _ = await stage.store.get("none")
      return Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
    }

    /// Reads everything there is.
    /// - Returns: the seeds of what was found, by name.
    private func serve(_ stage: StoreStage, _ context: String) async throws -> [String: UInt64] {
      var entries: [DiskStore.Entry] = []
      try await stage.store.forEachEntry { entry in
        entries.append(entry)
        return true
      }
      var stored: [String: UInt64] = [:]
      for entry in entries {
        let name = String(entry.url.dropFirst("file:///".count))
        let seed = try #require(entry.headers["X-Seed"].flatMap { UInt64($0) })
        #expect(await stage.store.get(name) == WriterProcess.body(seed), "\(context), \(name)")
        if let attachment = await stage.store.attachment(named: "t", of: entry.id) {
          let seed = attachment.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
          #expect(attachment == WriterProcess.attachment(seed), "\(context), \(name)")
        }
        stored[name] = seed
      }
      return stored
    }

    private func generator() -> (SeededGenerator, UInt64) {
      let seed = UInt64.random(in: 0..<1_000_000)
      print("seed \(seed)")
      return (SeededGenerator(state: seed), seed)
    }

    @Test(
      "a writer killed at any moment leaves every committed entry whole, and nothing else",
      arguments: [400_000, 1 << 26])
    func kills(_ budget: Int) async throws {
      var (random, seed) = generator()
      let directory = TemporaryDirectory()
      #expect(try RunningWriter(directory, seed: seed, loads: 300, budget: budget).finish())
      var before: [Double] = []
      for _ in 0..<20 { before.append(await open(StoreStage(directory))) }
      var record = WriterRecord()
      var after: [Double] = []
      for round in 0..<rounds {
        let writer = try RunningWriter(directory, seed: random.next() >> 1, budget: budget)
        writer.wait(loads: Int.random(in: 1...300, using: &random))
        record.append(try #require(writer.kill(), "seed \(seed), round \(round)"))
        // Where the budget makes nothing go, nothing that was committed may be missing.
        let wanted = budget > 1_000_000 ? record : nil
        after.append(
          try await check(Check(directory: directory, context: "seed \(seed), round \(round)", record: wanted)))
      }
      #expect(record.seeds.values.contains { $0.committed != nil }, "seed \(seed): no writer got as far as a flush")
      let (early, late) = (median(before), median(after))
      print(String(format: "opening: %.2f ms before %d kills, %.2f ms after each", early * 1e3, rounds, late * 1e3))
      // What a killed process left in the log is read once, up to 4 MB; nothing else is looked through.
      #expect(late < early + 0.1, "seed \(seed)")
    }

    enum Shortage: CaseIterable, Sendable {
      case fileSystem, injected
    }

    @Test("a writer killed while the disk is full leaves every committed entry whole", arguments: Shortage.allCases)
    func fullDisk(_ shortage: Shortage) async throws {
      var (random, seed) = generator()
      let disk = shortage == .fileSystem ? SmallDisk(bytes: 1 << 20) : nil
      guard let directory = shortage == .fileSystem ? disk?.directory : TemporaryDirectory() else {
        return print("full disk: none could be mounted; the injected shortage alone was tried")
      }
      print("full disk: \(shortage == .fileSystem ? "a file system of its own" : "injected")")
      for round in 0..<rounds {
        let size = Int.random(in: 200_000...2_000_000, using: &random)
        disk?.resize(size)
        let writer = try RunningWriter(
          directory, seed: random.next() >> 1, budget: 400_000, quota: shortage == .injected ? size / 3 : nil)
        writer.wait(loads: Int.random(in: 1...300, using: &random))
        let context = "seed \(seed), round \(round), \(size) bytes"
        // A load that failed for the disk would have ended it.
        _ = try #require(writer.kill(), "\(context)")
        if let disk {
          // On the full disk there may be no store, but what it serves is right.
          let full = StoreStage(directory)
          _ = try? await serve(full, context)
          #expect(await full.store.statistics().damaged == 0, "\(context)")
          await full.store.flush()
          disk.resize(32 << 20)
        }
        try await check(Check(directory: directory, context: context))
      }
    }

    @Test("two writers side by side are killed, one after the other")
    func twoKills() async throws {
      var (random, seed) = generator()
      let directory = TemporaryDirectory()
      for round in 0..<rounds {
        let context = "seed \(seed), round \(round)"
        let first = try RunningWriter(directory, seed: random.next() >> 1, budget: 400_000)
        let second = try RunningWriter(directory, seed: random.next() >> 1, budget: 400_000)
        first.wait(loads: Int.random(in: 1...150, using: &random))
        _ = try #require(first.kill(), "\(context)")
        second.wait(loads: Int.random(in: 1...150, using: &random))
        _ = try #require(second.kill(), "\(context)")
        try await check(Check(directory: directory, context: context))
      }
    }

    /// With the delays that apps have it takes some seconds, which only the long run waits.
    @Test("what a kill leaves is swept without being asked, within ten seconds")
    func sweep() async throws {
      let directory = TemporaryDirectory()
      let writer = try RunningWriter(directory, seed: 1, budget: 400_000)
      writer.wait(loads: 100)
      _ = try #require(writer.kill())
      try Data("x".utf8).write(to: URL(fileURLWithPath: directory.path("pending/" + BodyFiles.fileName(1))))
      let usual = DiskStore.Configuration()
      let stage = StoreStage(directory) {
        $0.idleDelay = isLong ? usual.idleDelay : 0
        $0.pendingGrace = isLong ? usual.pendingGrace : 0
      }
      let begin = DispatchTime.now().uptimeNanoseconds
      _ = await stage.store.get("none")
      while directory.files.contains(where: { $0.hasPrefix("pending/") }) { _ = await stage.store.get("none") }
      #expect(DispatchTime.now().uptimeNanoseconds - begin < 10_000_000_000)
      #expect(try await stage.store.verify().orphans == 0)
    }

    @Test("two processes write to one store side by side", arguments: 0..<3 as Range<UInt64>)
    func twoWriters(_ seed: UInt64) async throws {
      let directory = TemporaryDirectory()
      let writers = try [seed * 2, seed * 2 + 1].map {
        try RunningWriter(directory, seed: $0, loads: 400, budget: 400_000)
      }
      for writer in writers { #expect(writer.finish()) }
      try await check(Check(directory: directory, context: "seed \(seed)"))
    }

    @Test("one of two writers is killed, and the other goes on")
    func oneOfTwo() async throws {
      let directory = TemporaryDirectory()
      let victim = try RunningWriter(directory, seed: 1, budget: 400_000)
      let survivor = try RunningWriter(directory, seed: 2, loads: 400, budget: 400_000)
      victim.wait(loads: 100)
      _ = try #require(victim.kill())
      #expect(survivor.finish())
      try await check(Check(directory: directory, context: "one of two"))
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  }
#endif
