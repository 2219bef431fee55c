import Foundation
import ImageCodecs
import Pixels
import Vignette

/// `vignette hash`: the placeholders of one source, to be kept beside its address.
struct HashCommand {
  let options: LoadOptions

  private struct Hashes {
    var blurHash: BlurHash
    var thumbHash: ThumbHash
    var sourceSize: PixelSize

    init(_ response: ImageResponse) throws {
      blurHash = try BlurHash(response.bitmap)
      thumbHash = try ThumbHash(response.bitmap)
      sourceSize = response.sourceSize
    }
  }

  /// - Returns: whether it is a picture.
  func run(_ terminal: inout Terminal) async throws -> Bool {
    let loader = SourceLoader(options)
    var hashes: Hashes?
    var failure: Failure?
    do {
      hashes = try Hashes(await loader.response(0))
    } catch {
      failure = Failure(error)
    }
    if options.isJSON {
      try terminal.print(json(hashes, failure))
    } else if let hashes {
      try terminal.print("BlurHash   \(hashes.blurHash)\nThumbHash  \(hashes.thumbHash.data.base64EncodedString())")
    } else if let failure {
      terminal.printError("\(printable(options.sources[0])): \(failure.code): \(printable(failure.message))")
    }
    await loader.finish()
    return failure == nil
  }

  private func json(_ hashes: Hashes?, _ failure: Failure?) -> String {
    var line = JSONLine()
    line.add("source", options.sources[0])
    line.add("status", failure == nil ? "success" : "failure")
    line.add("sourceWidth", hashes?.sourceSize.width)
    line.add("sourceHeight", hashes?.sourceSize.height)
    line.add("blurHash", hashes?.blurHash.description)
    line.add("thumbHash", hashes?.thumbHash.data.base64EncodedString())
    line.add("error", failure?.json)
    return line.text
  }
}
