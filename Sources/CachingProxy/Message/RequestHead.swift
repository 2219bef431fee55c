import HTTPCaching

/// What comes before a request's body (RFC 9112), read strictly: whatever two recipients could read differently is
/// refused, so that nobody smuggles a request past one of them.
struct RequestHead: Equatable, Sendable {
  /// How the body's end is found (RFC 9112, section 6.3).
  enum Framing: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
  }

  var method: String
  /// As it came.
  var target: String
  /// The minor version of HTTP/1: 0, or 1 for it and all above.
  var minorVersion: Int
  var headers: HTTPHeaders
  var framing: Framing
}

extension RequestHead {
  /// - Parameter bytes: the lines up to and without the empty one, with their line breaks.
  /// - Throws: `RequestFault`.
  init(_ bytes: ArraySlice<UInt8>) throws(RequestFault) {
    var lines = try Self.lines(bytes)[...]
    guard let first = lines.popFirst() else { throw RequestFault(400, "The request is empty.") }
    (method, target, minorVersion) = try Self.requestLine(first)
    var fields: [HTTPHeaders.Field] = []
    guard lines.count <= HTTPHeaders.mostFields else {
      throw RequestFault(431, "The request has more than \(HTTPHeaders.mostFields) header fields.")
    }
    for line in lines { fields.append(try Self.field(line)) }
    headers = HTTPHeaders(fields)
    framing = try Self.framing(headers, minorVersion)
    try checkHost()
  }

  // MARK: Lines

  /// A line ends with CR LF; each alone is refused (RFC 9112, section 2.2).
  private static func lines(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      guard bytes[index] == CR || bytes[index] == LF else {
        index += 1
        continue
      }
      guard bytes[index] == CR, index + 1 < bytes.endIndex, bytes[index + 1] == LF else {
        throw RequestFault(400, "A line does not end with CR LF.")
      }
      lines.append(bytes[start..<index])
      index += 2
      start = index
    }
    return lines
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(RequestFault) -> (String, String, Int) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isTokenByte) else {
      throw RequestFault(400, "The request line is not a method, a target and a version.")
    }
    guard !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw RequestFault(400, "The request's target is not a URI; percent-encode what is no plain sign.")
    }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version.utf8.count == 8, version.hasPrefix("HTTP/"), version.utf8.dropFirst(6).first == UInt8(ascii: "."),
      let minor = version.last?.wholeNumberValue,
      version.utf8.dropFirst(5).first.map({ (48...57).contains($0) }) == true
    else { throw RequestFault(400, "The request line does not end with a version of HTTP.") }
    guard version.hasPrefix("HTTP/1.") else { throw RequestFault(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.") }
    return (string(words[0]), string(words[1]), min(minor, 1))
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(RequestFault) -> HTTPHeaders.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte)
    else {
      // White space before the colon and folded lines too (RFC 9112, sections 5.1 and 5.2).
      throw RequestFault(400, "A header line is not a name, a colon and a value.")
    }
    let value = trimmed(line[(colon + 1)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw RequestFault(400, "A header value contains a control character.")
    }
    guard let text = String(validating: value, as: UTF8.self) else {
      // It could not be passed on as it is.
      throw RequestFault(400, "A header value is not UTF-8.")
    }
    return HTTPHeaders.Field(name: string(line[..<colon]), value: text)
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
    while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
    return bytes
  }

  // MARK: Rules

  /// RFC 9112, section 6.3, without its leniencies.
  private static func framing(_ headers: HTTPHeaders, _ minorVersion: Int) throws(RequestFault) -> Framing {
    let codings = headers.values(of: "Transfer-Encoding")
    let lengths = headers.values(of: "Content-Length")
    guard !codings.isEmpty else {
      guard let text = lengths.first else { return .none }
      guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
        throw RequestFault(400, "Content-Length is not one number.")
      }
      return .length(Int(text) ?? .max)
    }
    guard lengths.isEmpty else { throw RequestFault(400, "There are both Content-Length and Transfer-Encoding.") }
    guard minorVersion == 1 else { throw RequestFault(400, "HTTP/1.0 has no Transfer-Encoding.") }
    let names = codings.joined(separator: ",").lowercasedElements
    guard names.last == "chunked", names.dropLast().allSatisfy({ $0 != "chunked" && $0.isToken }) else {
      throw RequestFault(400, "Transfer-Encoding does not end with chunked.")
    }
    guard names.count == 1 else { throw RequestFault(501, "Transfer codings other than chunked are not undone here.") }
    return .chunked
  }

  /// RFC 9112, section 3.2.
  private func checkHost() throws(RequestFault) {
    let hosts = headers.values(of: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && minorVersion == 0) else {
      throw RequestFault(400, "There is not one Host.")
    }
    guard hosts.allSatisfy({ !$0.utf8.contains { $0 <= 0x20 || "/@?#\\,".utf8.contains($0) } }) else {
      throw RequestFault(400, "The Host is not a host.")
    }
  }

  // MARK: What follows

  /// Whether the connection may serve another request (RFC 9112, section 9.3).
  var keepsAlive: Bool {
    let options = headers["Connection"]?.lowercasedElements ?? []
    if options.contains("close") { return false }
    return minorVersion == 1 || options.contains("keep-alive")
  }

  /// Whether the client waits to hear that the body is wanted (RFC 9110, section 10.1.1).
  var awaitsContinue: Bool {
    minorVersion == 1 && framing != .none && headers["Expect"]?.asciiLowercased == "100-continue"
  }

  /// The path with its query, as it came; `nil` for the forms that have none (`*` and `host:port`).
  var path: String? {
    if target.hasPrefix("/") { return target }
    // The absolute form: the host it names is this server (RFC 9112, section 3.2.2).
    guard let end = target.range(of: "://"), !target[..<end.lowerBound].contains("/") else { return nil }
    let rest = target[end.upperBound...]
    guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
    return rest[start] == "/" ? String(rest[start...]) : "/" + rest[start...]
  }
}

private let CR = UInt8(ascii: "\r")
private let LF = UInt8(ascii: "\n")
