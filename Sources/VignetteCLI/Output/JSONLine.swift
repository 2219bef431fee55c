/// A JSON object on one line whose keys keep the order they are added in (RFC 8259). `nil` becomes `null`.
struct JSONLine {
  private var members: [String] = []

  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func add(_ key: String, _ value: String?) { add(key, raw: value.map(Self.quoted)) }
  mutating func add(_ key: String, _ value: Int?) { add(key, raw: value.map(String.init)) }
  mutating func add(_ key: String, _ value: Bool?) { add(key, raw: value.map { $0 ? "true" : "false" }) }
  mutating func add(_ key: String, _ value: JSONLine?) { add(key, raw: value?.text) }

  /// Rounded to a tenth.
  mutating func add(tenths key: String, _ value: Double) { add(key, raw: "\((value * 10).rounded() / 10)") }

  private mutating func add(_ key: String, raw: String?) { members.append(Self.quoted(key) + ":" + (raw ?? "null")) }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isControl(scalar): result += escaped(scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escaped(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
