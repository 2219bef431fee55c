/// The command line of `vignette probe`: one source, of which no more than the header is asked for.
enum ProbeOptions {
  static let parser = OptionParser<LoadOptions>(
    options: LoadOptions.asking + LoadOptions.printing + NetworkOptions.ofTransport(\.network))

  static func parse(_ arguments: [String]) throws -> LoadOptions {
    var options = LoadOptions()
    options.sources = try parser.parse(arguments, into: &options)
    if !options.wantsHelp { try options.validateOneSource("probe") }
    return options
  }
}
