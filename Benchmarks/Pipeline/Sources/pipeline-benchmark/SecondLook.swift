import Foundation
import Vignette

/// The same pictures twice: fetched and decoded, and then, with the decoded pictures forgotten, from the thumbnails that
/// were kept with their responses.
struct SecondLook {
  let base: URL
  let count: Int
  /// Fewer than wait to be stored at most, so that every picture gets its thumbnail.
  private static let atOnce = 8
  private static let rounds = 5

  func run() async throws {
    // Without thumbnails, so that making them is not counted as part of the first look.
    let plain = ImagePipeline.make(storeBytes: 1 << 30)
    let first = try await Cost.of { try await load(plain) }
    plain.memory.removeAll()

    let pipeline = ImagePipeline.make(storeBytes: 1 << 30, storesThumbnails: true, memoryBudget: 256 << 20)
    try await fill(pipeline)
    var seconds: [Double] = []
    for _ in 0..<Self.rounds {
      pipeline.memory.removeAll()
      seconds.append(try await Cost.of { try await load(pipeline) }.cpu)
    }
    let counters = pipeline.counters
    guard counters.thumbnailHits == Self.rounds * count, counters.networkLoads == count else {
      throw Unexpected(description: "\(counters)")
    }
    printJSON(["pictures": count, "first": first.cpu, "second": seconds.sorted()[Self.rounds / 2]])
  }

  private func load(_ pipeline: ImagePipeline) async throws {
    try await pipeline.load(count, atOnce: Self.atOnce) { base.request("\($0)") }
  }

  /// Loads in groups, each of which has its thumbnails before the next.
  private func fill(_ pipeline: ImagePipeline) async throws {
    var stored = pipeline.events().makeAsyncIterator()
    for start in stride(from: 0, to: count, by: Self.atOnce) {
      let group = min(Self.atOnce, count - start)
      try await pipeline.load(group, atOnce: group) { base.request("\(start + $0)") }
      var missing = group
      while missing > 0, let event = await stored.next() {
        if case .thumbnailStored = event.kind { missing -= 1 }
      }
    }
  }
}
