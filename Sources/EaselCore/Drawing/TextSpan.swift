/// A stretch of text with one look.
struct TextSpan: Equatable {
  var string: String
  var font: ResolvedFont
  var color: RGBA?
  var isUnderlined = false
  var isStruckThrough = false
  var kerning: CGFloat = 0
}

extension [TextSpan] {
  /// Bytes of text set at most, some ten pages: setting lines takes more than twice as long for twice the text.
  static var longestText: Int { 32 << 10 }

  /// What can be seen at most of a text with so many lines, which are no fewer than its paragraphs. An ellipsis stands
  /// for what is left out.
  func shortened(toParagraphs limit: Int?) -> [TextSpan] {
    var room = TextRoom(bytes: Self.longestText, paragraphs: limit.map { Swift.max(1, $0) } ?? .max)
    var result: [TextSpan] = []
    for span in self {
      let count = room.take(from: span.string.utf8)
      guard count < span.string.utf8.count else {
        result.append(span)
        continue
      }
      var last = span
      let end = span.string.utf8.index(span.string.startIndex, offsetBy: count)
      last.string = span.string[..<end] + "…"
      return result + [last]
    }
    return result
  }
}

/// What may still be taken of a text.
private struct TextRoom {
  var bytes: Int
  /// The one that is being taken included.
  var paragraphs: Int

  /// - Returns: how many bytes have room.
  mutating func take(from text: String.UTF8View) -> Int {
    var count = 0
    for byte in text {
      if byte == UInt8(ascii: "\n") { paragraphs -= 1 }
      guard bytes > 0, paragraphs > 0 else { return count }
      bytes -= 1
      count += 1
    }
    return count
  }
}

extension String {
  /// Whether Pango starts a line anew somewhere.
  var hasSeveralParagraphs: Bool {
    unicodeScalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\u{2029}" }
  }
}
