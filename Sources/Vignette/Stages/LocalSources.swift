import Foundation
import HTTPCaching

/// Bytes that need no network: files and data URLs (RFC 2397).
enum LocalSources {
  /// Reads a whole file of at most `limit` bytes, in pieces. Blocking; throws `CancellationError` when its last
  /// argument answers `true`.
  static func read(
    file url: URL, limit: Int, report: DataLoader.Report = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> EncodedImage {
    let file = try FileReader(url)
    let size = file.status.size
    guard size <= limit else {
      throw ImageLoadingError(
        .bodyTooLarge, "The file has \(size) bytes, more than the \(limit) allowed; raise maximumBodyBytes.", url: url)
    }
    let data = try file.readAll(size, step: 1 << 20) { received in
      if isCancelled() { throw CancellationError() }
      report(HTTPProgress(received: received, expected: size))
    }
    return EncodedImage(data: data, origin: .file, contents: ContentID(file.status))
  }

  /// Decodes a data URL (RFC 2397): percent-encoded or base64, with or without a media type.
  static func decode(dataURL url: URL, limit: Int) throws -> Data {
    // A fragment is no part of the data (RFC 3986, section 3.5).
    let text = url.absoluteString.prefix { $0 != "#" }
    let invalid = ImageLoadingError(.invalidURL, "The data URL has no comma before its data.", url: nil)
    guard let comma = text.firstIndex(of: ",") else { throw invalid }
    guard text.utf8.count <= limit else {
      throw ImageLoadingError(.bodyTooLarge, "The data URL is longer than the \(limit) bytes allowed.")
    }
    let header = String(decoding: percentDecoded(text[..<comma]), as: UTF8.self).lowercased().filter {
      !$0.isWhitespace
    }
    let payload = text[text.index(after: comma)...]
    guard header.hasSuffix(";base64") else { return percentDecoded(payload) }
    var base64 = String(decoding: percentDecoded(payload), as: UTF8.self).filter { !$0.isWhitespace }
    // Padding may be left out, as browsers allow (WHATWG Infra, "forgiving-base64 decode").
    if base64.utf8.count % 4 > 1 { base64 += String(repeating: "=", count: 4 - base64.utf8.count % 4) }
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
      throw ImageLoadingError(.invalidURL, "The data URL's base64 is damaged.")
    }
    return data
  }

  /// Percent-decoding to bytes; a stray "%" stands for itself, as in browsers.
  private static func percentDecoded(_ text: Substring) -> Data {
    let bytes = Array(text.utf8)
    var result = Data(capacity: bytes.count)
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = hex(bytes[at + 1]),
        let low = hex(bytes[at + 2])
      {
        result.append(high << 4 | low)
        at += 3
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return result
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
