import Foundation

/// Tells what came in place of a picture, so that the error can say it.
enum TextSniffer {
  /// The error for bytes without the signature of a picture. Looks at no more than the first 1024 bytes.
  static func error(for bytes: UnsafeRawBufferPointer) -> CodecError {
    let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(1024))
    guard !beginning.contains(0) else {
      return CodecError(.notAnImage, "These bytes are no picture of any known kind. Check where they come from.")
    }
    let text = String(decoding: beginning, as: UTF8.self).lowercased()
      .trimmingCharacters(in: CharacterSet.whitespacesAndNewlines.union(["\u{FEFF}"]))
    if text.hasPrefix("<"), (text.range(of: "<!doctype html") ?? text.range(of: "<html")) != nil {
      return CodecError(
        .notAnImage, "This is a web page (HTML), not a picture. Use the address of the picture itself.")
    }
    if text.hasPrefix("{") || text.hasPrefix("[") {
      return CodecError(
        .notAnImage, "This looks like JSON, not a picture. Read the picture's address from it and load that.")
    }
    if text.unicodeScalars.allSatisfy({ $0 != "\u{FFFD}" }) {
      return CodecError(.notAnImage, "This is text, not a picture. Check that the address leads to a picture.")
    }
    return CodecError(.notAnImage, "These bytes are no picture of any known kind. Check where they come from.")
  }
}
