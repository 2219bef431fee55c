import Foundation

/// What an unsafe request makes void (RFC 9111, section 4.4).
enum Invalidation {
  /// The URLs whose stored responses go, after a request that may have changed them; empty where none do. Location and
  /// Content-Location count within the same origin only: others are not the server's to void.
  static func urls(_ query: CacheQuery, _ response: HTTPResponse) -> [URL] {
    guard query.isUnsafe, (200..<400).contains(response.status) else { return [] }
    let origin = try? OutgoingRequest.origin(of: query.url)
    let named = ["Location", "Content-Location"].compactMap { name in
      response.headers.values(of: name).first.flatMap { URL(string: $0, relativeTo: query.url)?.absoluteURL }
    }
    return [query.url] + named.filter { origin != nil && (try? OutgoingRequest.origin(of: $0)) == origin }
  }
}
