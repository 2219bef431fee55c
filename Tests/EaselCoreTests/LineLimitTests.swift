import EaselCore
import Testing

@MainActor @Suite("Line limits")
struct LineLimitTests {
  nonisolated static let texts = [
    "a\nb\nc\nd\ne", "a\r\nb\r\nc\r\nd", "a\u{2029}b\u{2029}c\u{2029}d", "\n\n\n\n\n",
    "one paragraph that is long enough for several lines\nand one more paragraph\nand a third",
    "one paragraph that is long enough for several lines, and then for one or two more",
  ]

  private func height<Content: View>(_ text: Content, width: CGFloat = 100, height: CGFloat = 1_000) -> CGFloat? {
    let host = ViewHost(text.accessibilityLabel("text"), size: CGSize(width: width, height: height))
    _ = host.render()
    return host.element(labeled: "text")?.frame.height
  }

  @Test("the lines of all paragraphs count", arguments: texts, [1, 2, 3])
  func paragraphs(text: String, limit: Int) throws {
    let whole = (1...limit).map { _ in "x" }.joined(separator: "\n")
    #expect(height(Text(verbatim: text).lineLimit(limit).fixedSize()) ?? 0 <= height(Text(verbatim: whole)) ?? 0)
    #expect(height(Text(verbatim: text).lineLimit(limit)) == height(Text(verbatim: whole)))
  }

  @Test("a text takes no more lines than the height it is offered", arguments: texts)
  func offered(text: String) {
    let two = height(Text(verbatim: "x\nx")) ?? 0
    #expect(height(Text(verbatim: text), height: two + 1) == two)
  }

  @Test("a text within its limit is left as it is")
  func within() {
    #expect(height(Text(verbatim: "a\nb").lineLimit(2)) == height(Text(verbatim: "a\nb")))
    #expect(height(Text(verbatim: "a\nb\nc").lineLimit(9)) == height(Text(verbatim: "a\nb\nc")))
  }
}
