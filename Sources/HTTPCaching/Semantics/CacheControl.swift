/// The Cache-Control directives a private cache acts on (RFC 9111, section 5.2, RFC 5861 and RFC 8246), of a request or
/// a response.
///
/// Malformed and repeated directives are read the careful way: what limits reuse most wins, and an age that cannot be
/// read is 0 (RFC 9111, section 4.2.1). Directives for shared caches (`s-maxage`, `proxy-revalidate`, `private`) change
/// nothing here.
struct CacheControl: Equatable, Sendable {
  var noStore = false
  /// Without field names: nothing may be reused without asking.
  var noCache = false
  /// With field names: these fields may not be reused without asking (section 5.2.2.4).
  var noCacheFields: [String] = []
  var mustRevalidate = false
  var mustUnderstand = false
  var isPublic = false
  var immutable = false
  var onlyIfCached = false
  /// Seconds, as all that follow.
  var maxAge: Int?
  var minFresh: Int?
  /// `DeltaSeconds.maximum` where any age will do.
  var maxStale: Int?
  var staleWhileRevalidate: Int?
  var staleIfError: Int?

  init(_ headers: HTTPHeaders) {
    guard let value = headers["Cache-Control"] else { return }
    for directive in HTTPList.elements(of: value) { apply(directive) }
  }

  private mutating func apply(_ directive: Substring) {
    let pair = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = pair.first?.trimmed.lowercased() else { return }
    let argument = pair.count > 1 ? HTTPList.unquoted(pair[1].trimmed) : nil
    switch name {
    case "no-store": noStore = true
    case "no-cache": applyNoCache(argument)
    case "must-revalidate": mustRevalidate = true
    case "must-understand": mustUnderstand = true
    case "public": isPublic = true
    case "immutable": immutable = true
    case "only-if-cached": onlyIfCached = true
    case "max-age": maxAge = min(maxAge ?? .max, DeltaSeconds.parse(argument) ?? 0)
    case "min-fresh": minFresh = max(minFresh ?? 0, DeltaSeconds.parse(argument) ?? DeltaSeconds.maximum)
    case "max-stale":
      let limit = argument == nil ? DeltaSeconds.maximum : DeltaSeconds.parse(argument) ?? 0
      maxStale = min(maxStale ?? .max, limit)
    case "stale-while-revalidate":
      staleWhileRevalidate = min(staleWhileRevalidate ?? .max, DeltaSeconds.parse(argument) ?? 0)
    case "stale-if-error": staleIfError = min(staleIfError ?? .max, DeltaSeconds.parse(argument) ?? 0)
    default: break
    }
  }

  private mutating func applyNoCache(_ argument: String?) {
    let fields = argument.map { HTTPList.elements(of: $0).map { String($0) } } ?? []
    if fields.isEmpty { noCache = true } else { noCacheFields += fields }
  }
}

/// RFC 9111, section 1.2.2.
enum DeltaSeconds {
  /// What a recipient takes a larger number for.
  static let maximum = 1 << 31

  /// - Returns: whole seconds, at most 2^31; `nil` where it is not a number.
  static func parse(_ text: (some StringProtocol)?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int(text) ?? maximum, maximum)
  }
}

/// Comma-separated values (RFC 9110, section 5.6.1), with quoted strings in them (section 5.6.4).
enum HTTPList {
  /// The elements without surrounding white space; empty ones are left out. Linear in the text's length.
  static func elements(of value: String) -> [Substring] {
    var parts: [Substring] = []
    var start = value.utf8.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in value.utf8.indices {
      let byte = value.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        parts.append(value[start..<index].trimmed)
        start = value.utf8.index(after: index)
      }
    }
    parts.append(value[start...].trimmed)
    return parts.filter { !$0.isEmpty }
  }

  /// The text of a quoted string, or the token as it is.
  static func unquoted(_ text: Substring) -> String {
    guard text.utf8.first == UInt8(ascii: "\"") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped || (character != "\\" && character != "\"") {
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        break
      }
    }
    return result
  }
}

extension Substring {
  /// Without the optional white space of RFC 9110, section 5.6.3.
  var trimmed: Substring {
    var bytes = utf8[...]
    while let first = bytes.first, first == 32 || first == 9 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 32 || last == 9 { bytes = bytes.dropLast() }
    return Substring(bytes)
  }
}
