import Foundation
import HTTPCaching

/// The head of a response as it goes on the wire (RFC 9112), and how the end of its body is shown.
struct ResponseHead {
  enum Framing: Equatable {
    /// There is no body, whatever the fields say (RFC 9112, section 6.3).
    case none
    case length(Int)
    case chunked
    /// The end of the connection ends the body.
    case close
  }

  let framing: Framing
  let data: Data
  /// Whether the connection may serve another request.
  let keepsAlive: Bool

  /// The final response to a request.
  init(_ answer: Answer, to request: RequestHead) {
    let length = Self.length(of: answer)
    framing = Self.framing(answer.status, length: length, request)
    keepsAlive = request.keepsAlive && framing != .close
    var headers = answer.headers
    headers["Transfer-Encoding"] = framing == .chunked ? "chunked" : nil
    switch framing {
    case .length(let length): headers["Content-Length"] = "\(length)"
    case .chunked, .close: headers["Content-Length"] = nil
    case .none:
      // What a GET would have brought stays said (RFC 9110, section 8.6), but a 1xx and a 204 say nothing.
      if answer.status == 204 { headers["Content-Length"] = nil }
    }
    if !keepsAlive {
      headers["Connection"] = "close"
    } else if request.minorVersion == 0 {
      headers["Connection"] = "keep-alive"
    }
    data = Self.data(answer.status, headers)
  }

  /// An interim response (RFC 9110, section 15.2).
  static func interim(_ status: Int, _ headers: HTTPHeaders = HTTPHeaders()) -> Data { data(status, headers) }

  private static func length(of answer: Answer) -> Int? {
    switch answer.body {
    case .data(let data): data.count
    case .stream(_, let length): length
    }
  }

  private static func framing(_ status: Int, length: Int?, _ request: RequestHead) -> Framing {
    if request.method == "HEAD" || status < 200 || status == 204 || status == 304 { return .none }
    if let length { return .length(length) }
    return request.minorVersion == 1 ? .chunked : .close
  }

  private static func data(_ status: Int, _ headers: HTTPHeaders) -> Data {
    var text = "HTTP/1.1 \(status) \(reasons[status] ?? "")\r\n"
    for field in headers { text += "\(field.name): \(oneLine(field.value))\r\n" }
    return Data((text + "\r\n").utf8)
  }

  /// A bare CR, which ends a line for some, becomes a space (RFC 9112, section 2.2).
  private static func oneLine(_ value: String) -> String {
    let isBreak = { (scalar: Unicode.Scalar) in scalar == "\r" || scalar == "\n" || scalar == "\0" }
    guard value.unicodeScalars.contains(where: isBreak) else { return value }
    return String(String.UnicodeScalarView(value.unicodeScalars.map { isBreak($0) ? " " : $0 }))
  }

  /// RFC 9110, section 15. The reason phrase means nothing; it may be empty.
  private static let reasons = [
    100: "Continue", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted",
    203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 414: "URI Too Long", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
  ]
}
