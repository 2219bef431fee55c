import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which stored copies a request may be answered from, and whether its own answer may be stored.
public enum ImageCachePolicy: String, Hashable, Sendable, CaseIterable {
  /// Decoded pictures, thumbnails and responses while they are fresh by the HTTP rules, else the network. The default.
  case standard
  /// Asks the source again, whatever is stored, and replaces it.
  case reload
  /// Whatever is stored, however old; `cache.miss` where nothing is. The network is never used.
  case offline
  /// As `standard`, but nothing made of the answer is stored: no response, no thumbnail, no decoded picture.
  case noStore
  /// A decoded picture in memory, or `cache.miss`.
  case memoryOnly

  /// What a `URLRequest` asks for in Foundation's terms.
  init(_ policy: URLRequest.CachePolicy) {
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
      self = .reload
    case .returnCacheDataDontLoad: self = .offline
    default: self = .standard
    }
  }

  /// What the HTTP layer is asked in Foundation's terms; `nil` leaves the request as it is.
  var urlPolicy: URLRequest.CachePolicy? {
    switch self {
    case .standard, .noStore: nil
    case .reload: .reloadIgnoringLocalCacheData
    case .offline, .memoryOnly: .returnCacheDataDontLoad
    }
  }

  /// Whether decoded pictures and thumbnails may answer.
  var readsPictures: Bool { self != .reload }
  var storesPictures: Bool { self != .noStore }
}
