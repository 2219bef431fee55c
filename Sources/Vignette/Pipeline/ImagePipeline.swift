import Foundation
import HTTPCaching
import ImageCodecs
import Pixels

/// Loads pictures: request → decoded memory → thumbnail → source → decode → process → response. Safe to use from any
/// thread.
///
/// Sources coalesce by what is fetched, pictures by what is made of them, processors by prefix: two sizes of one
/// picture share a download. What a picture waits for lives in the `Coordinator`; the pipeline itself holds only its
/// parts.
public final class ImagePipeline: Sendable {
  public let configuration: Configuration
  /// The decoded pictures. Public for budgets, statistics and clearing.
  public let memory: ImageMemoryCache

  let coordinator: Coordinator
  let sources: SourceStage
  let hub: EventHub
  /// Thumbnails on their way to the store.
  let storing = Tally()

  public init(configuration: Configuration) {
    self.configuration = configuration
    memory = ImageMemoryCache(
      budget: configuration.memoryBudget, entryCeiling: configuration.memoryEntryCeiling,
      lifetime: configuration.memoryLifetime, pressure: configuration.memoryPressure,
      clock: configuration.clock.uptime)
    hub = EventHub(observer: configuration.observer)
    coordinator = Coordinator(
      limits: Coordinator.Graph.Limits(
        downloads: configuration.concurrentDownloads, downloadsPerHost: configuration.concurrentDownloadsPerHost,
        decodes: configuration.concurrentDecodes))
    sources = SourceStage(configuration, coordinator: coordinator, events: hub)
  }

  /// What has happened so far.
  public var counters: PipelineCounters {
    var result = hub.counters
    result.evictions = memory.evictions
    return result
  }

  /// What happens from now on, for as long as the stream is read.
  ///
  /// - Parameter limit: events kept for a reader that falls behind; the oldest are dropped beyond it. Default 10,000.
  public func events(limit: Int = 10_000) -> AsyncStream<PipelineEvent> { hub.stream(limit: limit) }

  /// Pieces of work under way: sources and pictures. 0 once every request has ended.
  public var activeWork: Int { coordinator.count }

  /// Decodes that wait for a free place.
  var waitingDecodes: Int { coordinator.waitingCount(.decode) }

  /// The best decoded variant in memory for this request, at once: no I/O, no decoding, no waiting.
  ///
  /// `entry.satisfies(request.target)` tells whether it is as large as asked for. Counts as a memory hit.
  public func cachedImage(for request: ImageRequest) -> ImageMemoryCache.Entry? {
    guard request.policy.readsPictures, let entry = memory.bestEntry(for: request.key) else { return nil }
    hub.record(.memoryHit, request)
    return entry
  }

  /// The picture of a request, from memory or by loading it.
  ///
  /// It may be larger than the target where a larger one is in memory; a `.resize` processor makes it exact.
  /// - Parameter report: bytes received and expected, from any thread, while the source downloads.
  /// - Throws: `ImageLoadingError`, or `CancellationError` when the calling task is cancelled.
  public func image(
    for request: ImageRequest, report: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> ImageResponse {
    try await image(for: request, urgency: .fixed(request.priority), report: report)
  }

  func image(
    for request: ImageRequest, urgency: Urgency, report: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> ImageResponse {
    hub.record(.requested, request)
    do {
      let response = try await response(for: request, urgency: urgency, report: report)
      hub.record(.succeeded(response.origin), request)
      return response
    } catch {
      let error = ImageLoadingError.wrapping(error, url: request.url)
      hub.record((error as? ImageLoadingError).map { .failed($0.code) } ?? .cancelled, request)
      throw error
    }
  }

  private func response(
    for request: ImageRequest, urgency: Urgency, report: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> ImageResponse {
    // Before memory is asked: what nobody wants any more must not count as used.
    try Task.checkCancellation()
    if request.policy.readsPictures, let hit = freshPicture(for: request) {
      hub.record(.memoryHit, request)
      return hit.response
    }
    guard request.policy != .memoryOnly else {
      throw ImageLoadingError(
        .cacheMiss, "The picture is not in memory; use another policy to have it loaded.", url: request.url)
    }
    let mode = mode(for: request)
    guard let timeout = request.timeout else {
      return try await picture(for: request, mode: mode, urgency: urgency, report: report).response
    }
    return try await withTimeout(seconds: timeout) {
      try await self.picture(for: request, mode: mode, urgency: urgency, report: report).response
    }
  }

  /// Fetches the source of a request into the HTTP cache, without decoding it. Joins a load of the same source.
  ///
  /// - Throws: `ImageLoadingError`, or `CancellationError` when the calling task is cancelled.
  public func fetch(_ request: ImageRequest) async throws {
    do {
      let mode = mode(for: request)
      guard let candidate = request.candidates(isLowData: mode.isLowData).first else { return }
      let encoded = try await source(candidate, for: request, mode: mode, urgency: .fixed(request.priority))
      encoded.lease?.end()
    } catch {
      throw ImageLoadingError.wrapping(error, url: request.url)
    }
  }

  /// Returns once everything that has been loaded so far is stored, thumbnails included. For programs that end at once.
  public func flush() async {
    await storing.zero()
    await configuration.loader.flush()
  }

  /// The encoded bytes of a request.
  func sourceBytes(for request: ImageRequest) async throws -> Data {
    let candidate = SourceCandidate(key: .unique(), source: request.source)
    let mode = LoadMode(policy: request.policy)
    let encoded = try await source(candidate, for: request, mode: mode, urgency: .fixed(request.priority))
    encoded.lease?.end()
    return encoded.data
  }

  private func mode(for request: ImageRequest) -> LoadMode {
    let isLowData = request.lowDataAlternative != nil && configuration.network.isConstrained()
    return LoadMode(policy: request.policy, isLowData: isLowData)
  }

  /// What fetches this request's http and https sources.
  func loader(for request: ImageRequest) -> DataLoader {
    request.sessionLoader?.dataLoader ?? configuration.loader
  }

  /// Joins the work for these bytes, or starts it.
  func source(
    _ candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, urgency: Urgency,
    report: DataLoader.Report? = nil
  ) async throws -> EncodedImage {
    try await coordinator.value(
      of: .sources, for: SourceWork(key: candidate.key, mode: mode), urgency: urgency, report: report,
      joined: { self.hub.record(.coalesced, request) }
    ) { work in
      try await self.sources.bytes(of: candidate, for: request, mode: mode, work: work)
    }
  }
}
