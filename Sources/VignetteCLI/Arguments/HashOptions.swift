import Pixels

/// The command line of `vignette hash`: a load of one source at the size that placeholders are made from.
enum HashOptions {
  /// Of the box, in pixels: no placeholder could keep more.
  static let side = 100

  static let parser = OptionParser<LoadOptions>(
    options: LoadOptions.loading + NetworkOptions.ofTransport(\.network))

  static func parse(_ arguments: [String]) throws -> LoadOptions {
    var options = LoadOptions()
    options.sources = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    try options.validateOneSource("hash")
    options.size = PixelSize(width: side, height: side)
    return options
  }
}
