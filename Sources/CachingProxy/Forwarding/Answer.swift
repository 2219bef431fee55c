import Foundation
import HTTPCaching

/// What a client is answered: a head, and a body that is here or on its way.
struct Answer: Sendable {
  enum Body: Sendable {
    case data(Data)
    case stream(HTTPBody, length: Int?)
  }

  var status: Int
  var headers: HTTPHeaders
  var body: Body
  /// The value of the field `Cache-Status`; `nil` where the cache had no part in it.
  var cacheStatus: String?

  /// A response of the origin, or what is stored of one.
  /// One without a date gets that of its arrival (RFC 9110, section 6.6.1), and gets it here: to the cache it is a
  /// response whose origin has said nothing of when it was made.
  init(_ response: HTTPResponse, _ body: Body, cacheStatus: CacheStatus, now: Date) {
    status = response.status
    headers = HTTPHeaders(HopByHop.removed(from: response.headers))
    // A 205 has no content (RFC 9110, section 15.3.6).
    self.body = response.status == 205 ? .data(Data()) : body
    self.cacheStatus = cacheStatus.description
    if headers["Date"] == nil {
      let age = headers["Age"].flatMap { Double($0) } ?? 0
      headers["Date"] = CalendarTime(now - age).imfFixdate
    }
    headers.add(Via.value(minorVersion: 1), to: "Via")
    headers.add(cacheStatus.description, to: "Cache-Status")
  }

  /// One of the proxy's own.
  private init(status: Int, message: String, now: Date) {
    self.status = status
    headers = [
      "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
      "Date": CalendarTime(now).imfFixdate,
    ]
    body = .data(Data((message + "\n").utf8))
  }

  init(_ fault: RequestFault, now: Date) { self.init(status: fault.status, message: fault.message, now: now) }

  /// The end of a request that follows its way (RFC 9110, section 7.6.2).
  static func endOfWay(_ head: RequestHead, now: Date) -> Answer {
    guard head.method == "OPTIONS" else {
      return Answer(RequestFault(405, "The request may not be passed on, and is not answered here."), now: now)
    }
    var answer = Answer(status: 200, message: "", now: now)
    answer.headers["Content-Type"] = nil
    answer.body = .data(Data())
    return answer
  }

  /// What comes in place of a response that could not be had.
  init(_ failure: HTTPError, now: Date) {
    let isMiss = failure.code == .cacheMiss
    let isBusy = failure.underlying is OriginTransport.Busy
    self.init(
      status: isBusy ? 503 : isMiss || failure.code == .timedOut ? 504 : 502,
      message: "\(failure.code.rawValue): \(failure.message)", now: now)
    // What `only-if-cached` excluded was not forwarded (RFC 9211, section 2.2).
    let status = "Vignette; \(isMiss ? "" : "fwd=miss; ")detail=\(failure.code.rawValue)"
    cacheStatus = status
    headers["Cache-Status"] = status
    if let type = isBusy ? .connectionLimit : ProxyErrorType(failure.code) {
      headers["Proxy-Status"] = "Vignette; error=\(type.rawValue)"
    }
  }
}

extension HTTPHeaders {
  /// Adds an element at the end of a list (RFC 9110, section 5.6.1).
  fileprivate mutating func add(_ element: String, to name: String) {
    self[name] = (self[name].map { $0 + ", " } ?? "") + element
  }
}

/// The error types of RFC 9209, section 2.3, as far as they are known here.
enum ProxyErrorType: String {
  case dns = "dns_error"
  case refused = "connection_refused"
  case terminated = "connection_terminated"
  case timedOut = "http_response_timeout"
  case tls = "tls_protocol_error"
  case incomplete = "http_response_incomplete"
  case tooLarge = "http_response_body_size"
  case protocolError = "http_protocol_error"
  case unavailable = "destination_unavailable"
  case connectionLimit = "connection_limit_reached"

  init?(_ code: HTTPError.Code) {
    switch code {
    case .hostNotFound: self = .dns
    case .refused: self = .refused
    case .reset: self = .terminated
    case .timedOut: self = .timedOut
    case .tls: self = .tls
    case .truncatedBody: self = .incomplete
    case .bodyTooLarge: self = .tooLarge
    case .protocolError: self = .protocolError
    case .offline, .unavailable: self = .unavailable
    default: return nil
    }
  }
}
