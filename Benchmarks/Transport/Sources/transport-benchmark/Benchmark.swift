import Foundation
import FoundationNetworking
import Glibc
import HTTPCaching

/// CPU time for each GET: `transport-benchmark curl|loader|session URL COUNT CONCURRENCY`; the loader is an HTTPLoader
/// over libcurl that stores nothing. `{}` in the URL becomes a number below 1,000. Prints one JSON object.
@main
struct Benchmark {
  typealias Load = @Sendable (URLRequest) async throws -> Data

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let load = load(arguments[1]), let count = Int(arguments[3]), count > 0,
      let concurrency = Int(arguments[4])
    else {
      print("usage: transport-benchmark curl|loader|session URL COUNT CONCURRENCY")
      exit(2)
    }
    let requests = (0..<1000).compactMap { URL(string: arguments[2].replacingOccurrences(of: "{}", with: "\($0)")) }
      .map { URLRequest(url: $0) }
    _ = try await bytes(requests, count: 20, concurrency: 2, load)
    var (received, resident) = (0, [String]())
    let (cpu, start) = (cpuSeconds(), Date())
    for tenth in 0..<10 {
      let part = count * (tenth + 1) / 10 - count * tenth / 10
      received += try await bytes(requests, count: part, concurrency: concurrency, load)
      resident.append(status("VmRSS"))
    }
    let (used, elapsed) = (cpuSeconds() - cpu, Date().timeIntervalSince(start))
    print(
      """
      {"transport": "\(arguments[1])", "requests": \(count), "bytes": \(received), "cpuMicroseconds": \
      \(Int(used / Double(count) * 1e6)), "perSecond": \(Int(Double(count) / elapsed)), "peakKB": \(status("VmHWM")), \
      "residentKB": [\(resident.joined(separator: ", "))]}
      """)
  }

  private static func load(_ kind: String) -> Load? {
    switch kind {
    case "curl": return direct(CurlTransport())
    case "session": return direct(session())
    case "loader":
      let loader = HTTPLoader(transport: CurlTransport(), configuration: .uncached)
      return { try await loader.data(for: $0).data }
    default: return nil
    }
  }

  private static func direct(_ transport: any HTTPTransport) -> Load {
    { request in
      let exchange = try await transport.send(request, options: TransportOptions())
      let length = exchange.response.headers["Content-Length"].flatMap { Int($0) }
      return try await exchange.body.collect(expected: length)
    }
  }

  private static func session() -> any HTTPTransport {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 6
    return URLSessionTransport(session: URLSession(configuration: configuration))
  }

  private static func bytes(
    _ requests: [URLRequest], count: Int, concurrency: Int, _ load: @escaping Load
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<concurrency {
        group.addTask {
          var bytes = 0
          for index in stride(from: worker, to: count, by: concurrency) {
            bytes += try await load(requests[index % requests.count]).count
          }
          return bytes
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private static func cpuSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// A field of this process's status, in KB.
  private static func status(_ field: String) -> String {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    let words = lines.first { $0.hasPrefix(field) }?.split(whereSeparator: { " \t".contains($0) }) ?? []
    return words.count > 1 ? String(words[1]) : "0"
  }
}

extension HTTPLoader.Configuration {
  static var uncached: HTTPLoader.Configuration {
    var configuration = HTTPLoader.Configuration()
    configuration.memoryBudget = 0
    return configuration
  }
}
