import Foundation
import HTTPCaching
import ImageCodecs
import Pixels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What to load and at which size: a source, a target in pixels, and how hard to try.
///
/// A value; its keys are made when it is made, so keep a request rather than making it again for each look-up.
public struct ImageRequest: Sendable {
  /// Where the bytes come from.
  public enum Source: Sendable {
    /// An http, https, file or data URL, with the headers of the request.
    case urlRequest(URLRequest)
    /// A closure that yields the encoded bytes. The key's identifier names the content: the same identifier always
    /// means the same bytes.
    case bytes(@Sendable () async throws -> Data)
  }

  public let source: Source
  public let key: ImageKey
  /// Default `.visible`.
  public var priority: ImagePriority = .visible
  /// Longest time for the whole load, in seconds: download and decode. `nil` (the default) leaves it to `transport`.
  public var timeout: Double?
  /// Bounds of the transfer.
  public var transport = TransportOptions()

  /// The size to decode at. Default `.full`.
  public var target: DecodeTarget { key.target }

  /// The address, where the source has one.
  public var url: URL? {
    guard case .urlRequest(let request) = source else { return nil }
    return request.url
  }

  public init(url: URL, target: DecodeTarget = .full) {
    self.init(URLRequest(url: url), target: target)
  }

  public init(_ request: URLRequest, target: DecodeTarget = .full) {
    source = .urlRequest(request)
    key = ImageKey(source: SourceKey(request), target: target.normalized)
  }

  /// - Parameter id: names the bytes; used as the cache key.
  public init(
    id: String, target: DecodeTarget = .full, bytes: @escaping @Sendable () async throws -> Data
  ) {
    source = .bytes(bytes)
    key = ImageKey(source: SourceKey("bytes\n" + id), target: target.normalized)
  }

  /// The same picture at another size; the source key is not made again.
  public func with(target: DecodeTarget) -> ImageRequest { ImageRequest(self, target: target.normalized) }

  private init(_ other: ImageRequest, target: DecodeTarget) {
    source = other.source
    key = ImageKey(source: other.key.source, target: target)
    priority = other.priority
    timeout = other.timeout
    transport = other.transport
  }
}

/// How soon a request is wanted. A piece of work has the highest priority of those who wait for it.
public enum ImagePriority: Int, Comparable, Sendable, CaseIterable {
  case prefetch, background, visible

  public static func < (one: ImagePriority, other: ImagePriority) -> Bool { one.rawValue < other.rawValue }
}

extension DecodeTarget {
  /// An empty box asks for nothing in particular: the full picture.
  var normalized: DecodeTarget {
    if case .box(let size, _) = self, size.isEmpty { return .full }
    return self
  }

  /// The pixels a picture of `source` size needs to satisfy this target.
  public func size(for source: PixelSize) -> PixelSize {
    switch self {
    case .full: source
    case .box(let box, let mode): source.scaled(into: box, mode: mode)
    }
  }
}
