import Foundation
import FoundationNetworking
import Glibc
import HTTPCaching

/// What the disk store costs, through the loader and its rules: `store-benchmark [--json] [--only NAME]`. Times are CPU
/// time of the whole process, the store's thread included, unless they say otherwise.
@main
struct Benchmark {
  struct Figure {
    var name: String
    var value: Double
    var unit: String
    /// At most this, where something is promised.
    var bound: Double?
  }

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let only = arguments.firstIndex(of: "--only").flatMap {
      arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
    }
    let parts: [(String, () async throws -> [Figure])] = [
      ("hit", Hits.run), ("evict", Writes.run), ("open", Opening.run), ("flat", Memory.run),
      ("threshold", Threshold.run),
    ]
    var figures: [Figure] = []
    for (name, run) in parts where only ?? name == name {
      let found = try await run()
      if !arguments.contains("--json") { found.forEach(show) }
      figures += found
    }
    if arguments.contains("--json") {
      let fields = figures.map { "\"\($0.name)\": \(String(format: "%.2f", $0.value))" }
      print("{\(fields.joined(separator: ", "))}")
    }
    if figures.contains(where: { $0.value > $0.bound ?? .infinity }) { exit(1) }
  }

  private static func show(_ figure: Figure) {
    let value = String(format: "%10.2f", figure.value)
    let bound = figure.bound.map { String(format: "  (at most %.1f)", $0) } ?? ""
    print("\(figure.name.padding(toLength: 46, withPad: " ", startingAt: 0)) \(value) \(figure.unit)\(bound)")
  }
}

/// Answers everything with a body of one size, cacheable for a day.
struct FixedTransport: HTTPTransport {
  var body: Data

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    let headers: HTTPHeaders = [
      "Cache-Control": "public, max-age=86400", "Content-Type": "image/jpeg", "Content-Length": "\(body.count)",
      "ETag": "\"5f1d-\(body.count)\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Vary": "Accept",
      "Date": "Tue, 01 Dec 2026 00:00:00 GMT", "Server": "nginx/1.25.3", "Accept-Ranges": "bytes",
      "Strict-Transport-Security": "max-age=63072000", "X-Cache": "HIT", "Access-Control-Allow-Origin": "*",
    ]
    let url = request.url ?? URL(fileURLWithPath: "/")
    return HTTPExchange(response: HTTPResponse(url: url, status: 200, headers: headers), body: HTTPBody(body))
  }
}

/// A loader without memory over a store in a directory of its own.
final class Stage {
  let directory: URL
  private(set) var loader: HTTPLoader
  private let make: () -> HTTPLoader

  init(bytes: Int, memory: Int = 0, _ change: (inout DiskStore.Configuration) -> Void = { _ in }) {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "store-benchmark-\(UUID().uuidString)")
    self.directory = directory
    var configuration = HTTPLoader.Configuration()
    configuration.memoryBudget = memory
    var disk = DiskStore.Configuration(directory: directory)
    disk.budgetBytes = 100_000_000_000
    disk.maximumEntries = 1_000_000
    disk.log = { print($0) }
    change(&disk)
    configuration.disk = disk
    // A date that makes the responses' Date the present.
    configuration.clock = WallClock { Date(timeIntervalSince1970: 1_796_083_200) }
    var body = Data(count: bytes)
    for place in body.indices { body[place] = UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8) }
    let transport = FixedTransport(body: body)
    make = { [configuration] in HTTPLoader(transport: transport, configuration: configuration) }
    loader = make()
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// As a process that starts anew has it: the one before has closed its index, and so emptied its log.
  func restart() async {
    await loader.disk?.flush()
    loader = make()
    let log = directory.appendingPathComponent("vignette-index.sqlite-wal").path
    while FileManager.default.fileExists(atPath: log) { await Task.yield() }
  }

  func request(_ number: Int) -> URLRequest {
    let url = URL(string: "https://images.example.com/photos/\(number)/large.jpg?w=800")
    var request = URLRequest(url: url ?? directory)
    request.setValue("image/*", forHTTPHeaderField: "Accept")
    return request
  }

  @discardableResult
  func load(_ number: Int, _ expected: HTTPResult.Origin) async throws -> HTTPResult {
    let result = try await loader.data(for: request(number))
    guard result.origin == expected else { fatalError("\(number) came from \(result.origin)") }
    return result
  }

  /// Writes entries, never more at a time than the store takes.
  func fill(_ numbers: Range<Int>) async throws {
    for number in numbers {
      try await load(number, .network)
      if number % 200 == 199 { await loader.disk?.flush() }
    }
    await loader.disk?.flush()
  }
}

func cpuMicroseconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
  return seconds * 1e6 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

/// Microseconds of CPU time for each of `count` rounds.
func cost(_ count: Int, _ body: (Int) async throws -> Void) async rethrows -> Double {
  let start = cpuMicroseconds()
  for number in 0..<count { try await body(number) }
  return (cpuMicroseconds() - start) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
