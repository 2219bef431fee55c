import Foundation
import FoundationNetworking
import HTTPCaching

/// What the origin is asked for a client's request. Pure.
enum OriginRequest {
  /// - Parameter origin: scheme, host and port.
  /// - Throws: `RequestFault`.
  static func make(_ head: RequestHead, body: Data?, origin: URL) throws(RequestFault) -> URLRequest {
    guard head.method != "CONNECT" else { throw RequestFault(501, "Tunnels are not made here.") }
    guard let path = head.path else {
      throw RequestFault(501, "Targets without a path, such as “*”, are not passed on.")
    }
    let text = base(of: origin) + path
    // `URL` repairs what RFC 3986 does not allow: the origin would be asked for something else than is stored.
    guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
      throw RequestFault(400, "The request's target is not a URI; percent-encode what is no plain sign.")
    }
    var request = URLRequest(url: url)
    request.httpMethod = head.method
    // Methods are case-sensitive (RFC 9110, section 9.1), and `URLRequest` makes “HEAD” of “head”.
    guard request.httpMethod == head.method else {
      throw RequestFault(501, "The method “\(head.method)” is not passed on; the standard ones are in capitals.")
    }
    request.httpBody = body
    request.allHTTPHeaderFields = fields(of: head)
    return request
  }

  private static func base(of origin: URL) -> String {
    let text = origin.absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// A `URLRequest` holds one value for each name and no order. Nothing is lost by it: fields of different names have
  /// no order among them, and a repeated field means the same as its values joined by commas (RFC 9110, section 5.3),
  /// but for Cookie, whose values are joined by semicolons (RFC 6265, section 5.4).
  private static func fields(of head: RequestHead) -> [String: String] {
    var joined: [String: (name: String, value: String)] = [:]
    func add(_ name: String, _ value: String) {
      let key = name.asciiLowercased
      guard let known = joined[key] else { return joined[key] = (name, value) }
      joined[key] = (known.name, known.value + (key == "cookie" ? "; " : ", ") + value)
    }
    for field in HopByHop.removed(from: head.headers) where !isOurs(field.name) { add(field.name, field.value) }
    add("Via", Via.value(minorVersion: head.minorVersion))
    if let left = forwards(of: head) { joined["max-forwards"]?.value = "\(max(left - 1, 0))" }
    return Dictionary(uniqueKeysWithValues: joined.values.map { ($0.name, $0.value) })
  }

  /// Said anew for the connection to the origin, or answered here.
  private static func isOurs(_ name: String) -> Bool {
    ["host", "content-length", "expect"].contains(name.asciiLowercased)
  }

  /// How often a request that follows the way may still be passed on (RFC 9110, section 7.6.2); `nil` for any number.
  static func forwards(of head: RequestHead) -> Int? {
    guard head.method == "OPTIONS" || head.method == "TRACE" else { return nil }
    return head.headers["Max-Forwards"].flatMap { Int($0) }
  }
}

/// The field that tells through whom a message came (RFC 9110, section 7.6.3).
enum Via {
  static func value(minorVersion: Int) -> String { "1.\(minorVersion) vignette" }
}
