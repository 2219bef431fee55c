#if !canImport(Darwin)
  import Foundation
  import HTTPCaching

  extension NetworkOptions {
    /// The options of libcurl's transport.
    static func ofTransport<Options>(
      _ network: any WritableKeyPath<Options, NetworkOptions> & Sendable
    ) -> [OptionDeclaration<Options>] {
      [
        .value("ca", "FILE", "Trust the certificate authorities of this PEM file instead of the system's.") {
          $0[keyPath: network].authorities = try CertificateFile.check($1)
        },
        .flag("public-only", "Connect to addresses of the public internet only, and through no proxy.") {
          $0[keyPath: network].isPublicOnly = true
        },
      ]
    }

    /// `nil` where the platform's own will do.
    var transport: (any HTTPTransport)? {
      guard authorities != nil || isPublicOnly else { return nil }
      var configuration = CurlTransport.Configuration()
      configuration.certificateAuthorities = authorities
      if isPublicOnly { configuration.addressPolicy = .publicInternetOnly }
      return CurlTransport(configuration: configuration)
    }
  }
#endif
