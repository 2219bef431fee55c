import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What `vignette load` was asked to do; also `convert`, `hash` and `probe`, which take one source.
struct LoadOptions {
  /// In points; `scale` turns it into pixels.
  var size: PixelSize?
  var mode: ScalingMode?
  var scale: Double?
  var isFull = false
  var output: String?
  /// Of what is written, where the format has any: 1...100.
  var quality: Int?
  /// Whether the picture that is written stays in the colour space of its source.
  var keepsColor = false
  var headers: [HTTPHeaders.Field] = []
  /// Seconds for the whole load of one source.
  var timeout: Double?
  var network = NetworkOptions()
  var policy: ImageCachePolicy = .standard
  var isJSON = false
  var wantsHelp = false
  var sources: [String] = []

  static let parser = OptionParser<LoadOptions>(
    options: sizing + [
      .value("scale", "S", "Pixels to a point: --size 400x300 --scale 2 is a box of 800x600.") {
        $0.scale = try Values.positive($1, limit: 100)
      },
      .flag("full", "Decode every pixel; the default without --size.") { $0.isFull = true },
      .value("output", "FILE|DIR", "Write the picture to FILE (.png, .jpg, .jpeg, .webp), or each to DIR as a PNG.") {
        guard !$1.isEmpty else { throw UsageError("must not be empty.") }
        $0.output = $1
      },
    ] + loading + NetworkOptions.ofTransport(\.network))

  /// At which size sources are decoded.
  static let sizing: [OptionDeclaration<LoadOptions>] = [
    .value("size", "WxH", "Decode into a box of this size; only an SVG is enlarged. Default: every pixel.") {
      $0.size = try Values.size($1)
    },
    .value("mode", "fit|fill", "Lie within the box (fit, the default) or cover it (fill).") {
      $0.mode = try Values.mode($1)
    },
  ]

  /// How sources are asked for.
  static let asking: [OptionDeclaration<LoadOptions>] = [
    .value("header", "'K: V'", "Send this header with each http and https request; may be repeated.") {
      $0.headers.append(try Values.header($1))
    },
    .value("timeout", "S", "Longest time for the whole load of one source, in seconds.") {
      $0.timeout = try Values.positive($1, limit: 1_000_000)
    },
  ]

  /// What may answer instead of a server.
  private static let caching: [OptionDeclaration<LoadOptions>] = [
    NetworkOptions.cache(\.network),
    .value("policy", "default|reload|offline", "Ask servers as HTTP says, in any case (reload), or never (offline).") {
      $0.policy = try Values.policy($1)
    },
  ]

  /// How the results are printed.
  static let printing: [OptionDeclaration<LoadOptions>] = [
    .flag("json", "Print one JSON object a line.") { $0.isJSON = true },
    .flag("help", "Print this.") { $0.wantsHelp = true },
  ]

  static let loading = asking + caching + printing

  static func parse(_ arguments: [String]) throws -> LoadOptions {
    var options = LoadOptions()
    options.sources = try parser.parse(arguments, into: &options)
    if !options.wantsHelp { try options.validate() }
    return options
  }

  private func validate() throws {
    guard !sources.isEmpty else {
      throw UsageError("load needs a SOURCE: a path, or an http, https, file or data URL.")
    }
    guard !sources.contains("") else { throw UsageError("A SOURCE is empty.") }
    guard size == nil || !isFull else { throw UsageError("--size and --full exclude each other.") }
    try validateMode()
    guard size != nil || scale == nil else { throw UsageError("--scale needs --size.") }
  }

  /// - Throws: `UsageError`.
  func validateOneSource(_ command: String) throws {
    guard sources.count == 1 else { throw UsageError("\(command) needs one FILE or URL; there are \(sources.count).") }
    guard sources[0] != "" else { throw UsageError("The FILE or URL is empty.") }
  }

  /// - Throws: `UsageError` for a mode without the box it is about.
  func validateMode() throws {
    guard size != nil || mode == nil else { throw UsageError("--mode needs --size.") }
  }

  /// - Throws: `ImageLoadingError` with `url.invalid`.
  func request(for source: String) throws -> ImageRequest {
    var urlRequest = URLRequest(url: try SourceArgument.url(source))
    for header in headers { urlRequest.addValue(header.value, forHTTPHeaderField: header.name) }
    var request = ImageRequest(urlRequest, target: target)
    request.policy = policy
    request.timeout = timeout
    if let timeout { request.transport.totalTimeout = timeout }
    return request
  }

  private var target: DecodeTarget {
    guard let size else { return .full }
    // Rounded up, so that the picture never has fewer pixels than the screen shows. At most 10^8: no overflow.
    let pixels = { (points: Int) in Int((Double(points) * (scale ?? 1)).rounded(.up)) }
    return .box(PixelSize(width: pixels(size.width), height: pixels(size.height)), mode ?? .fit)
  }
}
