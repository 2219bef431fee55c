import Foundation
import HTTPCaching
import Vignette
import VignetteUITesting

/// The gallery as a command: options in, exit status out.
@MainActor
public enum GalleryCommand {
  public static func run(_ arguments: [String]) async -> Int32 {
    // A reader of the output that has gone away is no reason to stop.
    signal(SIGPIPE, SIG_IGN)
    let options: GalleryOptions
    do {
      options = try GalleryOptions(parsing: arguments)
    } catch {
      let message = (error as? GalleryOptions.Usage)?.message ?? "\(error)"
      write("\(message)\nSee Scripts/gallery --help\n", to: .standardError)
      return 2
    }
    if options.wantsHelp {
      write(GalleryOptions.help, to: .standardOutput)
      return 0
    }
    do {
      return try await draw(options)
    } catch let error as ViewHarness.TimedOut {
      let screen = error.screen.map { "  \($0.role.rawValue) \"\($0.label)\"" }.joined(separator: "\n")
      write(
        "The gallery stopped: nothing more arrived within \(Int(error.seconds)) seconds. Is the server slow or gone? "
          + "On the screen:\n\(screen)\n", to: .standardError)
      return 1
    } catch {
      write("The gallery stopped: \(error)\n", to: .standardError)
      return 1
    }
  }

  /// The command line of a run that should open a window; nil where it draws to files, or is wrong.
  public static func windowOptions(_ arguments: [String], hasDisplay: Bool) -> GalleryOptions? {
    guard hasDisplay, let options = try? GalleryOptions(parsing: arguments) else { return nil }
    return options.isHeadless || options.wantsHelp ? nil : options
  }

  private static func draw(_ options: GalleryOptions) async throws -> Int32 {
    var missing: [String] = []
    var total = PipelineCounters()
    for scale in [1, 2] {
      let storyboard = try Storyboard(options, scale: CGFloat(scale)) { write("\($0.path)\n", to: .standardOutput) }
      let report = try await storyboard.run()
      missing += report.missing.map { "at \(scale)x, \($0)" }
      total.add(report.counters)
    }
    for sentence in missing { write("Not drawn: \(sentence)\n", to: .standardError) }
    write("\(total.line)\n", to: .standardOutput)
    return missing.isEmpty ? 0 : 1
  }

  /// Unbuffered, so that paths appear as the files do.
  public static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data(text.utf8))
  }
}

extension PipelineCounters {
  mutating func add(_ other: PipelineCounters) {
    networkLoads += other.networkLoads
    memoryHits += other.memoryHits
    networkBytes += other.networkBytes
    decodes += other.decodes
    decodeTime += other.decodeTime
    failures += other.failures
    evictions += other.evictions
  }

  /// One line for a person, one `name value` pair each.
  var line: String {
    "network \(networkLoads), memory hits \(memoryHits), bytes \(networkBytes), decodes \(decodes), "
      + "decode ms \(Int((decodeTime * 1000).rounded())), failures \(failures), evictions \(evictions)"
  }
}
