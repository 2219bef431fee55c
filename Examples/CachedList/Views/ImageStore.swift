import EaselCore
import Foundation
import HTTPCaching
import Vignette

/// The list's own caches and what they have done: one pipeline with budgets of its own, apart from the process's.
@MainActor
public final class ImageStore: ObservableObject {
  public let pipeline: ImagePipeline
  private let loader: HTTPLoader

  /// As of the last `refresh()`.
  @Published public private(set) var statistics = Statistics()
  /// Changes when the caches are cleared: views made anew ask for their pictures anew.
  @Published public private(set) var generation = 0

  public struct Statistics: Equatable, Sendable {
    public var counters = PipelineCounters()
    /// Decoded pixels in memory, in bytes.
    public var memory = 0
    public var pictures = 0
    /// Bytes on the disk. Responses are kept in memory only.
    public var disk = 0
  }

  /// - Parameters:
  ///   - memoryBudget: bytes of decoded pixels. Default 100 MB.
  ///   - responseBudget: bytes of encoded responses in memory. Default 32 MB.
  public init(memoryBudget: Int = 100_000_000, responseBudget: Int = 32_000_000) {
    var http = HTTPLoader.Configuration()
    http.memoryBudget = responseBudget
    loader = HTTPLoader(transport: CurlTransport.shared, configuration: http)
    var configuration = ImagePipeline.Configuration(loader: .http(loader))
    configuration.memoryBudget = memoryBudget
    pipeline = ImagePipeline(configuration: configuration)
  }

  public func refresh() {
    let now = Statistics(
      counters: pipeline.counters, memory: pipeline.memory.byteCount, pictures: pipeline.memory.count)
    if now != statistics { statistics = now }
  }

  /// Forgets every picture and response; what is on the screen loads again.
  public func clear() {
    pipeline.memory.removeAll()
    loader.removeAll()
    generation += 1
    refresh()
  }
}
