import Foundation
import Vignette

/// Pictures no two of which are the same, as thumbnails, with nothing stored but the small memory cache.
///
/// Reads numbers from standard input, loads so many new pictures for each, and says what they took, so that another
/// program can have its turn in between.
struct DistinctPictures {
  let base: URL
  /// Enough for both processors and the connections; an app's screen asks for as many.
  private static let atOnce = 16

  func run() async throws {
    let pipeline = ImagePipeline.make()
    var first = 0
    while let line = readLine() {
      guard let count = Int(line) else { throw Unexpected(description: "not a number: \(line)") }
      let start = first
      let cost = try await Cost.of {
        try await pipeline.load(count, atOnce: Self.atOnce) { base.request("\(start + $0)") }
      }
      first += count
      guard pipeline.counters.decodes == first else {
        throw Unexpected(description: "\(pipeline.counters.decodes) decodes for \(first) pictures")
      }
      printJSON([
        "pictures": count, "cpu": cost.cpu, "wall": cost.wall, "resident": residentBytes(),
        "evictions": pipeline.counters.evictions,
      ])
    }
  }
}
