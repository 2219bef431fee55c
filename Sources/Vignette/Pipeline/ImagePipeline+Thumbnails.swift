import Foundation
import HTTPCaching
import ImageCodecs

/// Pictures that were scaled down are kept with the response they came from, so that the next look, or the next start,
/// neither reads nor decodes the source. They live and die with it: deleted, revalidated and partitioned by its keys.
extension ImagePipeline {
  /// Thumbnails waiting to be stored at most; each holds its pixels. More are not stored: the next look makes them again.
  private static let longestStoreQueue = 32

  private func thumbnailName(for request: ImageRequest) -> String? {
    Thumbnail.name(for: request.target, colors: configuration.decoder.colors)
  }

  /// The thumbnail of a response that may answer now, without the network.
  func storedThumbnail(for request: ImageRequest, mode: LoadMode, work: Work) async throws -> Picture? {
    guard configuration.storesThumbnails, mode.policy.readsPictures, !mode.isLowData,
      let name = thumbnailName(for: request), let attachments = loader(for: request).attachments,
      let candidate = request.candidates(isLowData: false).first, candidate.coverage == nil,
      let call = DataLoader.Call(storedResponseOf: candidate, for: request, policy: mode.policy),
      let attachment = await attachments.find(name, call)
    else { return nil }
    return try await picture(
      attachment.data, freshUntil: attachment.freshUntil, contents: nil, status: attachment.cacheStatus, for: request,
      work: work)
  }

  /// The thumbnail of a response just obtained, where it is the one it was before.
  func thumbnail(of encoded: EncodedImage, for request: ImageRequest, work: Work) async throws -> Picture? {
    guard configuration.storesThumbnails, encoded.origin != .network, let entry = encoded.entry,
      let name = thumbnailName(for: request), let attachments = loader(for: request).attachments,
      let data = await attachments.read(name, entry)
    else { return nil }
    return try await picture(
      data, freshUntil: encoded.freshUntil, contents: encoded.contents, status: encoded.cacheStatus, for: request,
      work: work)
  }

  private func picture(
    _ data: Data, freshUntil: Date?, contents: ContentID?, status: CacheStatus?, for request: ImageRequest, work: Work
  ) async throws -> Picture? {
    let colors = configuration.decoder.colors
    let (thumbnail, seconds) = try await coordinator.runBlocking(.decode, urgency: .work(work)) { isCancelled in
      try Self.timed { try Thumbnail(data, colors: colors, isCancelled: isCancelled) }
    }
    guard let thumbnail, contents == nil || contents == thumbnail.contents else { return nil }
    hub.record(.thumbnailHit, request)
    var response = ImageResponse(
      image: thumbnail.image, origin: .thumbnail, bytes: data.count, decodeTime: seconds)
    response.cacheStatus = status
    let picture = Picture(response: response, freshUntil: freshUntil, contents: thumbnail.contents, mayBeKept: true)
    keep(picture, for: request)
    return picture
  }

  /// Encodes and stores in the background, one at a time, behind everything else.
  func storeThumbnail(_ picture: Picture, of encoded: EncodedImage, for request: ImageRequest) {
    guard configuration.storesThumbnails, !encoded.isAlternative, picture.coverage == nil, let entry = encoded.entry,
      let contents = encoded.contents, let name = thumbnailName(for: request),
      let attachments = loader(for: request).attachments,
      // What memory had may be a larger variant.
      picture.response.bitmap.size == request.target.size(for: picture.response.sourceSize),
      Thumbnail.isWorthwhile(picture.response.image, sourceBytes: encoded.data.count),
      storing.begin(limit: Self.longestStoreQueue)
    else { return }
    let thumbnail = Thumbnail(image: picture.response.image, contents: contents)
    Task(priority: .background) { [coordinator, hub, storing] in
      defer { storing.end() }
      let data = try? await coordinator.runBlocking(.store, urgency: .fixed(.prefetch)) { _ in try thumbnail.encoded() }
      guard let data, !data.isEmpty else { return }
      await attachments.write(data, name, entry)
      hub.record(.thumbnailStored(bytes: data.count), request)
    }
  }
}

extension DataLoader.Call {
  /// What finds the stored response of a candidate; `nil` where only a signed request would, or none.
  fileprivate init?(storedResponseOf candidate: SourceCandidate, for request: ImageRequest, policy: ImageCachePolicy) {
    guard request.prepare == nil || candidate.cacheName != nil, var urlRequest = candidate.source.urlRequest,
      let scheme = urlRequest.url?.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return nil }
    if let urlPolicy = policy.urlPolicy { urlRequest.cachePolicy = urlPolicy }
    self.init(request: urlRequest, options: request.transport, cacheName: candidate.cacheName)
  }
}
