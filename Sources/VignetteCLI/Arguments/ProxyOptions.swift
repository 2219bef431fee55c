import Foundation
import HTTPCaching

/// What `vignette proxy` was asked to do.
struct ProxyOptions {
  var origin = URL(fileURLWithPath: "/")
  var hasOrigin = false
  var port: UInt16?
  var host = "127.0.0.1"
  var network = NetworkOptions()
  var isJSON = false
  var wantsHelp = false

  static let parser = OptionParser<ProxyOptions>(options: own + NetworkOptions.ofTransport(\.network))

  private static let own: [OptionDeclaration<ProxyOptions>] = [
    .value("origin", "URL", "Where to ask: scheme, host and port, such as http://127.0.0.1:8000.") {
      $0.origin = try Values.origin($1)
      $0.hasOrigin = true
    },
    .value("port", "N", "The port to listen on; 0 for one that is free.") { $0.port = try Values.port($1) },
    .value("host", "HOST", "The address to listen on. Default 127.0.0.1: this machine alone.") {
      guard !$1.isEmpty else { throw UsageError("must not be empty.") }
      $0.host = $1
    },
    .value("cache", "DIR", "Keep responses in DIR. Default: in memory alone.") {
      $0.network.cache = try Values.cacheDirectory($1)
    },
    .flag("json", "Print one JSON object a line.") { $0.isJSON = true },
    .flag("help", "Print this.") { $0.wantsHelp = true },
  ]

  static func parse(_ arguments: [String]) throws -> ProxyOptions {
    var options = ProxyOptions()
    let operands = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    guard operands.isEmpty else { throw UsageError("proxy takes options only, not “\(printable(operands[0]))”.") }
    guard options.hasOrigin else { throw UsageError("proxy needs --origin URL.") }
    guard options.port != nil else { throw UsageError("proxy needs --port N.") }
    return options
  }
}
