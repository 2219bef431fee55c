#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import Synchronized

  /// HTTP/1.1 and HTTP/2 through libcurl: one event thread that all transfers share, bodies streamed with back-pressure,
  /// times in real seconds, every failure typed.
  ///
  /// TLS certificates are always verified. Cookies are neither sent nor kept, `.netrc` is not read, and no
  /// Accept-Encoding is sent unless the request says so; a body that comes in gzip or deflate all the same is decoded.
  /// The event thread ends when the transport and every body it gave out have been let go of.
  public final class CurlTransport: HTTPTransport {
    public struct Configuration: Sendable {
      /// Connections to one origin (scheme, host and port). Default 6.
      public var connectionsPerHost = 6
      /// Connections in all. Default 12.
      public var totalConnections = 12
      /// A PEM file of certificate authorities to trust instead of the system's. Default `nil`.
      public var certificateAuthorities: URL?
      /// Sent where the request has no User-Agent. Default "Vignette".
      public var userAgent = "Vignette"
      /// Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are honoured. Default `true`.
      public var usesEnvironmentProxies = true
      /// Which addresses may be connected to; where a host has none of them the error is `address.denied`. Default
      /// `nil`: all. With a policy no proxy is used. Linux only: Apple's URLSession does not tell where it connects.
      public var addressPolicy: AddressPolicy?

      public init() {}
    }

    /// One for the whole process, with the default configuration.
    public static let shared = CurlTransport()

    private let configuration: Configuration
    private let thread: Locked<CurlThread?>

    public init(configuration: Configuration = Configuration()) {
      self.configuration = configuration
      thread = Locked(CurlThread(configuration))
    }

    /// - Throws: `HTTPError` where there is no thread, and none to be had.
    private func eventThread(_ request: URLRequest) throws -> CurlThread {
      try thread.withLock { thread in
        if thread == nil { thread = CurlThread(configuration) }
        guard let thread else { throw CurlFailure.noThread(request.url) }
        return thread
      }
    }

    public func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
      try Task.checkCancellation()
      let thread = try eventThread(request)
      let channel = TransferChannel()
      let transfer = CurlTransfer(try OutgoingRequest(request), options: options, channel: channel)
      let reader = TransferReader(channel) { signal in
        switch signal {
        case .demand: thread.post(.resume(transfer))
        case .cancel: thread.post(.cancel(transfer))
        }
      }
      guard thread.post(.start(transfer)) else { throw CurlFailure.noThread(request.url) }
      options.priority?.follow { [weak thread, weak transfer] _ in
        if let transfer { thread?.post(.weigh(transfer)) }
      }
      return HTTPExchange(response: try await reader.head(), body: HTTPBody(reader))
    }
  }
#endif
