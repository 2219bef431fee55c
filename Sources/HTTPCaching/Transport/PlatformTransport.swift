/// The transport of the platform, one for the whole process: libcurl on Linux, URLSession on Apple's platforms.
public enum PlatformTransport {
  #if canImport(Darwin)
    public static let shared: any HTTPTransport = StreamingSessionTransport.shared
  #else
    public static let shared: any HTTPTransport = CurlTransport.shared
  #endif
}

extension HTTPLoader {
  /// Over the platform's transport, with the default configuration and a disk store in the platform's cache folder,
  /// which is opened by the first request.
  public static let shared: HTTPLoader = {
    var configuration = Configuration()
    configuration.disk = DiskStore.Configuration()
    return HTTPLoader(transport: PlatformTransport.shared, configuration: configuration)
  }()
}
