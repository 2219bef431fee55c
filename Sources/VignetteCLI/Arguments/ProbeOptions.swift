/// What `vignette probe` was asked to do.
struct ProbeOptions {
  var network = NetworkOptions()
  var isJSON = false
  var wantsHelp = false
  var source = ""

  static let parser = OptionParser<ProbeOptions>(
    options: [
      .flag("json", "Print one JSON object.") { $0.isJSON = true },
      .flag("help", "Print this.") { $0.wantsHelp = true },
    ] + NetworkOptions.ofTransport(\.network))

  static func parse(_ arguments: [String]) throws -> ProbeOptions {
    var options = ProbeOptions()
    let operands = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    guard operands.count == 1 else { throw UsageError("probe needs one FILE or URL; there are \(operands.count).") }
    guard operands[0] != "" else { throw UsageError("The FILE or URL is empty.") }
    options.source = operands[0]
    return options
  }
}
