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

  func bytes(for request: ImageRequest, report: @escaping DataLoader.Report) async throws -> EncodedImage {
    switch request.source {
    case .bytes(let read):
      return EncodedImage(data: try await read(), origin: .data)
    case .urlRequest(let urlRequest):
      return try await bytes(for: urlRequest, of: request, report: report)
    }
  }

  private func bytes(
    for urlRequest: URLRequest, of request: ImageRequest, report: @escaping DataLoader.Report
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
      let data = try await files.run(priority: request.priority) { _ in
        try LocalSources.read(file: url, limit: limit)
      }
      return EncodedImage(data: data, origin: .file, mayBeKept: true)
    case "data":
      let data = try await files.run(priority: request.priority) { _ in
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
      data: result.data, origin: ImageResponse.Origin(result.origin), freshUntil: nil, mayBeKept: true)
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
