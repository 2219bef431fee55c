import Foundation

/// Decides where a redirect leads. Pure: request and Location in, request or refusal out (RFC 9110, section 15.4).
enum RedirectPolicy {
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// - Parameter count: redirects already followed.
  /// - Throws: `HTTPError` with `redirect.tooMany`, `redirect.target` or `redirect.insecure`.
  static func follow(
    _ request: OutgoingRequest, status: Int, location: String, count: Int, limit: Int
  ) throws -> OutgoingRequest {
    guard count < limit else {
      throw HTTPError(
        .tooManyRedirects, "The server redirected more than \(limit) times; the address probably leads in a circle.",
        url: request.url)
    }
    var next = request
    next.url = try resolve(location, against: request.url)
    next.origin = try origin(of: next.url, from: request)
    if status == 303 && request.method != "HEAD" || (status == 301 || status == 302) && request.method == "POST" {
      next.method = "GET"
      next.body = nil
      for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language"] {
        next.headers[name] = nil
      }
    }
    if next.origin != request.origin { next.headers = request.headers.withoutSecrets }
    return next
  }

  /// RFC 3986, section 5, and the fragment rule of RFC 9110, section 10.2.2.
  private static func resolve(_ location: String, against base: URL) throws -> URL {
    // An empty reference is the base itself (section 4.4), which URL(string:) does not take.
    guard let resolved = location.isEmpty ? base : URL(string: location, relativeTo: base)?.absoluteURL else {
      throw HTTPError(
        .redirectTarget, "The server redirected to “\(location)”, which is not a URL.", url: base)
    }
    // `URL` leaves the dot segments of a whole URL where they are (section 5.2.2).
    let url = resolved.path.contains("/.") ? resolved.standardized : resolved
    guard url.fragment == nil, let fragment = base.fragment else { return url }
    return URL(string: url.absoluteString + "#" + fragment) ?? url
  }

  private static func origin(of url: URL, from request: OutgoingRequest) throws -> OutgoingRequest.Origin {
    let origin: OutgoingRequest.Origin
    do {
      origin = try OutgoingRequest.origin(of: url)
    } catch {
      throw HTTPError(
        .redirectTarget, "The server redirected to “\(url)”; only http and https are followed.", url: request.url,
        underlying: error)
    }
    guard request.origin.scheme != "https" || origin.scheme == "https" else {
      throw HTTPError(
        .insecureRedirect, "The server redirected from https to “\(url)”, which is not encrypted; this is refused.",
        url: request.url)
    }
    return origin
  }
}

extension HTTPHeaders {
  /// The fields that may be shown to another origin: those every server may see. Whatever else the caller set may be
  /// a secret under a name we cannot know.
  fileprivate var withoutSecrets: HTTPHeaders {
    let harmless = [
      "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "If-Match", "If-Modified-Since",
      "If-None-Match", "If-Range", "If-Unmodified-Since", "Pragma", "Range", "User-Agent",
    ]
    return HTTPHeaders(fields.filter { field in harmless.contains { $0.caseInsensitivelyEquals(field.name) } })
  }
}
