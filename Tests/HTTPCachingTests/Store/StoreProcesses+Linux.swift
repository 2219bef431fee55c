#if !canImport(Darwin)
  import Foundation
  import Glibc

  @testable import StoreWriter

  /// A running `StoreWriter`, and what it has told.
  final class RunningWriter {
    private let process = Process()
    private let output = Pipe()
    private var unread = Data()
    private var record = WriterRecord()
    private var ended = 0

    /// - Parameter quota: bytes beyond which its disk is full; `nil` for that of the directory.
    init(_ directory: TemporaryDirectory, seed: UInt64, loads: Int = 1_000_000, budget: Int, quota: Int? = nil) throws {
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("StoreWriter")
      process.arguments = [directory.url.path, "\(seed)", "\(loads)", "\(budget)"] + (quota.map { ["\($0)"] } ?? [])
      process.standardOutput = output
      try process.run()
    }

    /// Reads until this many loads have ended, or the writer has.
    func wait(loads: Int = .max) {
      while ended < loads {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { return }
        unread += data
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          let line = WriterProcess.Line(String(decoding: unread[..<end], as: UTF8.self)[...])
          unread = unread[(end + 1)...]
          guard let line else { continue }
          record.note(line)
          if case .end = line { ended += 1 }
        }
      }
    }

    /// - Returns: what it told until then; `nil` where it had ended of itself, which it never should.
    func kill() -> WriterRecord? {
      Glibc.kill(process.processIdentifier, SIGKILL)
      wait()
      process.waitUntilExit()
      let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
      return wasKilled ? record : nil
    }

    /// Waits for its end.
    /// - Returns: whether all went well.
    func finish() -> Bool {
      wait()
      process.waitUntilExit()
      return process.terminationReason == .exit && process.terminationStatus == 0
    }
  }

  /// What must and what may be stored by what a writer told.
  struct WriterRecord {
    /// Of each name: the seed that was on disk when that was last told, and those that may have come after it.
    private(set) var seeds: [String: (committed: UInt64?, later: Set<UInt64>)] = [:]
    private var ended: [String: UInt64] = [:]

    mutating func note(_ line: WriterProcess.Line) {
      switch line {
      case .start(let name, let seed): seeds[name, default: (nil, [])].later.insert(seed)
      case .end(let name, let seed): ended[name] = seed
      case .flush:
        for (name, seed) in ended { seeds[name] = (seed, []) }
        ended = [:]
      }
    }

    /// Goes on with what another writer told after this one had ended.
    mutating func append(_ next: WriterRecord) {
      for (name, found) in next.seeds {
        let before = seeds[name]
        seeds[name] = (
          found.committed ?? before?.committed,
          found.committed == nil ? found.later.union(before?.later ?? []) : found.later
        )
      }
      ended = [:]
    }
  }

  /// A small file system in memory, for a directory that is to run out of space.
  final class SmallDisk: Sendable {
    let directory = TemporaryDirectory()

    /// Fails where this process may not mount: in most containers, and for other users than root.
    init?(bytes: Int) {
      let path = directory.url.path
      guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else { return nil }
    }

    /// One that is not as large as what is on it stays as it is.
    func resize(_ bytes: Int) {
      _ = mount("tmpfs", directory.url.path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)")
    }

    /// Where files are open for writing it stays as it is.
    func setReadOnly(_ isReadOnly: Bool) {
      let flags = isReadOnly ? MS_REMOUNT | MS_RDONLY : MS_REMOUNT
      _ = mount("tmpfs", directory.url.path, "tmpfs", UInt(flags), nil)
    }

    /// Takes all of its space but about this many bytes, in a file of its own.
    func fill(leaving bytes: UInt64) {
      var status = statvfs()
      guard statvfs(directory.url.path, &status) == 0 else { return }
      let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
      _ = FileManager.default.createFile(
        atPath: directory.path("ballast"), contents: Data(count: Int(free - min(bytes, free))))
    }

    deinit { umount2(directory.url.path, Int32(MNT_DETACH)) }
  }
#endif
