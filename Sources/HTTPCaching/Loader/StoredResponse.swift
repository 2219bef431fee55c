import Foundation

/// A complete response as a cache keeps it, with what is needed to judge it later.
struct StoredResponse: Sendable {
  var response: HTTPResponse
  var data: Data
  /// The request fields that its Vary names, as they were.
  var selectingHeaders: HTTPHeaders
  /// When the request was sent and the response's head arrived, by the wall clock.
  var requestTime: Date
  var responseTime: Date

  /// Bytes of memory it takes, roughly.
  var cost: Int {
    response.headers.reduce(data.count + 512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
  }
}

/// What a stored response is found by: the URL without its fragment, and the credentials it was given to.
///
/// Two users never share an entry. The credentials stay as they are: this key lives in memory only, as the request
/// itself does.
struct CacheKey: Hashable, Sendable {
  var url: String
  var credentials: [String?]

  init(url: URL, headers: HTTPHeaders) {
    self.url = Self.withoutFragment(url)
    credentials = ["Authorization", "Cookie", "Proxy-Authorization"].map { headers[$0] }
  }

  static func withoutFragment(_ url: URL) -> String {
    let text = url.absoluteString
    return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
  }
}
