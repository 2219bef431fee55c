/// A command line that makes no sense: what is wrong with it, in a sentence.
struct UsageError: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// One option of a command, declared once: its name, how it is described, and what it does to `Options`.
struct OptionDeclaration<Options>: Sendable {
  enum Effect: Sendable {
    case flag(@Sendable (inout Options) -> Void)
    /// `placeholder` stands for the value in the help.
    case value(placeholder: String, @Sendable (inout Options, String) throws -> Void)
  }

  var name: String
  var effect: Effect
  var help: String

  static func flag(_ name: String, _ help: String, _ apply: @escaping @Sendable (inout Options) -> Void) -> Self {
    Self(name: name, effect: .flag(apply), help: help)
  }

  static func value(
    _ name: String, _ placeholder: String, _ help: String,
    _ apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) -> Self {
    Self(name: name, effect: .value(placeholder: placeholder, apply), help: help)
  }

  /// As it is written: `--size WxH`.
  var synopsis: String {
    switch effect {
    case .flag: "--\(name)"
    case .value(let placeholder, _): "--\(name) \(placeholder)"
    }
  }
}

/// Reads arguments by the options a command declares: `--name value` or `--name=value`, operands anywhere, all operands
/// after `--`. Pure; throws `UsageError` for the first fault it meets.
struct OptionParser<Options>: Sendable {
  var options: [OptionDeclaration<Options>]

  func parse(_ arguments: [String], into result: inout Options) throws -> [String] {
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      if argument.hasPrefix("-") && argument != "-" {
        try apply(argument, &rest, into: &result)
      } else {
        operands.append(argument)
      }
    }
    return operands
  }

  private func apply(_ argument: String, _ rest: inout ArraySlice<String>, into result: inout Options) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let inlineValue = parts.count == 2 ? parts[1] : nil
    let name = parts[0] == "-h" ? "--help" : parts[0]
    guard let option = options.first(where: { "--\($0.name)" == name }) else {
      throw UsageError("There is no option \(printable(parts[0])).")
    }
    switch option.effect {
    case .flag(let apply):
      guard inlineValue == nil else { throw UsageError("--\(option.name) takes no value.") }
      apply(&result)
    case .value(let placeholder, let apply):
      guard let value = inlineValue ?? rest.popFirst() else {
        throw UsageError("--\(option.name) needs a value: \(option.synopsis).")
      }
      do {
        try apply(&result, value)
      } catch let error as UsageError {
        throw UsageError("--\(option.name) \(placeholder): \(error.message)")
      }
    }
  }
}

/// Text from outside, safe to print on a terminal: control characters, which could command it, become "?".
func printable(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
}

/// Whether a terminal would obey it, or show what is around it in another order (Unicode Standard Annex 9).
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}
