import Foundation
import HTTPCaching
import Pixels

/// An imgproxy server and how to ask it (docs.imgproxy.net, “Processing an image” and “Signing a URL”): made once, then
/// `SizedSource.imgproxy` for each picture.
///
/// `BASE/SIGNATURE/rs:TYPE:WIDTH:HEIGHT:0/OPTIONS…/SOURCE.FORMAT`: sizes are pixels, so `dpr` is not used, and pictures
/// are never enlarged. The signature is the HMAC-SHA-256 of salt and path, in base64 for URLs without padding.
public struct Imgproxy: Hashable, Sendable {
  public enum Resizing: String, Hashable, Sendable {
    /// The whole picture, within the box.
    case fit
    /// The box covered; the service crops what projects. Boxes keep their shape (`SizeSteps.keepsShape`).
    case fill
  }

  public enum SourceEncoding: Hashable, Sendable {
    /// Base64 for URLs, which nothing on the way changes; in segments of so many characters, or in one.
    case base64(segmentLength: Int? = nil)
    /// The URL, percent-encoded: readable in logs. One with `.` or `..` in its path is sent as base64 all the same,
    /// because clients resolve those.
    case plain
  }

  /// Address of the server, with the path it is reached under.
  public var base: URL
  /// Without one, addresses carry `unsafe` in place of a signature.
  public var key: SigningKey
  public var salt: SigningKey
  /// Bytes of the signature that are sent, 1...32: the server's `IMGPROXY_SIGNATURE_SIZE`. Default 32.
  public var signatureSize = 32
  /// Default `.fit`.
  public var resizing = Resizing.fit
  /// Default base64 in one piece.
  public var sourceEncoding = SourceEncoding.base64()
  /// The format of the result, such as `webp`. Default `nil`: the source's own, or what the server prefers.
  public var format: String?
  /// Further processing options as the server reads them, such as `g:sm` or `q:80`.
  public var options: [String] = []

  public init(base: URL, key: SigningKey = .none, salt: SigningKey = .none) {
    self.base = base
    self.key = key
    self.salt = salt
  }

  /// - Returns: `nil` where the server cannot have the picture: files, data URLs, no size.
  public func url(for original: URL, size: PixelSize) -> URL? {
    guard let address = AddressWriter.source(original), !size.isEmpty else { return nil }
    var path = "/rs:\(resizing.rawValue):\(size.width):\(size.height):0"
    // An empty segment or a dot segment would not arrive as it was signed.
    for option in options where !["", ".", ".."].contains(option) { path += "/" + AddressWriter.option(option) }
    path += source(address)
    return AddressWriter.url(base: base, path: "/" + signature(of: path) + path)
  }

  private func source(_ text: String) -> String {
    let format = format.map(AddressWriter.option)
    guard sourceEncoding == .plain, !AddressWriter.hasDotSegments(text) else {
      return "/" + base64(text) + (format.map { "." + $0 } ?? "")
    }
    return "/plain/" + AddressWriter.encoded(text, allowing: "/:") + (format.map { "@" + $0 } ?? "")
  }

  private func base64(_ text: String) -> String {
    let whole = AddressWriter.base64(Data(text.utf8), padded: false)
    guard case .base64(let length?) = sourceEncoding, length > 0 else { return whole }
    let bytes = Array(whole.utf8)
    let segments = stride(from: 0, to: bytes.count, by: length).map { start in
      String(decoding: bytes[start..<min(bytes.count, start + length)], as: UTF8.self)
    }
    return segments.joined(separator: "/")
  }

  private func signature(of path: String) -> String {
    guard !key.isEmpty else { return "unsafe" }
    let digest = MessageAuthentication.sha256(salt.bytes + Data(path.utf8), key: key.bytes)
    return AddressWriter.base64(digest.prefix(min(max(1, signatureSize), 32)), padded: false)
  }
}

extension SizedSource {
  /// A picture scaled by an imgproxy server.
  public static func imgproxy(
    _ service: Imgproxy, original: URL, id: String? = nil, steps: SizeSteps = .standard
  ) -> SizedSource {
    var steps = steps
    steps.keepsShape = steps.keepsShape || service.resizing == .fill
    return SizedSource(original: original, id: id, steps: steps) { service.url(for: original, size: $0) }
  }
}
