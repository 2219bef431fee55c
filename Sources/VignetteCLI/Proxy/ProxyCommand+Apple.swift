#if canImport(Darwin)
  /// There is none: URLSession undoes codings and follows redirects by itself, so that a proxy over it would not pass
  /// on what the origin says.
  struct ProxyCommand {
    static let isAvailable = false

    init(_ options: ProxyOptions) {}

    func run(_ terminal: inout Terminal) async throws -> Bool { false }
  }
#endif
