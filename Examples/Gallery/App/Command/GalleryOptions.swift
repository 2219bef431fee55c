import Foundation

/// The gallery's command line.
public struct GalleryOptions: Equatable, Sendable {
  public static let help = """
    Usage: Scripts/gallery [--headless] [--output DIR] [--api URL] [--rows N] [--help]

    Runs the gallery: three topics of pictures, loaded over HTTP through Vignette's pipeline. It opens a window where
    there is a display (X11 or Wayland). Elsewhere it draws the app to files: it walks through the moments of its use
    (placeholders, mid-fade, loaded, scrolled, an error with its retry, dark mode, another tab), writes each as PNG
    files at 1x and 2x, and prints their paths. Either way it ends with a line of counters.

      --headless    draw to files even where there is a display
      --output DIR  where the files go; made if missing (default: gallery-output)
      --api URL     load the lists from a server of yours instead of the embedded one:
                    URL/nature?count=N, URL/space?count=N and URL/studio?count=N answer with a JSON array of
                    addresses, or of objects with "id", "title", "credit" and "url"
      --rows N      rows in each list, 1 to 10000 (default: 25)
      --help        this text

    In the window: the wheel, the arrow keys, Page Up and Page Down, Home and End scroll; Tab and Shift-Tab move the
    focus, Return or Space presses what has it; a right click, a long press or the Menu key opens a picture's menu.

    Exit status: 0 when the window was closed or every expected picture was drawn, 1 when one was not, 2 when the
    command line is wrong.
    """

  public var isHeadless = false
  public var output = URL(fileURLWithPath: "gallery-output", isDirectory: true)
  public var api: URL?
  public var rows = 25
  public var wantsHelp = false

  public init() {}

  /// A fault in the command line, as a sentence.
  public struct Usage: Error, Equatable {
    public var message: String

    public init(message: String) { self.message = message }
  }

  /// - Parameter arguments: without the program's name.
  public init(parsing arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--headless": isHeadless = true
      case "--help", "-h": wantsHelp = true
      case "--output": output = URL(fileURLWithPath: try Self.value(of: option, &rest), isDirectory: true)
      case "--api": api = try Self.api(try Self.value(of: option, &rest))
      case "--rows": rows = try Self.rows(try Self.value(of: option, &rest))
      default: throw Usage(message: "Unknown option: \(option)")
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst(), !value.isEmpty else { throw Usage(message: "\(option) needs a value") }
    return value
  }

  private static func api(_ text: String) throws -> URL {
    var trimmed = text[...]
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let url = URL(string: String(trimmed)), let scheme = url.scheme, url.host != nil,
      ["http", "https"].contains(scheme.lowercased())
    else { throw Usage(message: "--api needs an http or https address, not \"\(text)\"") }
    return url
  }

  private static func rows(_ text: String) throws -> Int {
    guard let rows = Int(text), (1...10_000).contains(rows) else {
      throw Usage(message: "--rows needs a whole number from 1 to 10000, not \"\(text)\"")
    }
    return rows
  }
}
