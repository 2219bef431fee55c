import Foundation
import HTTPCaching
import Pixels

/// A thumbor server and how to ask it (thumbor.readthedocs.io, “Usage” and “Security”): made once, then
/// `SizedSource.thumbor` for each picture.
///
/// `BASE/SIGNATURE/fit-in/WIDTHxHEIGHT/smart/filters:…/SOURCE`. The signature is the HMAC-SHA-1 of what follows it, in
/// base64 for URLs with padding.
public struct Thumbor: Hashable, Sendable {
  public enum Resizing: Hashable, Sendable {
    /// The whole picture, within the box (`fit-in`).
    case fit
    /// The whole picture, covering the box (`full-fit-in`): for views that crop themselves.
    case cover
    /// The box covered; the service crops what projects, on request around what it takes for the subject. Boxes keep
    /// their shape (`SizeSteps.keepsShape`).
    case fill(smart: Bool = false)
  }

  /// Address of the server, with the path it is reached under.
  public var base: URL
  /// Without one, addresses carry `unsafe` in place of a signature.
  public var key: SigningKey
  /// Default `.fit`.
  public var resizing = Resizing.fit
  /// Filters as the server reads them, such as `quality(80)`. Default `no_upscale()`: pictures are never enlarged.
  public var filters = ["no_upscale()"]

  public init(base: URL, key: SigningKey = .none) {
    self.base = base
    self.key = key
  }

  /// - Returns: `nil` where the server cannot have the picture: files, data URLs, no size; and where the source has `.`
  ///   or `..` in its path, which clients resolve before they send it.
  public func url(for original: URL, size: PixelSize) -> URL? {
    guard let source = AddressWriter.source(original), !size.isEmpty, !AddressWriter.hasDotSegments(source) else {
      return nil
    }
    var parts: [String] = []
    switch resizing {
    case .fit: parts += ["fit-in", "\(size.width)x\(size.height)"]
    case .cover: parts += ["full-fit-in", "\(size.width)x\(size.height)"]
    case .fill(let smart): parts += ["\(size.width)x\(size.height)"] + (smart ? ["smart"] : [])
    }
    // The server signs the path with more characters encoded than a path needs; these few it leaves alone.
    let filters = filters.map { AddressWriter.encoded($0, allowing: "(),:") }
    if !filters.isEmpty { parts.append("filters:" + filters.joined(separator: ":")) }
    parts.append(AddressWriter.encoded(source, allowing: "/:"))
    let signed = parts.joined(separator: "/")
    return AddressWriter.url(base: base, path: "/" + signature(of: signed) + "/" + signed)
  }

  private func signature(of path: String) -> String {
    guard !key.isEmpty else { return "unsafe" }
    return AddressWriter.base64(MessageAuthentication.sha1(Data(path.utf8), key: key.bytes), padded: true)
  }
}

extension SizedSource {
  /// A picture scaled by a thumbor server.
  public static func thumbor(
    _ service: Thumbor, original: URL, id: String? = nil, steps: SizeSteps = .standard
  ) -> SizedSource {
    var steps = steps
    if case .fill = service.resizing { steps.keepsShape = true }
    return SizedSource(original: original, id: id, steps: steps) { service.url(for: original, size: $0) }
  }
}
