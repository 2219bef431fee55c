/// What the process tells its caller.
enum ExitStatus: Int32 {
  case succeeded = 0
  /// Some source failed.
  case failed = 1
  /// The command line makes no sense.
  case usage = 2
}

/// The whole command line: what comes after `vignette`.
enum Command {
  case print(String)
  case load(LoadOptions)
  case hash(LoadOptions)
  case probe(LoadOptions)
  case cache(CacheOptions)
  case proxy(ProxyOptions)
  case bench(BenchOptions)

  /// What there is to say, in the order of the help.
  private static let names =
    ["load", "convert", "hash", "probe", "cache"] + (ProxyCommand.isAvailable ? ["proxy"] : []) + ["bench"]

  /// Does what the arguments say and tells of every fault.
  static func main(_ arguments: [String]) async -> ExitStatus {
    var terminal = Terminal()
    do {
      return try await Command(arguments).run(&terminal)
    } catch let error as UsageError {
      terminal.printError("vignette: \(error.message)\n\(hint(arguments))")
      return .usage
    } catch {
      if let reason = (error as? Terminal.Closed)?.reason { terminal.printError("vignette: \(reason)") }
      return .failed
    }
  }

  /// - Throws: `UsageError`.
  init(_ arguments: [String]) throws {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "load":
      let options = try LoadOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.load) : .load(options)
    case "convert":
      let options = try ConvertOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.convert) : .load(options)
    case "hash":
      let options = try HashOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.hash) : .hash(options)
    case "probe":
      let options = try ProbeOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.probe) : .probe(options)
    case "cache":
      let options = try CacheOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.cache) : .cache(options)
    case "proxy" where ProxyCommand.isAvailable:
      let options = try ProxyOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.proxy) : .proxy(options)
    case "bench":
      let options = try BenchOptions.parse(rest)
      self = options.wantsHelp ? .print(Help.bench) : .bench(options)
    case "--help", "-h", "help": self = .print(Help.general)
    case "--version": self = .print(Help.version + "\n")
    case nil: throw UsageError("There is nothing to do; say \(Self.choice).")
    case let other?: throw UsageError("There is no command “\(printable(other))”; say \(Self.choice).")
    }
  }

  private static var choice: String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// - Throws: `UsageError`, or `Terminal.Closed`.
  private func run(_ terminal: inout Terminal) async throws -> ExitStatus {
    switch self {
    case .print(let text):
      try terminal.print(String(text.dropLast()))
      return .succeeded
    case .load(let options): return try await LoadCommand(options).run(&terminal) ? .succeeded : .failed
    case .hash(let options): return try await HashCommand(options: options).run(&terminal) ? .succeeded : .failed
    case .cache(let options): return try await CacheCommand(options).run(&terminal) ? .succeeded : .failed
    case .proxy(let options): return try await ProxyCommand(options).run(&terminal) ? .succeeded : .failed
    case .bench(let options): return try await BenchCommand(options).run(&terminal) ? .succeeded : .failed
    case .probe(let options): return try await ProbeCommand(options: options).run(&terminal) ? .succeeded : .failed
    }
  }

  /// Where to read more after a wrong command line.
  private static func hint(_ arguments: [String]) -> String {
    guard let name = arguments.first, names.contains(name) else { return "See vignette --help." }
    return "See vignette \(name) --help."
  }
}
