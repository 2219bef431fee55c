#if !canImport(Darwin)
  import Foundation
  import Glibc
  import HTTPCaching
  import Testing

  @testable import StoreWriter

  @Suite("Processes that share a store, and are killed", .serialized, .timeLimit(.minutes(10)))
  struct StoreProcessTests {
    /// A running `StoreWriter`.
    private struct Writer {
      let process = Process()
      let output = Pipe()

      init(_ directory: TemporaryDirectory, seed: UInt64, loads: Int, budget: Int) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
          .appendingPathComponent("StoreWriter")
        process.arguments = [directory.url.path, "\(seed)", "\(loads)", "\(budget)"]
        process.standardOutput = output
        try process.run()
      }

      /// Reads dots until there are this many, or the writer has ended.
      func wait(loads: Int) throws {
        var seen = 0
        while seen < loads, let dots = try output.fileHandleForReading.read(upToCount: loads - seen), !dots.isEmpty {
          seen += dots.count
        }
      }

      func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }

    static let long = ProcessInfo.processInfo.environment["VIGNETTE_LONG_TESTS"] != nil

    /// Opens the store, finds every entry whole by its header's seed and by checksum, and no file too many.
    private func check(_ directory: TemporaryDirectory, _ context: String) async throws {
      let stage = StoreStage(directory) { $0.idleDelay = 0 }
      var names: [String: HTTPHeaders] = [:]
      try await stage.store.forEachEntry { entry in
        names[entry.url] = entry.headers
        return true
      }
      for (url, headers) in names {
        let name = String(url.dropFirst("file:///".count))
        let seed = headers["X-Seed"].flatMap { UInt64($0) }
        #expect(await stage.store.get(name) == seed.map { WriterProcess.body($0) }, "\(context), \(url)")
      }
      let found = try await stage.store.verify()
      #expect(found.damaged == 0 && found.totalsWereRight && found.whole == names.count, "\(context): \(found)")
      while directory.files.contains(where: { $0.hasPrefix("pending/") }) { _ = await stage.store.get("none") }
      // Nothing that verify had to clear away: the sweep had done it, or there was nothing.
      let statistics = await stage.store.statistics()
      #expect(statistics.damaged == 0 && statistics.rebuilds == 0 && statistics.failures == 0, "\(context)")
      #expect(stage.log.withLock { $0 }.isEmpty, "\(context)")
    }

    @Test("a writer killed at any moment leaves every committed entry whole, and nothing else")
    func kills() async throws {
      let seed = UInt64.random(in: 0..<1_000_000)
      print("seed \(seed)")
      var random = SeededGenerator(state: seed)
      let directory = TemporaryDirectory()
      for round in 0..<(Self.long ? 300 : 20) {
        let writer = try Writer(directory, seed: random.next() >> 1, loads: 100_000, budget: 400_000)
        try writer.wait(loads: Int.random(in: 1...300, using: &random))
        writer.kill()
        try await check(directory, "seed \(seed), round \(round)")
      }
    }

    @Test("what a kill leaves is swept without being asked")
    func sweep() async throws {
      let directory = TemporaryDirectory()
      let writer = try Writer(directory, seed: 1, loads: 100_000, budget: 400_000)
      try writer.wait(loads: 100)
      writer.kill()
      let stage = StoreStage(directory) { $0.idleDelay = 0 }
      _ = await stage.store.get("none")
      while directory.files.contains(where: { $0.hasPrefix("pending/") }) { _ = await stage.store.get("none") }
      #expect(try await stage.store.verify().orphans == 0)
    }

    @Test("two processes write to one store side by side", arguments: 0..<3 as Range<UInt64>)
    func twoWriters(_ seed: UInt64) async throws {
      let directory = TemporaryDirectory()
      let writers = try [seed * 2, seed * 2 + 1].map {
        try Writer(directory, seed: $0, loads: 400, budget: 400_000)
      }
      for writer in writers { try writer.wait(loads: 400) }
      for writer in writers {
        writer.process.waitUntilExit()
        #expect(writer.process.terminationStatus == 0)
      }
      try await check(directory, "seed \(seed)")
    }

    @Test("one of two writers is killed, and the other goes on")
    func oneOfTwo() async throws {
      let directory = TemporaryDirectory()
      let victim = try Writer(directory, seed: 1, loads: 100_000, budget: 400_000)
      let survivor = try Writer(directory, seed: 2, loads: 400, budget: 400_000)
      try victim.wait(loads: 100)
      victim.kill()
      try survivor.wait(loads: 400)
      survivor.process.waitUntilExit()
      #expect(survivor.process.terminationStatus == 0)
      try await check(directory, "one of two")
    }
  }
#endif
