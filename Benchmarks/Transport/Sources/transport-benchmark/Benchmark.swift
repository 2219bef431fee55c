import Foundation
import FoundationNetworking
import Glibc
import HTTPCaching

/// CPU time for each GET through a transport: `transport-benchmark curl|session URL COUNT CONCURRENCY`. `{}` in the URL
/// becomes a number below 1,000. Prints one JSON object.
@main
struct Benchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[3]), let concurrency = Int(arguments[4]) else {
      print("usage: transport-benchmark curl|session URL COUNT CONCURRENCY")
      exit(2)
    }
    let transport: any HTTPTransport = arguments[1] == "curl" ? CurlTransport() : session()
    let urls = (0..<1000).compactMap { URL(string: arguments[2].replacingOccurrences(of: "{}", with: "\($0)")) }
    _ = try await load(urls, count: 20, concurrency: 2, transport)
    let (cpu, start) = (cpuSeconds(), Date())
    let bytes = try await load(urls, count: count, concurrency: concurrency, transport)
    let (used, elapsed) = (cpuSeconds() - cpu, Date().timeIntervalSince(start))
    let peak = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.split(whereSeparator: { " \t".contains($0) })
    print(
      """
      {"transport": "\(arguments[1])", "requests": \(count), "bytes": \(bytes), "cpuMicroseconds": \
      \(Int(used / Double(count) * 1e6)), "perSecond": \(Int(Double(count) / elapsed)), "peakKB": \(peak?[1] ?? "0")}
      """)
  }

  private static func session() -> any HTTPTransport {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 6
    return URLSessionTransport(session: URLSession(configuration: configuration))
  }

  private static func load(
    _ urls: [URL], count: Int, concurrency: Int, _ transport: any HTTPTransport
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<concurrency {
        group.addTask {
          let loader = HTTPLoader(transport: transport, configuration: .uncached)
          var bytes = 0
          for index in stride(from: worker, to: count, by: concurrency) {
            bytes += try await loader.data(for: URLRequest(url: urls[index % urls.count])).data.count
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
}

extension HTTPLoader.Configuration {
  static var uncached: HTTPLoader.Configuration {
    var configuration = HTTPLoader.Configuration()
    configuration.memoryBudget = 0
    return configuration
  }
}
