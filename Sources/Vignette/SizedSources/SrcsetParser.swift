import Foundation

/// Reads the `srcset` attribute of HTML (WHATWG HTML, “Parsing a srcset attribute”) in one pass over its bytes.
///
/// Invariants: time is linear in the text; at most `maximumCandidates` come out; a candidate with a descriptor that is
/// not valid is dropped and the others stay. Whether an address is one is not decided here.
struct SrcsetParser {
  struct Candidate: Hashable, Sendable {
    var address: String
    var descriptor: ImageCandidate.Descriptor
  }

  /// More than any page has; the rest of the text is not read.
  static let maximumCandidates = 256

  private let bytes: [UInt8]
  private var position = 0

  static func parse(_ text: String) -> [Candidate] {
    var parser = SrcsetParser(bytes: Array(text.utf8))
    return parser.candidates()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func candidates() -> [Candidate] {
    var found: [Candidate] = []
    while found.count < Self.maximumCandidates {
      skip { Self.isWhitespace($0) || $0 == Self.comma }
      guard position < bytes.count else { break }
      let start = position
      skip { !Self.isWhitespace($0) }
      var end = position
      while bytes[end - 1] == Self.comma { end -= 1 }
      // A comma right after the address ends the candidate, which then has no descriptors.
      var descriptors = DescriptorReader()
      if end == position { readDescriptors(into: &descriptors) }
      guard let descriptor = descriptors.result else { continue }
      found.append(Candidate(address: String(decoding: bytes[start..<end], as: UTF8.self), descriptor: descriptor))
    }
    return found
  }

  /// Up to the comma outside parentheses that ends the candidate, or the end of the text.
  private mutating func readDescriptors(into reader: inout DescriptorReader) {
    var start = position
    var isInParentheses = false
    while position < bytes.count {
      let byte = bytes[position]
      if isInParentheses {
        isInParentheses = byte != UInt8(ascii: ")")
      } else if byte == UInt8(ascii: "(") {
        isInParentheses = true
      } else if byte == Self.comma || Self.isWhitespace(byte) {
        reader.read(bytes[start..<position])
        start = position + 1
      }
      position += 1
      if byte == Self.comma, !isInParentheses { return }
    }
    reader.read(bytes[start..<position])
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private static let comma = UInt8(ascii: ",")

  /// ASCII whitespace as HTML has it: no vertical tabulator.
  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }
}

/// The descriptors of one candidate, one after the other.
private struct DescriptorReader {
  private var width: Int?
  private var density: Double?
  private var height: Int?
  private var isInvalid = false

  /// `nil` where the candidate is to be dropped. A height alone is an error; beside a width it says nothing here.
  var result: ImageCandidate.Descriptor? {
    guard !isInvalid, height == nil || width != nil else { return nil }
    if let width { return .width(width) }
    return .density(density ?? 1)
  }

  mutating func read(_ bytes: ArraySlice<UInt8>) {
    guard let unit = bytes.last, !isInvalid else { return }
    let number = bytes.dropLast()
    switch unit {
    case UInt8(ascii: "w") where width == nil && density == nil:
      width = Self.positive(number)
      isInvalid = width == nil
    case UInt8(ascii: "h") where height == nil && density == nil:
      height = Self.positive(number)
      isInvalid = height == nil
    case UInt8(ascii: "x") where width == nil && density == nil && height == nil:
      density = Self.float(number)
      isInvalid = density == nil
    default:
      isInvalid = true
    }
  }

  private static func positive(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    let value = digits.reduce(0) { sum, digit in min(sum * 10 + Int(digit - UInt8(ascii: "0")), Int(Int32.max)) }
    return value > 0 ? value : nil
  }

  /// A valid floating-point number of HTML that is finite and not negative: `-0` is, `+1`, `1.` and `0x10` are not.
  private static func float(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    } else if whole.isEmpty {
      return nil
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard !rest.isEmpty else { return nil }
      rest = rest.drop(while: isDigit)
    }
    guard rest.isEmpty, let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
    return value.isFinite && value >= 0 ? value : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
