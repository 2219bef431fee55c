import Foundation
import HTTPCaching
import Vignette

/// The pipeline of a command that was given a cache directory.
enum CachedPipeline {
  /// - Parameter directory: where responses and thumbnails are kept; `nil` for the default pipeline.
  static func make(_ directory: String?) -> ImagePipeline {
    guard let directory else { return .shared }
    var caching = HTTPLoader.Configuration()
    caching.disk = DiskStore.Configuration(directory: URL(fileURLWithPath: directory, isDirectory: true))
    let loader = HTTPLoader(transport: PlatformTransport.shared, configuration: caching)
    return ImagePipeline(configuration: ImagePipeline.Configuration(loader: .http(loader)))
  }
}
