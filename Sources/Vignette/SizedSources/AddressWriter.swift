import Foundation

/// Writes the paths that resizing services sign. A signature covers the path as it is sent, byte for byte, so everything
/// that `URL` or a transport would rewrite on the way is percent-encoded here first.
enum AddressWriter {
  /// Text as a part of a path (RFC 3986, section 3.3): letters, digits, `-._~` and what is in `allowed` stay.
  static func encoded(_ text: String, allowing allowed: String = "") -> String {
    let kept = Set(allowed.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      guard !isUnreserved(byte), !kept.contains(byte) else {
        bytes.append(byte)
        continue
      }
      bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An option of a service as a segment of its path: the sub-delimiters of RFC 3986, `:` and `@` stay.
  static func option(_ text: String) -> String { encoded(text, allowing: "!$&'()*+,;=:@") }

  /// Base64 with `-` and `_` (RFC 4648, section 5).
  static func base64(_ data: Data, padded: Bool) -> String {
    let bytes = data.base64EncodedString().utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): padded ? byte : nil
      default: byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The address a service elsewhere is to fetch, without its fragment; `nil` for files and data URLs.
  static func source(_ url: URL) -> String? {
    let scheme = url.scheme?.lowercased()
    guard scheme != "file", scheme != "data" else { return nil }
    let address = url.absoluteString.prefix { $0 != "#" }
    return address.isEmpty ? nil : String(address)
  }

  /// Whether a path has segments `.` or `..`, which a transport resolves before it sends them.
  static func hasDotSegments(_ text: String) -> Bool {
    text.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// The path below a base address; a query and a fragment of the base are dropped, slashes at its end are one.
  static func url(base: URL, path: String) -> URL? {
    guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
    parts.query = nil
    parts.fragment = nil
    guard var text = parts.string else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    return URL(string: text + path)
  }

  /// The bytes of hexadecimal digits, two for each; `nil` where the text is something else.
  static func bytes(hexadecimal text: String) -> Data? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var data = Data(capacity: digits.count / 2)
    for at in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[at]), let low = value(digits[at + 1]) else { return nil }
      data.append(high << 4 | low)
    }
    return data
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
