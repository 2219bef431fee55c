import Foundation
import ImageCodecs
import Pixels
import Vignette

/// Loads one source of the command line and writes it where the plan says.
struct SourceLoader: Sendable {
  private let pipeline: ImagePipeline
  private let options: LoadOptions
  private let plan: OutputPlan

  init(_ options: LoadOptions, _ plan: OutputPlan = .none) {
    pipeline = options.network.pipeline(colors: options.keepsColor ? .source : .sRGB)
    self.options = options
    self.plan = plan
  }

  /// Makes the directory of the output. Where it cannot be made, each picture says so when it is written.
  func prepare() {
    if let directory = plan.directory { try? OutputFile.makeDirectory(directory) }
  }

  /// Stores what came from the network, before the process ends. What was only read from files needs no cache at all.
  func finish() async {
    let counters = pipeline.counters
    if counters.networkLoads + counters.cachedLoads > 0 { await pipeline.flush() }
  }

  func load(_ index: Int) async -> LoadRecord {
    let start = DispatchTime.now().uptimeNanoseconds
    var record = LoadRecord(source: options.sources[index], milliseconds: 0)
    do {
      let response = try await response(index)
      record.picture = LoadRecord.Picture(response)
      if plan.destinations.indices.contains(index) {
        record.output = try await write(response.bitmap, to: plan.destinations[index])
      }
    } catch {
      record.failure = Failure(error)
    }
    record.milliseconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
    return record
  }

  /// - Throws: `ImageLoadingError`.
  func response(_ index: Int) async throws -> ImageResponse {
    try await pipeline.image(for: try options.request(for: options.sources[index]))
  }

  /// Encoding and writing block, so they leave the cooperative pool.
  private func write(_ bitmap: Bitmap, to url: URL) async throws -> OutputFile {
    let quality = options.quality ?? OutputFile.defaultQuality
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try OutputFile.write(bitmap, to: url, quality: quality) })
      }
    }
  }
}
