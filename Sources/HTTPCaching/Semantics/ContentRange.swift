/// Which bytes of a body a part is, and of how many: `Content-Range: bytes 0-99/1234` (RFC 9110, section 14.4).
struct ContentRange: Equatable, Sendable {
  var bytes: Range<Int>
  /// Length of the whole body in bytes; `nil` where the server does not know it ("*").
  var total: Int?

  /// - Returns: `nil` where the text is no range of bytes, contradicts itself, or says that there is none.
  init?(_ text: String?) {
    guard let text else { return nil }
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = DeltaSeconds.number(ends[0]), let last = DeltaSeconds.number(ends[1]),
      first <= last
    else { return nil }
    bytes = first..<last + 1
    guard sides[1] != "*" else { return }
    guard let total = DeltaSeconds.number(sides[1]), last < total else { return nil }
    self.total = total
  }
}
