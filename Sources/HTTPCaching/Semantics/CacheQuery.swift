import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the rules look at in a request: a value, so that each rule is a function of it.
struct CacheQuery: Sendable {
  /// The caller's `cachePolicy`.
  enum Preference: Sendable {
    /// By the rules.
    case standard
    /// The network, whatever is stored.
    case reload
    /// What is stored once the server has confirmed it, however fresh it is.
    case revalidate
    /// What is stored, however old; the network where there is nothing.
    case storedElseLoad
    /// What is stored, however old; never the network.
    case storedOnly
  }

  var method: String
  var url: URL
  var headers: HTTPHeaders
  var preference = Preference.standard
  /// What it is stored under in place of its URL.
  var name: String?
  /// Whether its answers have bodies in the coding they came in.
  var keepsCoding = false

  /// RFC 9110, section 9.2.1. Methods nobody knows may change anything.
  var isUnsafe: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  /// Whether a stored response could answer at all: GET and HEAD without a condition that only the origin can judge.
  var isAnswerable: Bool {
    guard method == "GET" || method == "HEAD" else { return false }
    return !["If-Match", "If-Unmodified-Since"].contains { headers[$0] != nil }
  }

  /// Whether the request asks the server something of its own: a part, or a comparison with the caller's copy. Such a
  /// request goes out as it is.
  var isConditional: Bool {
    ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
      .contains { headers[$0] != nil }
  }

  /// Whether the caller wants nothing of what is stored, not even a beginning.
  var refusesStored: Bool {
    let control = control
    return preference == .reload || control.noCache || control.noStore
  }

  /// Cache-Control, and Pragma where there is none (RFC 9111, section 5.4).
  var control: CacheControl {
    var control = CacheControl(headers)
    if headers["Cache-Control"] == nil, headers["Pragma"]?.lowercased().contains("no-cache") == true {
      control.noCache = true
    }
    return control
  }
}

extension CacheQuery {
  init(_ request: URLRequest, url: URL, name: String? = nil, keepsCoding: Bool = false) {
    let fields = (request.allHTTPHeaderFields ?? [:]).map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
    self.init(
      method: request.httpMethod ?? "GET", url: url, headers: HTTPHeaders(fields), name: name, keepsCoding: keepsCoding)
    switch request.cachePolicy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: preference = .reload
    case .reloadRevalidatingCacheData: preference = .revalidate
    case .returnCacheDataElseLoad: preference = .storedElseLoad
    case .returnCacheDataDontLoad: preference = .storedOnly
    default: preference = .standard
    }
  }
}
