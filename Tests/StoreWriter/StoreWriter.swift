import Foundation
import FoundationNetworking
import HTTPCaching
import VignetteTesting

/// A process that writes to a store until it has done so many loads, or is killed:
/// `StoreWriter DIRECTORY SEED LOADS BUDGET`. Prints a dot for each load, so that its parent knows when to strike.
///
/// A body follows from the seed in its response's header, so that whoever reads it can tell whether it is whole.
@main
struct WriterProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[2]), let loads = Int(arguments[3]),
      let budget = Int(arguments[4])
    else {
      print("usage: StoreWriter DIRECTORY SEED LOADS BUDGET")
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
    configuration.disk = disk
    let loader = HTTPLoader(transport: transport, configuration: configuration)
    var random = Random(state: seed)
    for _ in 0..<loads { try await load(from: loader, &random) }
    await loader.disk?.flush()
  }

  private static func load(from loader: HTTPLoader, _ random: inout Random) async throws {
    var request = URLRequest(url: URL(fileURLWithPath: "/\(random.next() % 40)"))
    request.cachePolicy = random.next() % 4 == 0 ? .useProtocolCachePolicy : .reloadIgnoringLocalCacheData
    request.setValue("\(random.next() >> 8)", forHTTPHeaderField: "X-Seed")
    let result = try await loader.data(for: request)
    if let entry = result.entry, random.next() % 3 == 0 {
      await loader.attach(body(random.next() >> 8), named: "t", to: entry)
    }
    FileHandle.standardOutput.write(Data(".".utf8))
  }

  /// 0 to 40 KB, most of them small.
  static func body(_ seed: UInt64) -> Data {
    var random = Random(state: seed)
    let count = Int(random.next() % 200) * Int(random.next() % 200)
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

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
