import Dispatch
import Easel
import Foundation

/// A sample as a command: a window where there is a display, and otherwise, or when asked to, the moments of its use as
/// PNG files, in light and in dark.
@MainActor
public struct SampleCommand<Content: View> {
  /// Of the executable and its window.
  public var name: String
  /// What the sample shows, in a sentence or two.
  public var about: String
  /// The window, in points.
  public var size: CGSize
  /// Draws every moment in one colour scheme, to a folder.
  public var moments: @MainActor (SamplePhotos, ColorScheme, URL) async throws -> Void
  /// What the window shows.
  public var view: @MainActor (SamplePhotos) -> Content

  public init(
    _ name: String, about: String, size: CGSize,
    moments: @escaping @MainActor (SamplePhotos, ColorScheme, URL) async throws -> Void,
    @ViewBuilder view: @escaping @MainActor (SamplePhotos) -> Content
  ) {
    self.name = name
    self.about = about
    self.size = size
    self.moments = moments
    self.view = view
  }

  private var help: String {
    """
    Usage: \(name) [--output DIR] [--help]

    \(about)
    Opens a window where there is a display (X11 or Wayland). Elsewhere it draws to files, and prints their paths.

      --output DIR  draw to files there, even where there is a display; made if missing (default: \(name)-output)
      --help        this text

    Exit status: 0, 1 when something could not be shown, 2 when the command line is wrong.
    """
  }

  /// Does what the command line says and ends the program.
  public func main(_ arguments: [String]) -> Never {
    switch arguments.first {
    case nil:
      if GTK.environmentHasDisplay { exit(openWindow()) }
      draw(to: "\(name)-output")
    case "--output" where arguments.count == 2: draw(to: arguments[1])
    case "--help", "-h":
      print(help)
      exit(0)
    default:
      Self.say("The command line is wrong: \(arguments.joined(separator: " "))\nSee \(name) --help")
      exit(2)
    }
  }

  /// Returns the exit status when the window is closed.
  private func openWindow() -> Int32 {
    do {
      let photos = try SamplePhotos()
      defer { photos.stop() }
      let window = try GTKWindow(view(photos), title: name, size: size)
      window.show()
      GTK.run()
      return 0
    } catch {
      Self.say("\(name): \((error as? GTKError)?.message ?? error.localizedDescription)")
      return 1
    }
  }

  private func draw(to path: String) -> Never {
    Task { exit(await drawMoments(to: URL(fileURLWithPath: path, isDirectory: true))) }
    dispatchMain()
  }

  /// Returns the exit status.
  private func drawMoments(to folder: URL) async -> Int32 {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let photos = try SamplePhotos()
      defer { photos.stop() }
      for scheme in [ColorScheme.light, .dark] { try await moments(photos, scheme, folder) }
      return 0
    } catch {
      Self.say("\(name): \(error)")
      return 1
    }
  }

  private static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}
