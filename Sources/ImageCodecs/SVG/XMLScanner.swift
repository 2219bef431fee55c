/// Reads an XML document as far as the start tag of its root element (XML 1.0, sections 2.8 and 3.1).
///
/// Lenient in what does not matter here, since a real parser follows; it never looks at a byte twice, so that it takes
/// no longer than the bytes are many.
struct XMLScanner {
  enum Root {
    /// Its attributes by name, without namespaces, character references as they stand.
    case found([String: String])
    /// The bytes end before the start tag does; with whether its name, or that of the document type, is there.
    case incomplete(isNamed: Bool)
    /// Another element, or no XML.
    case none
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var isNamed = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func rootElement(named name: String) -> Root {
    do {
      return try readRoot(named: name).map { .found($0) } ?? .none
    } catch {
      return .incomplete(isNamed: isNamed)
    }
  }

  private struct EndOfBytes: Error {}

  private mutating func readRoot(named name: String) throws(EndOfBytes) -> [String: String]? {
    // The mark of UTF-8; other encodings than those that ASCII is a part of are not recognised.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      guard try skipSpaces() == UInt8(ascii: "<") else { return nil }
      if try isNext("<?") {
        try skip(behind: "?>")
      } else if try isNext("<!--") {
        try skip(behind: "-->")
      } else if try isNext("<!DOCTYPE") {
        guard try skipDocumentType(of: name) else { return nil }
      } else {
        return try startTag(named: name)
      }
    }
  }

  /// Up to the `>` that is neither quoted nor within the brackets of the internal subset.
  /// - Returns: whether it is about a root of that name.
  private mutating func skipDocumentType(of name: String) throws(EndOfBytes) -> Bool {
    try skip(behind: "<!DOCTYPE")
    _ = try skipSpaces()
    guard try token().map(Self.localName) == name[...] else { return false }
    isNamed = true
    var depth = 0
    while true {
      if try isNext("<!--") { try skip(behind: "-->") }
      switch try next() {
      case UInt8(ascii: "\""): try skip(behind: "\"")
      case UInt8(ascii: "'"): try skip(behind: "'")
      case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"):
        if depth == 0 { return true }
        depth -= 1
      default: break
      }
    }
  }

  private mutating func startTag(named name: String) throws(EndOfBytes) -> [String: String]? {
    try skip(behind: "<")
    guard try token().map(Self.localName) == name[...] else { return nil }
    isNamed = true
    var attributes: [String: String] = [:]
    while true {
      let byte = try skipSpaces()
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return attributes }
      guard let key = try token(), try skipSpaces() == UInt8(ascii: "=") else { return nil }
      try skip(behind: "=")
      let quote = try skipSpaces()
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      position += 1
      let start = position
      try skip(behind: quote == UInt8(ascii: "'") ? "'" : "\"")
      attributes[key] = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }
  }

  private static func localName(_ name: String) -> Substring {
    name.firstIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
  }

  // MARK: Bytes

  private mutating func next() throws(EndOfBytes) -> UInt8 {
    guard position < bytes.count else { throw EndOfBytes() }
    defer { position += 1 }
    return bytes[position]
  }

  /// Moves to what is no space.
  /// - Returns: what that is.
  private mutating func skipSpaces() throws(EndOfBytes) -> UInt8 {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { throw EndOfBytes() }
    return bytes[position]
  }

  /// A name: everything up to a space or a sign that has a meaning; `nil` where there is nothing.
  private mutating func token() throws(EndOfBytes) -> String? {
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]), !"=/><\"'[".utf8.contains(bytes[position]) {
      position += 1
    }
    guard position < bytes.count else { throw EndOfBytes() }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private mutating func skip(behind text: StaticString) throws(EndOfBytes) {
    while try !isNext(text) { position += 1 }
    position += text.utf8CodeUnitCount
  }

  /// Whether the next bytes are the characters of `text`. Throws where they end within it.
  private func isNext(_ text: StaticString) throws(EndOfBytes) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount {
      guard position + offset < bytes.count else { throw EndOfBytes() }
      guard bytes[position + offset] == text.utf8Start[offset] else { return false }
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
