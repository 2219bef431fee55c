import Foundation
import HTTPCaching
import ImageCodecs
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
  func pipeline(colors: ColorPolicy = .sRGB) -> ImagePipeline {
    let isPlain = cache == nil && transport == nil
    if isPlain, colors == .platformDefault { return .shared }
    var configuration = ImagePipeline.Configuration(loader: isPlain ? .shared : loader)
    configuration.decoder = ImagePipeline.Decoder(colors: colors)
    return ImagePipeline(configuration: configuration)
  }

  private var loader: DataLoader {
    var caching = HTTPLoader.Configuration()
    caching.disk =
      cache.map { DiskStore.Configuration(directory: URL(fileURLWithPath: $0, isDirectory: true)) } ?? .init()
    return .http(HTTPLoader(transport: transport ?? PlatformTransport.shared, configuration: caching))
  }

  static func cache<Options>(
    _ network: any WritableKeyPath<Options, NetworkOptions> & Sendable
  ) -> OptionDeclaration<Options> {
    .value("cache", "DIR", "Keep responses and thumbnails in DIR. Default: the user's cache folder.") {
      $0[keyPath: network].cache = try Values.cacheDirectory($1)
    }
  }
}
