import Foundation
import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The JSON API: one generic request function for every type it answers with.
public struct GalleryAPI: Sendable {
  public var baseURL: URL
  public var loader: HTTPLoader

  public init(baseURL: URL, loader: HTTPLoader) {
    self.baseURL = baseURL
    self.loader = loader
  }

  /// A list of ten thousand rows is well below this; a server that sends more is no list.
  private static let limits: TransportOptions = {
    var options = TransportOptions()
    options.maximumBodyBytes = 8 << 20
    return options
  }()

  /// - Parameter path: below the base URL, with its query.
  /// - Throws: `GalleryAPIError`, or `CancellationError`.
  func request<Response: Decodable & Sendable>(_ path: String, method: String = "GET") async throws -> Response {
    guard let url = URL(string: baseURL.absoluteString + path) else {
      throw GalleryAPIError(message: "\(path) is not an address.")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    // A list is asked for when it is wanted anew; its pictures are what the cache is for.
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let result: HTTPResult
    do {
      result = try await loader.data(for: request, options: Self.limits)
    } catch let error as HTTPError {
      throw GalleryAPIError(message: error.message)
    }
    guard (200..<300).contains(result.response.status) else {
      throw GalleryAPIError(message: "The server answered with status \(result.response.status).")
    }
    do {
      return try JSONDecoder().decode(Response.self, from: result.data)
    } catch {
      throw GalleryAPIError(message: "The server's answer is not the list expected.")
    }
  }

  func photos(_ topic: Topic, count: Int) async throws -> [Photo] {
    try await request("/\(topic.rawValue)?count=\(count)")
  }
}

/// Why a list could not be loaded, in a sentence for a person.
struct GalleryAPIError: Error {
  var message: String
}
