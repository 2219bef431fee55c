import EaselCore
import Foundation

/// A sample as a command that draws the moments of its use to PNG files, in light and in dark.
@MainActor
public enum SampleCommand {
  /// - Parameters:
  ///   - name: of the executable.
  ///   - about: what the sample shows, in a sentence or two.
  ///   - moments: draws them all in one colour scheme, to a folder.
  /// - Returns: the exit status: 0, 1 when a moment could not be drawn, 2 when the command line is wrong.
  public static func run(
    _ name: String, about: String, arguments: [String],
    moments: (SamplePhotos, ColorScheme, URL) async throws -> Void
  ) async -> Int32 {
    let help = """
      Usage: \(name) [--output DIR] [--help]

      \(about)
      Draws its moments without a display, in light and in dark, and prints the paths of the PNG files.

        --output DIR  where the files go; made if missing (default: \(name)-output)
        --help        this text
      """
    let folder: URL
    switch arguments.first {
    case nil: folder = URL(fileURLWithPath: "\(name)-output", isDirectory: true)
    case "--output" where arguments.count == 2: folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
    case "--help", "-h":
      print(help)
      return 0
    default:
      say("The command line is wrong: \(arguments.joined(separator: " "))\nSee \(name) --help")
      return 2
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let photos = try SamplePhotos()
      defer { photos.stop() }
      for scheme in [ColorScheme.light, .dark] { try await moments(photos, scheme, folder) }
      return 0
    } catch {
      say("\(name) stopped: \(error)")
      return 1
    }
  }

  private static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}
