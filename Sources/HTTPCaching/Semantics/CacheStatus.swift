/// How a cache handled a request (RFC 9211), as the `Cache-Status` field says it.
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
  /// Why a request went to the server (section 2.2).
  public enum Forward: String, Hashable, Sendable {
    case bypass, method, request, stale, partial, miss
    case uriMiss = "uri-miss"
    case varyMiss = "vary-miss"
  }

  /// `nil` where what was stored answered: a hit.
  public var forward: Forward?
  /// The status the server answered with, where it was asked.
  public var forwardStatus: Int?
  /// Seconds for which the response is still fresh; negative once it is stale.
  public var timeToLive: Int?
  /// Whether the server's response has been stored.
  public var isStored: Bool
  /// More for people: a permission such as `stale-while-revalidate`, or a code such as `transport.refused`.
  public var detail: String?

  public init(
    forward: Forward? = nil, forwardStatus: Int? = nil, timeToLive: Int? = nil, isStored: Bool = false,
    detail: String? = nil
  ) {
    self.forward = forward
    self.forwardStatus = forwardStatus
    self.timeToLive = timeToLive
    self.isStored = isStored
    self.detail = detail
  }

  public var isHit: Bool { forward == nil }

  /// The value of the field, such as `Vignette; fwd=stale; fwd-status=304; stored; ttl=60`.
  public var description: String {
    var parts = ["Vignette", forward.map { "fwd=\($0.rawValue)" } ?? "hit"]
    if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
    if isStored { parts.append("stored") }
    if let timeToLive { parts.append("ttl=\(timeToLive)") }
    if let detail { parts.append("detail=\(Self.item(detail))") }
    return parts.joined(separator: "; ")
  }

  /// A token where it is one, else a string (RFC 8941, sections 3.3.3 and 3.3.4).
  private static func item(_ text: String) -> String {
    let isToken = text.utf8.enumerated().allSatisfy { place, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): place > 0
      default: false
      }
    }
    if isToken, !text.isEmpty { return text }
    let printable = text.unicodeScalars.filter { (32...126).contains($0.value) }
    let escaped = printable.reduce(into: "") { result, scalar in
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }
}

extension CacheStatus {
  /// What is stored answered.
  init(hit reuse: CachePolicy.Reuse) {
    self.init(
      timeToLive: Int(reuse.lifetime - reuse.age),
      detail: reuse.permission == .fresh ? nil : reuse.permission.rawValue)
  }
}

extension CacheStatus.Forward {
  init(_ reason: CachePolicy.Reason) {
    switch reason {
    case .nothingStored: self = .uriMiss
    case .requestNotCacheable: self = .method
    case .requestDirective: self = .request
    case .variant: self = .varyMiss
    case .partial: self = .partial
    case .responseDirective, .stale, .noFreshness, .clockSetBack: self = .stale
    }
  }
}
