import Foundation
import Vignette

/// What a SOURCE on the command line means: a URL as it is, or the path of a file.
enum SourceArgument {
  /// - Throws: `ImageLoadingError` with `url.invalid`.
  static func url(_ text: String) throws -> URL {
    guard hasScheme(text), !FileManager.default.fileExists(atPath: text) else { return URL(fileURLWithPath: text) }
    guard let url = URL(string: text) else {
      throw ImageLoadingError(
        .invalidURL, "“\(text.prefix(200))” is no URL; check it for spaces and signs that need percent-encoding.")
    }
    return url
  }

  /// Two characters at least before the colon (RFC 3986, section 3.1, and no drive letters).
  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<colon]
    guard scheme.count >= 2, let first = scheme.first, isLetter(first) else { return false }
    return scheme.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }
}
