/// The command line of `vignette convert`: a load of one source into one file.
enum ConvertOptions {
  static let parser = OptionParser<LoadOptions>(
    options: [
      .value("output", "FILE", "Write the picture to FILE, as its ending says: .png, .jpg, .jpeg or .webp.") {
        guard !$1.isEmpty else { throw UsageError("must not be empty.") }
        $0.output = $1
      },
      .value("quality", "N", "Of a JPEG or WebP, 1 to 100. Default 90.") { $0.quality = try Values.quality($1) },
      .flag("keep-color", "Write the source's own colours, with their profile, instead of sRGB.") {
        $0.keepsColor = true
      },
    ] + LoadOptions.sizing + LoadOptions.loading + NetworkOptions.ofTransport(\.network))

  static func parse(_ arguments: [String]) throws -> LoadOptions {
    var options = LoadOptions()
    options.sources = try parser.parse(arguments, into: &options)
    if options.wantsHelp { return options }
    try options.validateOneSource("convert")
    try options.validateMode()
    guard let output = options.output else { throw UsageError("convert needs --output FILE.") }
    let format = try OutputPlan.format(ofFile: output)
    guard options.quality == nil || format != .png else {
      throw UsageError("--quality belongs to .jpg and .webp; a PNG keeps every pixel.")
    }
    return options
  }
}
