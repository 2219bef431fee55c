import Foundation
import Vignette

/// Many requests for few pictures, all made at once in one task group: each picture is to be fetched and decoded once.
struct JoinedRequests {
  let base: URL
  let urls: Int
  let requests: Int

  func run() async throws {
    let alone = ImagePipeline.make()
    let few = try await Cost.of { try await load(urls, alone) }
    let pipeline = ImagePipeline.make()
    let all = try await Cost.of { try await load(requests, pipeline) }
    let counters = pipeline.counters
    guard counters.successes == requests else { throw Unexpected(description: "\(counters)") }
    printJSON([
      "requests": requests, "urls": urls, "downloads": counters.networkLoads, "decodes": counters.decodes,
      "cpu": all.cpu, "wall": all.wall, "cpuOfOneEach": few.cpu,
    ])
  }

  private func load(_ count: Int, _ pipeline: ImagePipeline) async throws {
    try await pipeline.load(count, atOnce: count) { base.request("\($0 % urls)") }
  }
}
