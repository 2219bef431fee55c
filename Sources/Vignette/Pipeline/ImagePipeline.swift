import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized

/// Loads pictures: request → decoded memory → source → decode → response. Safe to use from any thread.
///
/// Sources coalesce by `SourceKey` and decodes by `ImageKey`, separately: two sizes of one picture share a download.
/// What a picture is waiting for lives in the two coalescers and in the decode queue; the pipeline itself holds only
/// its parts and its counters.
public final class ImagePipeline: Sendable {
  public let configuration: Configuration
  /// The decoded pictures. Public for budgets, statistics and clearing.
  public let memory: ImageMemoryCache

  private let sources: SourceStage
  private let downloads: Coalescer<SourceKey, EncodedImage, HTTPProgress>
  private let decodes: Coalescer<ImageKey, ImageResponse, HTTPProgress>
  private let decodeQueue: WorkQueue
  private let counts = Locked(PipelineCounters())

  public init(configuration: Configuration) {
    self.configuration = configuration
    memory = ImageMemoryCache(budget: configuration.memoryBudget)
    let files = WorkQueue(label: "vignette.files", limit: 4)
    let decodeQueue = WorkQueue(label: "vignette.decode", limit: configuration.concurrentDecodes)
    sources = SourceStage(loader: configuration.loader, files: files)
    downloads = Coalescer(priorityChanged: { files.reconsider() })
    decodes = Coalescer(priorityChanged: {
      decodeQueue.reconsider()
      files.reconsider()
    })
    self.decodeQueue = decodeQueue
  }

  public var counters: PipelineCounters {
    var result = counts.withLock { $0 }
    result.evictions = memory.evictions
    return result
  }

  /// Pieces of work under way: downloads and decodes. 0 once every request has ended.
  public var activeWork: Int { downloads.count + decodes.count }

  /// Decodes that wait for a free slot.
  var waitingDecodes: Int { decodeQueue.waitingCount }

  /// The best decoded variant in memory for this request, at once: no I/O, no decoding, no waiting.
  ///
  /// `entry.satisfies(request.target)` tells whether it is as large as asked for. Counts as a memory hit.
  public func cachedImage(for request: ImageRequest) -> ImageMemoryCache.Entry? {
    let entry = memory.bestEntry(for: request.key)
    if entry != nil { counts.withLock { $0.memoryHits += 1 } }
    return entry
  }

  /// The picture of a request, from memory or by loading it.
  ///
  /// - Parameter report: bytes received and expected, from any thread, while the source downloads.
  /// - Throws: `ImageLoadingError`, or `CancellationError` when the calling task is cancelled.
  public func image(
    for request: ImageRequest, report: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> ImageResponse {
    if let hit = memoryHit(for: request) { return hit }
    do {
      guard let timeout = request.timeout else { return try await load(request, report: report) }
      return try await withTimeout(seconds: timeout) { try await self.load(request, report: report) }
    } catch {
      let isCancellation = error is CancellationError
      counts.withLock { if isCancellation { $0.cancelled += 1 } else { $0.failures += 1 } }
      throw ImageLoadingError.wrapping(error, url: request.url)
    }
  }

  private func memoryHit(for request: ImageRequest) -> ImageResponse? {
    guard let entry = memory.bestEntry(for: request.key), entry.satisfies(request.target),
      entry.isFresh(at: configuration.now())
    else { return nil }
    counts.withLock { $0.memoryHits += 1 }
    return ImageResponse(image: entry.image, origin: .memory, bytes: 0, decodeTime: 0)
  }

  private func load(_ request: ImageRequest, report: (@Sendable (HTTPProgress) -> Void)?) async throws -> ImageResponse
  {
    try await decodes.value(
      for: request.key, priority: { request.priority }, report: report, joined: countCoalesced
    ) { report, priority in
      // A load that ended between the look-up and the join left its picture in memory.
      if let hit = self.memoryHit(for: request) { return hit }
      let encoded = try await self.downloads.value(
        for: request.key.source, priority: priority, report: report, joined: self.countCoalesced
      ) { report, priority in
        let encoded = try await self.sources.bytes(for: request, priority: priority, report: report)
        self.count(encoded)
        return encoded
      }
      if let kept = self.keptPicture(of: encoded, for: request) { return kept }
      return try await self.decode(encoded, for: request, priority: priority)
    }
  }

  /// The picture in memory, made fresh again, when the source still has the bytes it was decoded from.
  private func keptPicture(of encoded: EncodedImage, for request: ImageRequest) -> ImageResponse? {
    guard encoded.mayBeKept else { return nil }
    memory.refresh(request.key.source, contents: encoded.contents, freshUntil: encoded.freshUntil)
    guard let entry = memory.bestEntry(for: request.key), entry.satisfies(request.target),
      entry.contents == encoded.contents
    else { return nil }
    return ImageResponse(image: entry.image, origin: encoded.origin, bytes: encoded.data.count, decodeTime: 0)
  }

  private func decode(
    _ encoded: EncodedImage, for request: ImageRequest, priority: @escaping CurrentPriority
  ) async throws -> ImageResponse {
    let decoder = configuration.decoder
    let response: ImageResponse
    do {
      response = try await decodeQueue.run(priority: priority) { isCancelled in
        let start = DispatchTime.now().uptimeNanoseconds
        let image = try decoder.decode(encoded.data, request.target, isCancelled)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        return ImageResponse(image: image, origin: encoded.origin, bytes: encoded.data.count, decodeTime: seconds)
      }
    } catch let error as CodecError {
      // Bytes that are no picture are not worth keeping: the next attempt asks the server again.
      if case .urlRequest(let urlRequest) = request.source { configuration.loader.forget(urlRequest) }
      throw error
    }
    counts.withLock { counts in
      counts.decodes += 1
      counts.decodeTime += response.decodeTime
    }
    keep(response, of: encoded, for: request)
    return response
  }

  private func keep(_ response: ImageResponse, of encoded: EncodedImage, for request: ImageRequest) {
    guard encoded.mayBeKept else {
      // What was kept before came from an older response, which this one has replaced.
      memory.remove(request.key.source)
      return
    }
    let entry = ImageMemoryCache.Entry(
      image: response.image, freshUntil: encoded.freshUntil, contents: encoded.contents)
    memory.insert(entry, for: request.key.source)
  }

  /// The whole source of a request, joined with nothing.
  func sourceBytes(for request: ImageRequest) async throws -> Data {
    try await sources.bytes(for: request, priority: { request.priority }, report: { _ in }).data
  }

  private func countCoalesced() { counts.withLock { $0.coalesced += 1 } }

  private func count(_ encoded: EncodedImage) {
    counts.withLock { counts in
      switch encoded.origin {
      case .network:
        counts.networkLoads += 1
        counts.networkBytes += encoded.data.count
      case .disk, .revalidated, .memory: counts.cachedLoads += 1
      case .file, .data: break
      }
    }
  }
}

extension ImagePriority {
  var task: TaskPriority {
    switch self {
    case .visible: .userInitiated
    case .background: .utility
    case .prefetch: .background
    }
  }
}
