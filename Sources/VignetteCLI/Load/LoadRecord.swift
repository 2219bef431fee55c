import ImageCodecs
import Pixels
import Vignette

/// The result of one source, as it is printed: no pixels, so that thousands may wait for their turn.
struct LoadRecord: Sendable {
  struct Picture: Sendable {
    var format: String
    var size: PixelSize
    var sourceSize: PixelSize
    var origin: String
    /// What the HTTP cache did (RFC 9211), where it was asked.
    var cacheStatus: String?
    var bytes: Int

    init(_ response: ImageResponse) {
      format = response.image.info.format.rawValue
      size = response.bitmap.size
      sourceSize = response.sourceSize
      origin = response.origin.rawValue
      cacheStatus = response.cacheStatus?.description
      bytes = response.bytes
    }
  }

  var source: String
  /// What was loaded; also there when only writing it failed.
  var picture: Picture?
  var output: OutputFile?
  var failure: Failure?
  var milliseconds: Double

  var json: String {
    var line = JSONLine()
    line.add("source", source)
    line.add("status", failure == nil ? "success" : "failure")
    line.add("format", picture?.format)
    line.add("width", picture?.size.width)
    line.add("height", picture?.size.height)
    line.add("sourceWidth", picture?.sourceSize.width)
    line.add("sourceHeight", picture?.sourceSize.height)
    line.add("origin", picture?.origin)
    line.add("cacheStatus", picture?.cacheStatus)
    line.add("bytes", picture?.bytes)
    line.add(tenths: "milliseconds", milliseconds)
    line.add("output", output?.path)
    line.add("outputBytes", output?.bytes)
    line.add("error", failure?.json)
    return line.text
  }

  var text: String {
    guard failure == nil, let picture else {
      return "\(printable(source)): \(failure?.code ?? ""): \(printable(failure?.message ?? ""))"
    }
    let written = output.map { "; \(printable($0.path)), \($0.bytes) bytes" } ?? ""
    return "\(printable(source)): \(picture.size) from \(picture.sourceSize) \(picture.format), "
      + "\(picture.bytes) bytes, \(picture.origin), \(Int(milliseconds.rounded())) ms\(written)"
  }
}
