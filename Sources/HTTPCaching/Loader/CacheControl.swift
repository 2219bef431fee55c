/// The Cache-Control directives a private cache acts on (RFC 9111, section 5.2), of a request or a response.
///
/// Malformed and repeated directives are read the careful way: the shorter life wins, and an age that cannot be read
/// is 0 (section 4.2.1).
struct CacheControl: Equatable {
  var noStore = false
  /// With or without field names: the qualified form is treated as the plain one, which section 5.2.2.4 allows.
  var noCache = false
  var mustRevalidate = false
  /// Seconds.
  var maxAge: Int?

  init(_ headers: HTTPHeaders) {
    for directive in Self.directives(headers["Cache-Control"] ?? "") { apply(directive.name, directive.argument) }
  }

  private mutating func apply(_ name: Substring, _ argument: String?) {
    switch name.lowercased() {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "max-age": maxAge = min(maxAge ?? .max, DeltaSeconds.parse(argument) ?? 0)
    default: break
    }
  }

  /// Splits at commas that are not within quotes.
  private static func directives(_ value: String) -> [(name: Substring, argument: String?)] {
    var parts: [Substring] = []
    var start = value.startIndex
    var isQuoted = false
    for index in value.indices {
      if value[index] == "\"" { isQuoted.toggle() }
      guard value[index] == ",", !isQuoted else { continue }
      parts.append(value[start..<index])
      start = value.index(after: index)
    }
    parts.append(value[start...])
    return parts.map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let argument = pair.count > 1 ? pair[1].trimmed.filter { $0 != "\"" } : nil
      return (pair.first.map { $0.trimmed } ?? "", argument)
    }
  }
}

/// RFC 9111, section 1.2.2.
enum DeltaSeconds {
  /// - Returns: whole seconds, at most 2^31; `nil` where it is not a number.
  static func parse(_ text: (some StringProtocol)?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int(text) ?? 1 << 31, 1 << 31)
  }
}

extension Substring {
  /// Without the optional white space of RFC 9110, section 5.6.3.
  var trimmed: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return text
  }
}
