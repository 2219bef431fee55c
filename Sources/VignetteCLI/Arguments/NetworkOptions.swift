import Foundation
import HTTPCaching
import Vignette

/// How a command reaches servers, and where it keeps what they answer.
struct NetworkOptions {
  /// A directory for responses and thumbnails; `nil` for the one all programs share.
  var cache: String?
  /// A PEM file of certificate authorities that are trusted instead of the system's.
  var authorities: URL?
  /// Whether addresses other than those of the public internet are refused.
  var isPublicOnly = false

  /// The default pipeline, unless the options ask for another.
  var pipeline: ImagePipeline {
    guard cache != nil || transport != nil else { return .shared }
    var caching = HTTPLoader.Configuration()
    caching.disk =
      cache.map { DiskStore.Configuration(directory: URL(fileURLWithPath: $0, isDirectory: true)) } ?? .init()
    let loader = HTTPLoader(transport: transport ?? PlatformTransport.shared, configuration: caching)
    return ImagePipeline(configuration: ImagePipeline.Configuration(loader: .http(loader)))
  }

  static func cache<Options>(
    _ network: any WritableKeyPath<Options, NetworkOptions> & Sendable
  ) -> OptionDeclaration<Options> {
    .value("cache", "DIR", "Keep responses and thumbnails in DIR. Default: the user's cache folder.") {
      $0[keyPath: network].cache = try Values.cacheDirectory($1)
    }
  }
}
