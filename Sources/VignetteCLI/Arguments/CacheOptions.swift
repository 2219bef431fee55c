/// What `vignette cache` was asked to do.
struct CacheOptions {
  enum Action: String, CaseIterable {
    case list, info, verify, trim, clear
  }

  var action = Action.info
  var directory = ""
  /// Bytes to leave at most.
  var bytes: Int?
  /// Seconds since it was stored, beyond which a response goes.
  var age: Double?
  var isJSON = false
  var wantsHelp = false

  static let parser = OptionParser<CacheOptions>(options: [
    .value("cache", "DIR", "The cache to work on; it has to be there.") { $0.directory = try Values.directory($1) },
    .value("to", "BYTES", "trim: leave no more than this, such as 200MB; what was used longest ago goes.") {
      $0.bytes = try Values.bytes($1)
    },
    .value("older-than", "AGE", "trim: let go of what was stored longer ago than this, such as 7d or 12h.") {
      $0.age = try Values.duration($1)
    },
    .flag("json", "Print one JSON object a line.") { $0.isJSON = true },
    .flag("help", "Print this.") { $0.wantsHelp = true },
  ])

  static func parse(_ arguments: [String]) throws -> CacheOptions {
    var options = CacheOptions()
    let operands = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    guard operands.count == 1, let action = Action(rawValue: operands[0]) else {
      throw UsageError("Say cache \(Action.allCases.map(\.rawValue).joined(separator: ", cache ")).")
    }
    options.action = action
    try options.validate()
    return options
  }

  private func validate() throws {
    guard !directory.isEmpty else { throw UsageError("cache \(action.rawValue) needs --cache DIR.") }
    let hasLimit = bytes != nil || age != nil
    guard action == .trim || !hasLimit else { throw UsageError("--to and --older-than belong to cache trim.") }
    guard action != .trim || hasLimit else {
      throw UsageError("cache trim needs --to BYTES, --older-than AGE or both.")
    }
  }
}
