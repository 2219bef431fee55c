extension ImagePipeline {
  /// The pipeline that views and requests use unless given another: the default configuration.
  ///
  /// Made on first use; nothing of the network is set up before the first http or https request.
  public static let shared = ImagePipeline(configuration: .default)
}

extension ImagePipeline.Configuration {
  /// Loads over HTTP through the one HTTP cache of the process; otherwise the defaults documented with each property.
  public static var `default`: Self { Self(loader: .shared) }
}
