import Foundation
import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The first stage: from a request to encoded bytes, whatever kind of source it names.
struct SourceStage: Sendable {
  var loader: DataLoader
  /// Files and data URLs are read here, off the cooperative pool.
  var files: WorkQueue

  /// - Parameter priority: of the work, which may be higher than that of `request`.
  func bytes(
    for request: ImageRequest, priority: @escaping CurrentPriority, report: @escaping DataLoader.Report
  ) async throws -> EncodedImage {
    do {
      switch request.source {
      case .bytes(let read):
        return EncodedImage(data: try await read(), origin: .data)
      case .urlRequest(let urlRequest):
        return try await bytes(for: urlRequest, of: request, priority: priority, report: report)
      }
    } catch let error as CancellationError where !Task.isCancelled {
      // Nobody cancelled this load. Passed on, it would look as if the caller had, and the picture would wait for ever.
      throw ImageLoadingError(
        .source, "The source of this picture gave up without being asked to.", url: request.url, underlying: error)
    }
  }

  private func bytes(
    for urlRequest: URLRequest, of request: ImageRequest, priority: @escaping CurrentPriority,
    report: @escaping DataLoader.Report
  ) async throws -> EncodedImage {
    guard let url = urlRequest.url, let scheme = url.scheme?.lowercased() else {
      throw ImageLoadingError(
        .invalidURL, "The address has no scheme; write it in full, such as https://example.com/picture.jpg.",
        url: urlRequest.url)
    }
    let limit = request.transport.maximumBodyBytes
    switch scheme {
    case "http", "https":
      return try await fetch(urlRequest, url: url, options: request.transport, report: report)
    case "file":
      return try await files.run(priority: priority) { _ in try LocalSources.read(file: url, limit: limit) }
    case "data":
      let data = try await files.run(priority: priority) { _ in
        try LocalSources.decode(dataURL: url, limit: limit)
      }
      return EncodedImage(data: data, origin: .data)
    default:
      throw ImageLoadingError(
        .unsupportedScheme, "Addresses that begin with \(scheme): cannot be loaded; use https, http, file or data.",
        url: url)
    }
  }

  private func fetch(
    _ urlRequest: URLRequest, url: URL, options: TransportOptions, report: @escaping DataLoader.Report
  ) async throws -> EncodedImage {
    let result = try await loader.load(urlRequest, options, report)
    guard (200..<300).contains(result.response.status) else {
      throw ImageLoadingError(status: result.response.status, url: url)
    }
    return EncodedImage(
      data: result.data, origin: ImageResponse.Origin(result.origin), freshUntil: result.freshUntil,
      mayBeKept: result.mayBeStored, contents: result.mayBeStored ? ContentID(hashing: result.data) : nil)
  }
}

extension ImageResponse.Origin {
  init(_ origin: HTTPResult.Origin) {
    switch origin {
    case .network: self = .network
    case .disk: self = .disk
    case .revalidated: self = .revalidated
    case .memory: self = .memory
    }
  }
}
