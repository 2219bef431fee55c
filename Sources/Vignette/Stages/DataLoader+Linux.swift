#if !canImport(Darwin)
  import HTTPCaching

  extension DataLoader {
    static var sharedTransport: any HTTPTransport { CurlTransport.shared }

    /// The HTTP cache of the process, over libcurl. Set up by the first http or https request.
    static var shared: DataLoader {
      DataLoader(
        load: { try await sharedLoader.data(for: $0, options: $1, progress: $2) },
        forget: { sharedLoader.forget($0) })
    }
  }

  private let sharedLoader = HTTPLoader(transport: DataLoader.sharedTransport)
#endif
