import Foundation
import ImageCodecs
import Vignette

/// `vignette probe`: says which picture a source begins with.
struct ProbeCommand {
  let options: LoadOptions

  private var source: String { options.sources[0] }

  /// - Returns: whether it is a picture.
  func run(_ terminal: inout Terminal) async throws -> Bool {
    var probe: HeaderProbe?
    var failure: Failure?
    do {
      let request = try options.request(for: source)
      probe = try await ImagePipeline.shared.header(of: request, transport: options.network.transport)
    } catch {
      failure = Failure(error)
    }
    if options.isJSON {
      try terminal.print(json(probe, failure))
    } else if let probe {
      try terminal.print(text(probe))
    } else if let failure {
      terminal.printError("\(printable(source)): \(failure.code): \(printable(failure.message))")
    }
    return failure == nil
  }

  private func json(_ probe: HeaderProbe?, _ failure: Failure?) -> String {
    var line = JSONLine()
    line.add("source", source)
    line.add("status", failure == nil ? "success" : "failure")
    line.add("format", probe?.info.format.rawValue)
    line.add("width", probe?.info.size.width)
    line.add("height", probe?.info.size.height)
    line.add("orientation", probe.map { Int($0.info.orientation.rawValue) })
    line.add("hasAlpha", probe?.info.hasAlpha)
    line.add("bitDepth", probe?.info.bitDepth)
    line.add("colourSpace", probe.map { Self.colorSpace($0.info) })
    line.add("iccName", probe.flatMap { Self.profileName($0.info) })
    line.add("animated", probe?.info.isAnimated)
    line.add("frames", probe.flatMap { $0.info.isAnimated ? $0.info.animation?.frameCount : 1 })
    line.add("loopCount", probe?.info.animation?.loopCount)
    line.add("bytesRead", probe?.bytesRead)
    line.add("error", failure?.json)
    return line.text
  }

  private static func colorSpace(_ info: ImageInfo) -> String {
    switch info.colorSpace {
    case .untagged: "untagged"
    case .sRGB: "sRGB"
    case .parameters: "parameters"
    case .profile: "icc"
    }
  }

  private static func profileName(_ info: ImageInfo) -> String? {
    guard case .profile(let name) = info.colorSpace else { return nil }
    return name
  }

  private func text(_ probe: HeaderProbe) -> String {
    let motion = probe.info.isAnimated ? ", animated" : ""
    let alpha = probe.info.hasAlpha ? ", with alpha" : ""
    let turn = probe.info.orientation == .up ? "" : ", orientation \(probe.info.orientation.rawValue)"
    return "\(printable(source)): \(probe.info.size) \(probe.info.format.rawValue)\(alpha)\(motion)\(turn)"
  }
}
