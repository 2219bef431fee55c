import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Vignette

/// What the measurements share: pipelines without stores, addresses, clocks, lines of JSON.

let thumbnailBox = DecodeTarget.box(PixelSize(width: 200, height: 200), .fit)

/// A measurement that came to something else than it set out to measure.
struct Unexpected: Error, CustomStringConvertible {
  var description: String
}

extension ImagePipeline {
  /// - Parameters:
  ///   - storeBytes: responses kept in memory; 0 for none.
  ///   - memoryBudget: decoded pictures kept, in bytes.
  static func make(storeBytes: Int = 0, storesThumbnails: Bool = false, memoryBudget: Int = 32 << 20) -> ImagePipeline {
    var caching = HTTPLoader.Configuration()
    caching.memoryBudget = storeBytes
    let loader = HTTPLoader(transport: CurlTransport(), configuration: caching)
    var configuration = Configuration(loader: .http(loader))
    configuration.storesThumbnails = storesThumbnails
    configuration.memoryBudget = memoryBudget
    configuration.memoryPressure = .none
    return ImagePipeline(configuration: configuration)
  }

  /// Loads `count` pictures, so many at once.
  func load(_ count: Int, atOnce: Int, _ request: @escaping @Sendable (Int) -> ImageRequest) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= atOnce { try await group.next() }
        group.addTask { _ = try await self.image(for: request(index)) }
      }
      try await group.waitForAll()
    }
  }
}

extension URL {
  func request(_ name: String, target: DecodeTarget = thumbnailBox) -> ImageRequest {
    ImageRequest(url: appendingPathComponent(name), target: target)
  }
}

/// What a piece of work took.
struct Cost {
  /// Processor seconds of all threads of this process.
  var cpu: Double
  var wall: Double

  static func of(_ work: () async throws -> Void) async rethrows -> Cost {
    let (cpu, wall) = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC))
    try await work()
    return Cost(cpu: seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall: seconds(CLOCK_MONOTONIC) - wall)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Bytes of memory resident now.
func residentBytes() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * sysconf(Int32(_SC_PAGESIZE))
}

/// One line, written through.
func printJSON(_ values: KeyValuePairs<String, Any>) {
  print("{" + values.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}")
  fflush(nil)
}
