/// Gathers the lines of response heads: status line, fields, empty line. Bounded in bytes over the whole exchange, so
/// that neither endless fields, nor a flood of 1xx heads, nor endless trailers grow memory.
struct ResponseHeadParser {
  struct Head {
    var status: Int
    var headers: HTTPHeaders
  }

  enum Outcome {
    case more
    case head(Head)
    case tooLong
    case tooManyInterim
    case malformed
  }

  /// Bytes of head lines accepted in one exchange.
  static let maximumBytes = 256 << 10
  /// Interim heads accepted in one exchange: each has whoever waits go on waiting.
  static let maximumInterim = 32

  private var bytes = 0
  private var interim = 0
  private var status: Int?
  private var fields: [HTTPHeaders.Field] = []

  /// Takes one line with its line break.
  mutating func consume(_ line: UnsafeRawBufferPointer) -> Outcome {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { return .tooLong }
    let text = line.trimmed
    if text.isEmpty { return finish() }
    if status == nil { return begin(text) }
    if line.first == 32 || line.first == 9 { return fold(text) }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return .more }
    fields.append(HTTPHeaders.Field(name: text[..<colon].string, value: text[(colon + 1)...].trimmed.string))
    return .more
  }

  private mutating func begin(_ text: Slice<UnsafeRawBufferPointer>) -> Outcome {
    guard let space = text.firstIndex(of: 32), let code = Int(text[(space + 1)...].prefix(3).string),
      (100...999).contains(code)
    else { return .malformed }
    status = code
    return .more
  }

  private mutating func finish() -> Outcome {
    guard let status else { return .more }
    defer {
      self.status = nil
      fields = []
    }
    if status < 200 { interim += 1 }
    guard interim <= Self.maximumInterim else { return .tooManyInterim }
    return .head(Head(status: status, headers: HTTPHeaders(fields)))
  }

  /// A line that begins with white space continues the one before (RFC 9112, section 5.2).
  private mutating func fold(_ text: Slice<UnsafeRawBufferPointer>) -> Outcome {
    guard let last = fields.indices.last else { return .malformed }
    fields[last].value += " " + text.string
    return .more
  }
}

extension ResponseHeadParser.Head {
  enum Length: Equatable {
    case unknown
    case bytes(Int)
    /// Differing or unreadable values: the end of the body cannot be trusted (RFC 9112, section 6.3).
    case conflicting
  }

  /// What Content-Length says, Transfer-Encoding going before it.
  var announcedLength: Length {
    guard headers["Transfer-Encoding"] == nil, let value = headers["Content-Length"] else { return .unknown }
    var length: Int?
    for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = Substring(part).trimmed
      guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits),
        length == nil || length == number
      else { return .conflicting }
      length = number
    }
    return length.map { .bytes($0) } ?? .unknown
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var string: String { String(decoding: self, as: UTF8.self) }

  fileprivate var trimmed: Slice<UnsafeRawBufferPointer> {
    var slice = self
    while let first = slice.first, first.isBlank { slice = slice.dropFirst() }
    while let last = slice.last, last.isBlank { slice = slice.dropLast() }
    return slice
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var trimmed: Slice<UnsafeRawBufferPointer> { self[...].trimmed }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 32 || self == 9 || self == 13 || self == 10 }
}
