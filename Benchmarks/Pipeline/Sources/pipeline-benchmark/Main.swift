import Foundation

/// What the pipeline costs, one question a run; run.py starts the server, asks, and judges.
///
///     pipeline-benchmark pictures|joined|thumbnails|prefetch BASE [COUNT]
///
/// BASE is an address under which any path gives the same picture. Each prints one JSON object a line.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let base = URL(string: arguments[2]) else { usage() }
    let count = arguments.count > 3 ? Int(arguments[3]) : nil
    switch (arguments[1], count) {
    case ("pictures", nil): try await DistinctPictures(base: base).run()
    case ("joined", let count?): try await JoinedRequests(base: base, urls: 100, requests: count).run()
    case ("thumbnails", let count?): try await SecondLook(base: base, count: count).run()
    case ("prefetch", let count?): try await BehindPrefetches(base: base, prefetches: 1_000, rounds: count).run()
    default: usage()
    }
  }

  private static func usage() -> Never {
    print("usage: pipeline-benchmark pictures BASE | joined|thumbnails|prefetch BASE COUNT")
    exit(2)
  }
}
