import HTTPCaching
import Foundation
import Pixels
import Vignette

/// Option values from text. Each throws `UsageError` with what would have been right.
enum Values {
  static let largestSide = 1_000_000

  /// `400x300`: two whole numbers of at least 1.
  static func size(_ text: String) throws -> PixelSize {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else {
      throw UsageError("“\(printable(text))” is no size; write width and height such as 400x300.")
    }
    guard 1...largestSide ~= width, 1...largestSide ~= height else {
      throw UsageError("each side must be between 1 and \(largestSide), not \(printable(text)).")
    }
    return PixelSize(width: width, height: height)
  }

  static func mode(_ text: String) throws -> ScalingMode {
    guard let mode = ScalingMode(rawValue: text) else {
      throw UsageError("must be fit or fill, not “\(printable(text))”.")
    }
    return mode
  }

  static func policy(_ text: String) throws -> ImageCachePolicy {
    switch text {
    case "default": return .standard
    case "reload": return .reload
    case "offline": return .offline
    default: throw UsageError("must be default, reload or offline, not “\(printable(text))”.")
    }
  }

  /// The path of a directory, which need not be there.
  static func directory(_ text: String) throws -> String {
    guard !text.isEmpty else { throw UsageError("must not be empty.") }
    return text
  }

  /// The path of a cache, or of a directory that may become one: nothing there yet, or nothing in it.
  static func cacheDirectory(_ text: String) throws -> String {
    let path = try directory(text)
    guard DiskStore.mayUse(URL(fileURLWithPath: path, isDirectory: true)) else {
      throw UsageError("“\(printable(path))” holds other files; a cache needs a directory of its own.")
    }
    return path
  }

  /// Of a lossy format.
  static func quality(_ text: String) throws -> Int {
    guard let quality = Int(text), 1...100 ~= quality else {
      throw UsageError("must be a whole number from 1 to 100, not “\(printable(text))”.")
    }
    return quality
  }

  /// A finite number above 0 and at most `limit`.
  static func positive(_ text: String, limit: Double) throws -> Double {
    guard let value = Double(text), value > 0, value <= limit else {
      throw UsageError("must be a number above 0 and at most \(Int(limit)), not “\(printable(text))”.")
    }
    return value
  }

  /// `200MB`: a number and a unit of 1000 or 1024; without a unit bytes.
  static func bytes(_ text: String) throws -> Int {
    let units = ["": 1.0, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30]
    guard let bytes = quantity(text, units), bytes < 1e15 else {
      throw UsageError("“\(printable(text))” is no size; write it such as 200MB, 1.5GiB or 0.")
    }
    return Int(bytes)
  }

  /// `7d`: a number and a unit, in seconds.
  static func duration(_ text: String) throws -> Double {
    let units = ["s": 1.0, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard let seconds = quantity(text, units), seconds < 1e11 else {
      throw UsageError("“\(printable(text))” is no age; write it such as 7d, 12h, 30m or 90s.")
    }
    return seconds
  }

  private static func quantity(_ text: String, _ units: [String: Double]) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let unit = units[String(text[digits.endIndex...])] else { return nil }
    return number * unit
  }

  /// An http or https URL with nothing after its port.
  static func origin(_ text: String) throws -> URL {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false, parts.user == nil, parts.query == nil,
      parts.fragment == nil, parts.path.isEmpty || parts.path == "/", let url = parts.url
    else {
      throw UsageError("“\(printable(text))” is no origin; write scheme, host and port such as http://127.0.0.1:8000.")
    }
    return url
  }

  static func port(_ text: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw UsageError("must be a number from 0 to 65535, not “\(printable(text))”.")
    }
    return port
  }

  /// `Name: value` (RFC 9110, section 5.1): a token, and a value of one line.
  static func header(_ text: String) throws -> HTTPHeaders.Field {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte) else {
      throw UsageError("“\(printable(text))” is no header; write it such as 'Accept: image/webp'.")
    }
    guard !parts[1].unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) else {
      throw UsageError("a header's value must be one line of text.")
    }
    let value = parts[1].drop { $0 == " " || $0 == "\t" }
    return HTTPHeaders.Field(name: String(parts[0]), value: String(value))
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
