/// Tokens and lists of them (RFC 9110, section 5.6), which are ASCII alone: `lowercased()` would make a “k” of the Kelvin
/// sign, and a recipient behind this one would not.
extension String {
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self)
  }

  var isToken: Bool { !utf8.isEmpty && utf8.allSatisfy(isTokenByte) }

  /// The elements of a list, in lower case, empty ones too; white space around them is no part of them, any inside is.
  var lowercasedElements: [String] {
    utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { element in
      let start = element.drop(while: isBlank)
      let end = start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
      return String(Substring(start[..<end])).asciiLowercased
    }
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

/// RFC 9110, section 5.6.2.
func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
