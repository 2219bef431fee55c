import Foundation
import FoundationNetworking
import HTTPCaching
import VignetteTesting

/// A process that writes to a store until it has done so many loads, or is killed:
/// `StoreWriter DIRECTORY SEED LOADS BUDGET [QUOTA]`. With a quota, in bytes, its disk is full beyond that.
///
/// Its parent reads on standard output what it is about to do and has done, as `WriterProcess.Line` has it. A body
/// follows from the seed in its response's header, so that whoever reads it can tell whether it is whole.
@main
struct WriterProcess {
  enum Line: Equatable, Sendable {
    /// A load is about to begin that may store the body of this seed under this name.
    case start(name: String, seed: UInt64)
    /// It has ended, with the body of this seed.
    case end(name: String, seed: UInt64)
    /// What has ended is on disk.
    case flush

    var text: String {
      switch self {
      case .start(let name, let seed): "start \(name) \(seed)\n"
      case .end(let name, let seed): "end \(name) \(seed)\n"
      case .flush: "flush\n"
      }
    }

    init?(_ text: Substring) {
      let words = text.split(separator: " ")
      switch (words.first, words.count) {
      case ("flush", 1): self = .flush
      case ("start", 3): self = .start(name: String(words[1]), seed: UInt64(words[2]) ?? 0)
      case ("end", 3): self = .end(name: String(words[1]), seed: UInt64(words[2]) ?? 0)
      default: return nil
      }
    }
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard (5...6).contains(arguments.count), let seed = UInt64(arguments[2]), let loads = Int(arguments[3]),
      let budget = Int(arguments[4])
    else {
      print("usage: StoreWriter DIRECTORY SEED LOADS BUDGET [QUOTA]")
      exit(2)
    }
    let transport = ScriptedTransport { request in
      let seed = request.value(forHTTPHeaderField: "X-Seed").flatMap { UInt64($0) } ?? 0
      return .data(body(seed)).header("Cache-Control", "max-age=3600").header("X-Seed", "\(seed)")
    }
    var configuration = HTTPLoader.Configuration()
    configuration.memoryBudget = 0
    var disk = DiskStore.Configuration(directory: URL(fileURLWithPath: arguments[1]))
    disk.budgetBytes = budget
    // Half of the bodies in the index, half in files.
    disk.inlineBytes = 6000
    if arguments.count == 6, let quota = Int(arguments[5]) { limit(&disk, quota) }
    configuration.disk = disk
    let loader = HTTPLoader(transport: transport, configuration: configuration)
    var random = Random(state: seed)
    for _ in 0..<loads { try await load(from: loader, &random) }
    await loader.disk?.flush()
  }

  /// Half of the quota is for the index, half for files, of which part of one may still fit.
  private static func limit(_ disk: inout DiskStore.Configuration, _ quota: Int) {
    disk.maximumPages = quota / 2 / 4096
    let posix = FileOperations.posix
    let directory = disk.directory?.path ?? ""
    disk.files.write = { path, data throws(FileFailure) in
      let used = bytes(in: directory + "/bodies") + bytes(in: directory + "/pending")
      guard used + data.count > quota / 2 else { return try posix.write(path, data) }
      try posix.write(path, data.prefix(max(quota / 2 - used, 0)))
      try posix.remove(path)
      throw FileFailure(ENOSPC)
    }
  }

  private static func bytes(in directory: String) -> Int {
    var sum = 0
    for case let file as URL in FileManager.default.enumerator(
      at: URL(fileURLWithPath: directory), includingPropertiesForKeys: [.fileSizeKey]) ?? .init()
    { sum += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }
    return sum
  }

  private static func load(from loader: HTTPLoader, _ random: inout Random) async throws {
    let name = "\(random.next() % 40)"
    var request = URLRequest(url: URL(fileURLWithPath: "/" + name))
    request.cachePolicy = random.next() % 4 == 0 ? .useProtocolCachePolicy : .reloadIgnoringLocalCacheData
    let seed = random.next() >> 8
    request.setValue("\(seed)", forHTTPHeaderField: "X-Seed")
    tell(.start(name: name, seed: seed))
    let result = try await loader.data(for: request)
    let found = result.response.headers["X-Seed"].flatMap { UInt64($0) } ?? 0
    guard result.data == body(found) else {
      print("\(name) is not the body of \(found)")
      exit(3)
    }
    if let entry = result.entry, random.next() % 3 == 0 {
      await loader.attach(attachment(random.next() >> 8), named: "t", to: entry)
    }
    tell(.end(name: name, seed: found))
    guard random.next() % 4 == 0 else { return }
    await loader.disk?.flush()
    tell(.flush)
  }

  private static func tell(_ line: Line) { FileHandle.standardOutput.write(Data(line.text.utf8)) }

  /// 0 to 40 KB, most of them small.
  static func body(_ seed: UInt64) -> Data {
    var random = Random(state: seed)
    let count = Int(random.next() % 200) * Int(random.next() % 200)
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

  /// The seed before its body.
  static func attachment(_ seed: UInt64) -> Data { withUnsafeBytes(of: seed) { Data($0) } + body(seed) }

  /// SplitMix64.
  struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
