import Foundation
import ImageCodecs
import Pixels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Identifies the bytes of a picture: method, URL, every header the caller set, and the body where there is one.
///
/// Made once, when the request is made; hashing it later is reading one stored integer. Two requests that differ in
/// credentials have different keys, so that two users never see each other's pictures.
public struct SourceKey: Hashable, Sendable {
  private let text: String
  private let precomputedHash: Int

  /// The length of the key itself, which the memory cache counts.
  var byteCount: Int { text.utf8.count }

  init(_ text: String) {
    self.text = text
    precomputedHash = text.hashValue
  }

  init(_ url: URL, identity: RequestIdentity = .address) {
    let address = url.absoluteString
    self.init(identity.name(of: address) ?? address)
  }

  init(_ request: URLRequest, identity: RequestIdentity = .address) {
    let method = request.httpMethod ?? "GET"
    let address = request.url?.absoluteString ?? ""
    let name = identity.name(of: address) ?? address
    let headers = request.allHTTPHeaderFields ?? [:]
    guard method != "GET" || !headers.isEmpty || request.httpBody != nil else {
      self.init(name)
      return
    }
    // Length prefixes keep "a: b" + "c" and "a: bc" apart.
    let fields = headers.map { name, value in
      let field = "\(name.lowercased()):\(value)"
      return "\(field.utf8.count) \(field)"
    }
    let body = request.httpBody.map { "\n\n" + $0.base64EncodedString() } ?? ""
    self.init("\(method) \(name)\n" + fields.sorted().joined(separator: "\n") + body)
  }

  /// The same source, as a session fetches it.
  init(_ key: SourceKey, session number: UInt64) { self.init("session \(number)\n" + key.text) }

  /// Equal to no other: for work that is not to be joined.
  static func unique() -> SourceKey { SourceKey("unique\n\(UUID().uuidString)") }

  public static func == (one: SourceKey, other: SourceKey) -> Bool {
    one.precomputedHash == other.precomputedHash && one.text == other.text
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(precomputedHash) }
}

/// Identifies pixels: a source at a size, and what was done to it. `scale` is no part of it; it is applied when the
/// picture is shown.
public struct ImageKey: Hashable, Sendable {
  public let source: SourceKey
  public let target: DecodeTarget
  /// `ImageProcessor.key(of:)`; `nil` without processors.
  public let chain: String?

  init(source: SourceKey, target: DecodeTarget, chain: String? = nil) {
    self.source = source
    self.target = target
    self.chain = chain
  }
}
