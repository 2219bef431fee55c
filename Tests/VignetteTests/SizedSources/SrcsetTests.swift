import Foundation
import Pixels
import Testing

@testable import Vignette

/// The parsing algorithm of HTML; each expectation follows from its steps.
@Suite("srcset")
struct SrcsetTests {
  typealias Candidate = SrcsetParser.Candidate

  private static func w(_ address: String, _ width: Int) -> Candidate {
    Candidate(address: address, descriptor: .width(width))
  }

  private static func x(_ address: String, _ density: Double = 1) -> Candidate {
    Candidate(address: address, descriptor: .density(density))
  }

  @Test(
    "candidates are split at commas with white space around, and commas in addresses stay",
    arguments: [
      ("small.jpg 320w, big.jpg 1280w", [w("small.jpg", 320), w("big.jpg", 1_280)]),
      ("a", [x("a")]), ("a,", [x("a")]), ("a,,,", [x("a")]), (" \t\n\u{C}\ra\n 2x\t, b 3x ", [x("a", 2), x("b", 3)]),
      ("", []), (" , ,, ", []), (",a", [x("a")]), (",,,a 1x", [x("a")]),
      ("a, b", [x("a"), x("b")]), ("a,b", [x("a,b")]), ("a 1x,b 2x", [x("a"), x("b", 2)]),
      ("a ,b", [x("a"), x("b")]), ("a , b 2x", [x("a"), x("b", 2)]),
      ("/rs:1,2/a.jpg 2x", [x("/rs:1,2/a.jpg", 2)]), ("data:,a ( , data:,b 1x, ), data:,c", [x("data:,c")]),
      ("a\u{B}b 2x", [x("a\u{B}b", 2)]), ("ä.jpg 2x", [x("ä.jpg", 2)]),
    ])
  func splitting(_ text: String, _ expected: [Candidate]) {
    #expect(SrcsetParser.parse(text) == expected)
  }

  @Test(
    "descriptors that are valid",
    arguments: [
      ("1w", w("a", 1)), ("007w", w("a", 7)), ("100w 50h", w("a", 100)), ("50h 100w", w("a", 100)),
      ("99999999999999999999999w", w("a", Int(Int32.max))),
      ("0x", x("a", 0)), ("-0x", x("a", 0)), ("1.5x", x("a", 1.5)), (".5x", x("a", 0.5)), ("1e1x", x("a", 10)),
      ("1E+1x", x("a", 10)), ("10e-1x", x("a")), ("0.0x", x("a", 0)),
    ])
  func valid(_ descriptors: String, _ expected: Candidate) {
    #expect(SrcsetParser.parse("a \(descriptors)") == [expected])
  }

  @Test(
    "a candidate with a descriptor that is not valid is dropped, and the next is kept",
    arguments: [
      "0w", "-1w", "1.5w", "+1w", "w", "1W", "1 w", "x", "-1x", "+1x", "1.x", "1X", "0x10x", "1ex", "1e+x", ".x", "-x",
      "NaNx", "Infinityx", "infx", "1e999x", "50h", "0h 1w", "1w 0h", "1h 1h 1w", "1w 1w", "1x 1x", "1w 1x", "1x 1w",
      "1x 1h", "1h 1x", "1w junk", "junk", "1w (1w)", "(a, b)", "( 1w )", "١w", "1ｗ",
    ])
  func invalid(_ descriptors: String) {
    #expect(SrcsetParser.parse("a \(descriptors), b 2x") == [Self.x("b", 2)])
  }

  @Test("parentheses that are never closed take the rest with them")
  func unclosed() {
    #expect(SrcsetParser.parse("a 1x, b (2x, c 3x") == [Self.x("a")])
  }

  @Test("only the first 256 candidates count")
  func bounded() {
    let text = (1...10_000).map { "a\($0) \($0)w" }.joined(separator: ",")
    let found = SrcsetParser.parse(text)
    #expect(found.count == 256)
    #expect(found.last == Self.w("a256", 256))
  }

  /// A parser that looks back from each piece would take minutes.
  @Test(
    "a long text of anything ends at once", .timeLimit(.minutes(5)),
    arguments: [
      ",", " ", "a", "a,", "a ", "(", "a (", "1w ", "a 1w", "a junk,", "a 1w 1w,",
    ])
  func large(_ piece: String) {
    let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
    #expect(SrcsetParser.parse(text).count <= 256)
    #expect(SrcsetParser.parse("a " + text).count <= 256)
  }

  @Test("no text of its alphabet crashes the parser, and every candidate is within the text")
  func random() {
    var random = SeededRandom()
    let alphabet = Array("a,,  ()0123.-+eEwxh\t\né/")
    for _ in 0..<3_000 {
      let text = String(
        (0..<Int.random(in: 0...24, using: &random)).compactMap { _ in
          alphabet.randomElement(using: &random)
        })
      for candidate in SrcsetParser.parse(text) {
        #expect(text.contains(candidate.address), "seed \(random.seed): \(text)")
        #expect(!candidate.address.isEmpty && !candidate.address.hasSuffix(","), "seed \(random.seed): \(text)")
      }
    }
  }
}
