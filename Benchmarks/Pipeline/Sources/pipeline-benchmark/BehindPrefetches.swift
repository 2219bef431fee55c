import Foundation
import Vignette

/// How long a visible picture takes when the pipeline is idle, and when a thousand prefetches are ahead of it: in the
/// prefetcher's line, and all in the pipeline at once. One of each in turn.
struct BehindPrefetches {
  let base: URL
  let prefetches: Int
  let rounds: Int

  func run() async throws {
    let pipeline = ImagePipeline.make()
    var idle: [Double] = []
    var behindLine: [Double] = []
    var behindAll: [Double] = []
    _ = try await look(pipeline, "warm-up")
    for round in 0..<rounds {
      idle.append(try await look(pipeline, "\(round)/idle"))
      behindLine.append(try await lookBehind(pipeline, "\(round)/line", atOnce: 4))
      behindAll.append(try await lookBehind(pipeline, "\(round)/all", atOnce: prefetches))
    }
    printJSON([
      "rounds": rounds, "prefetches": prefetches, "idle": median(idle), "behindLine": median(behindLine),
      "behindAll": median(behindAll),
    ])
  }

  private func look(_ pipeline: ImagePipeline, _ name: String) async throws -> Double {
    try await Cost.of { _ = try await pipeline.image(for: base.request(name)) }.wall
  }

  private func lookBehind(_ pipeline: ImagePipeline, _ name: String, atOnce: Int) async throws -> Double {
    let decoded = pipeline.counters.decodes
    let prefetcher = ImagePrefetcher(pipeline: pipeline, limit: atOnce)
    prefetcher.start((0..<prefetches).map { base.request("\(name)/\($0)") })
    // Under way when some have come through.
    try await wait { pipeline.counters.decodes >= decoded + 3 }
    let wall = try await look(pipeline, "\(name)/visible")
    guard prefetcher.progress.remaining > prefetches / 2 else {
      throw Unexpected(description: "the prefetches were over before the measurement")
    }
    prefetcher.stopAll()
    try await wait { pipeline.activeWork == 0 }
    return wall
  }

  private func wait(until isTrue: () -> Bool) async throws {
    while !isTrue() { try await Task.sleep(nanoseconds: 2_000_000) }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
