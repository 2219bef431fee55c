import Pixels

/// What `vignette bench thumbnails` was asked to do.
struct BenchOptions {
  var network = NetworkOptions()
  var wantsHelp = false
  var list = ""
  var size = PixelSize.zero

  static let parser = OptionParser<BenchOptions>(
    options: [NetworkOptions.cache(\.network), .flag("help", "Print this.") { $0.wantsHelp = true }]
      + NetworkOptions.ofTransport(\.network))

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
