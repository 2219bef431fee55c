import Foundation

/// The gallery's command line.
public struct GalleryOptions: Equatable, Sendable {
  /// The text of `--help`, which `Scripts/gallery` prints as well, without building anything.
  public static var help: String {
    (try? String(contentsOf: Bundle.module.bundleURL.appendingPathComponent("help.txt"), encoding: .utf8)) ?? ""
  }

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
