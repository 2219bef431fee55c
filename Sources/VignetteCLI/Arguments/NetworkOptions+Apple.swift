#if canImport(Darwin)
  import HTTPCaching

  extension NetworkOptions {
    /// None: URLSession trusts what the system trusts, and does not say where it connects.
    static func ofTransport<Options>(
      _ network: any WritableKeyPath<Options, NetworkOptions> & Sendable
    ) -> [OptionDeclaration<Options>] { [] }

    var transport: (any HTTPTransport)? { nil }
  }
#endif
