import Foundation
import ImageCodecs
import Pixels

/// A picture on its way to those who asked for it, with what the memory cache has to know of it.
struct Picture: Sendable {
  var response: ImageResponse
  /// By the HTTP rules; `nil` where the source never goes stale.
  var freshUntil: Date?
  var contents: ContentID?
  var mayBeKept: Bool

  var coverage: DecodeTarget? {
    get { response.coverage }
    set { response.coverage = newValue }
  }
}

extension Picture {
  /// What memory has.
  fileprivate init(_ entry: ImageMemoryCache.Entry, origin: ImageResponse.Origin, bytes: Int = 0) {
    var response = ImageResponse(image: entry.image, origin: origin, bytes: bytes, decodeTime: 0)
    response.coverage = entry.coverage
    self.init(response: response, freshUntil: entry.freshUntil, contents: entry.contents, mayBeKept: true)
  }
}

/// How one picture is made: from memory, else from the first candidate that gives one.
extension ImagePipeline {
  /// Joins the work for this picture, or starts it.
  func picture(
    for request: ImageRequest, mode: LoadMode, urgency: Urgency, report: DataLoader.Report? = nil
  ) async throws -> Picture {
    try await coordinator.value(
      of: .pictures, for: PictureWork(key: request.key, mode: mode), urgency: urgency, report: report,
      joined: { self.hub.record(.coalesced, request) }
    ) { work in
      // A load that ended between the look-up and the join left its picture in memory.
      if mode.policy.readsPictures, let hit = self.freshPicture(for: request) { return hit }
      return try await self.load(request, mode: mode, work: work)
    }
  }

  /// The picture in memory, where it is large enough and fresh.
  func freshPicture(for request: ImageRequest) -> Picture? {
    guard let entry = memory.bestEntry(for: request.key), entry.satisfies(request.target),
      request.policy == .offline || request.policy == .memoryOnly || entry.isFresh(at: configuration.clock.now())
    else { return nil }
    return Picture(entry, origin: .memory)
  }

  /// Tries every candidate; what is thrown is what the first one failed with.
  private func load(_ request: ImageRequest, mode: LoadMode, work: Work) async throws -> Picture {
    if let processor = request.processors.last {
      return try await process(request, by: processor, mode: mode, work: work)
    }
    if let thumbnail = try await storedThumbnail(for: request, mode: mode, work: work) { return thumbnail }
    var firstError: (any Error)?
    for candidate in request.candidates(isLowData: mode.isLowData) {
      if let firstError { hub.record(.alternative(ImageLoadingError(firstError, url: request.url).code), request) }
      do {
        return try await load(candidate, for: request, mode: mode, work: work)
      } catch {
        guard !(error is CancellationError) else { throw error }
        firstError = firstError ?? error
      }
    }
    throw firstError ?? ImageLoadingError(.source, "The request names no source.")
  }

  private func load(
    _ candidate: SourceCandidate, for request: ImageRequest, mode: LoadMode, work: Work
  ) async throws -> Picture {
    let encoded = try await source(
      candidate, for: request, mode: mode, urgency: .work(work), report: work.report)
    if let kept = keptPicture(of: encoded, for: request) {
      // A new response with the same bytes has no thumbnails yet.
      if encoded.origin == .network { storeThumbnail(kept, of: encoded, for: request) }
      return kept
    }
    if let thumbnail = try await thumbnail(of: encoded, for: request, work: work) { return thumbnail }
    let picture = try await decode(encoded, candidate, for: request, work: work)
    keep(picture, for: request)
    storeThumbnail(picture, of: encoded, for: request)
    return picture
  }

  /// The picture before its last processor, and then that one: pictures that begin alike share their beginning.
  private func process(
    _ request: ImageRequest, by processor: ImageProcessor, mode: LoadMode, work: Work
  ) async throws -> Picture {
    let earlier = request.with(processors: request.processors.dropLast())
    var picture = try await picture(for: earlier, mode: mode, urgency: .work(work), report: work.report)
    let image = picture.response.image
    let (bitmap, seconds) = try await coordinator.runBlocking(.decode, urgency: .work(work)) { isCancelled in
      try Self.timed {
        try processor.process(
          image.bitmap, ProcessorContext(sourceSize: image.info.size, isCancelled: isCancelled))
      }
    }
    hub.record(.processed(seconds: seconds), request)
    picture.response.image.bitmap = bitmap
    picture.coverage = request.target
    keep(picture, for: request)
    return picture
  }

  /// The picture in memory, made fresh again, when the source still has the bytes it was decoded from.
  private func keptPicture(of encoded: EncodedImage, for request: ImageRequest) -> Picture? {
    guard encoded.mayBeKept else { return nil }
    memory.refresh(request.key.source, contents: encoded.contents, freshUntil: encoded.freshUntil)
    guard let entry = memory.bestEntry(for: request.key), entry.satisfies(request.target),
      entry.contents == encoded.contents
    else { return nil }
    var picture = Picture(entry, origin: encoded.origin, bytes: encoded.data.count)
    picture.response.cacheStatus = encoded.cacheStatus
    return picture
  }

  private func decode(
    _ encoded: EncodedImage, _ candidate: SourceCandidate, for request: ImageRequest, work: Work
  ) async throws -> Picture {
    let decoder = configuration.decoder
    do {
      let (image, seconds) = try await coordinator.runBlocking(.decode, urgency: .work(work)) { isCancelled in
        encoded.lease?.end()
        return try Self.timed { try decoder.decode(encoded.data, request.target, isCancelled) }
      }
      hub.record(.decoded(seconds: seconds), request)
      var response = ImageResponse(
        image: image, origin: encoded.origin, bytes: encoded.data.count, decodeTime: seconds)
      response.coverage = candidate.coverage
      // The pixels of a drawing do not tell that more could be had.
      if image.info.isDrawing, request.target != .full { response.coverage = request.target }
      response.cacheStatus = encoded.cacheStatus
      return Picture(
        response: response, freshUntil: encoded.freshUntil, contents: encoded.contents, mayBeKept: encoded.mayBeKept)
    } catch let error as CodecError {
      // Bytes that are no picture are not worth keeping: the next attempt asks the server again.
      if let urlRequest = candidate.source.urlRequest {
        loader(for: request).forget(DataLoader.Call(request: urlRequest, cacheName: candidate.cacheName))
      }
      throw error
    }
  }

  func keep(_ picture: Picture, for request: ImageRequest) {
    guard picture.mayBeKept else {
      // What was kept before came from an older response, which this one has replaced.
      memory.remove(request.key.source)
      return
    }
    let entry = ImageMemoryCache.Entry(
      image: picture.response.image, freshUntil: picture.freshUntil, contents: picture.contents,
      coverage: picture.coverage)
    memory.insert(entry, for: VariantKey(request.key))
  }

  /// What `body` gives, and the seconds it took.
  static func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Double) {
    let start = DispatchTime.now().uptimeNanoseconds
    let result = try body()
    return (result, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
  }
}
