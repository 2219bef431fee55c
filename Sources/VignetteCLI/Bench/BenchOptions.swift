import Pixels

/// What `vignette bench thumbnails` was asked to do.
struct BenchOptions {
  /// A directory for responses and thumbnails; `nil` for the one all programs share.
  var cache: String?
  var wantsHelp = false
  var list = ""
  var size = PixelSize.zero

  static let parser = OptionParser<BenchOptions>(options: [
    .value("cache", "DIR", "Keep responses and thumbnails in DIR. Default: the user's cache folder.") {
      $0.cache = try Values.directory($1)
    },
    .flag("help", "Print this.") { $0.wantsHelp = true },
  ])

  static func parse(_ arguments: [String]) throws -> BenchOptions {
    var options = BenchOptions()
    let operands = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    guard operands.first == "thumbnails", operands.count == 3 else {
      throw UsageError("Say bench thumbnails URLFILE WxH.")
    }
    guard operands[1] != "" else { throw UsageError("The URLFILE is empty.") }
    options.list = operands[1]
    options.size = try Values.size(operands[2])
    return options
  }
}
