#if !canImport(Darwin)
  import CachingProxy
  import Foundation
  import HTTPCaching

  /// `vignette proxy`: answers HTTP from a cache until a signal ends it.
  struct ProxyCommand {
    static let isAvailable = true

    private let options: ProxyOptions

    init(_ options: ProxyOptions) { self.options = options }

    /// Exchanges that wait to be printed at most; where nobody reads, later ones are not printed.
    private static let waitingRecords = 10_000

    /// - Returns: whether it ran.
    /// - Throws: `Terminal.Closed`.
    func run(_ terminal: inout Terminal) async throws -> Bool {
      let signals = EndSignals()
      let (records, recorder) = AsyncStream.makeStream(
        of: ProxyRecord.self, bufferingPolicy: .bufferingOldest(Self.waitingRecords))
      let proxy: CachingProxy
      do {
        proxy = try makeProxy(recorder)
      } catch {
        let address = options.port.map { "\(options.host), port \($0)," } ?? options.host
        terminal.printError("vignette: \(address) cannot be listened on: \(error.message).")
        return false
      }
      do {
        try terminal.print(greeting(port: proxy.port))
        let ending = Task {
          await signals.first()
          recorder.finish()
        }
        defer { ending.cancel() }
        for await record in records { try terminal.print(options.isJSON ? record.json : record.text) }
      } catch {
        await proxy.stop()
        throw error
      }
      await proxy.stop()
      return true
    }

    private func makeProxy(
      _ recorder: AsyncStream<ProxyRecord>.Continuation
    ) throws(CachingProxy.Failure) -> CachingProxy {
      var configuration = CachingProxy.Configuration(origin: options.origin)
      configuration.host = options.host
      configuration.port = options.port ?? 0
      configuration.limits = ProxyLimits(descriptors: Self.availableDescriptors())
      configuration.report = { recorder.yield($0) }
      var caching = HTTPLoader.Configuration()
      caching.disk = options.network.cache.map {
        var disk = DiskStore.Configuration(directory: URL(fileURLWithPath: $0, isDirectory: true))
        disk.maximumEntryBytes = configuration.limits.storedBytes
        return disk
      }
      return try CachingProxy(configuration, transport: transport(configuration.limits), caching: caching)
    }

    /// How many files and sockets may be open at a time; raised to what the proxy can use, as far as the system allows.
    private static func availableDescriptors() -> Int {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { return wantedDescriptors }
      let wanted = min(UInt(wantedDescriptors), limit.rlim_max)
      if limit.rlim_cur < wanted {
        limit.rlim_cur = wanted
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
      }
      return Int(clamping: limit.rlim_cur)
    }

    private static let wantedDescriptors = 1024

    private func transport(_ limits: ProxyLimits) -> CurlTransport {
      var configuration = CurlTransport.Configuration()
      configuration.certificateAuthorities = options.network.authorities
      if options.network.isPublicOnly { configuration.addressPolicy = .publicInternetOnly }
      // The field is the client's.
      configuration.userAgent = ""
      configuration.connectionsPerHost = limits.originExchanges
      configuration.totalConnections = limits.originExchanges
      return CurlTransport(configuration: configuration)
    }

    private func greeting(port: UInt16) -> String {
      let host = options.host.contains(":") ? "[\(options.host)]" : options.host
      let origin = options.origin.absoluteString
      guard options.isJSON else { return "Listening on http://\(printable(host)):\(port), for \(printable(origin))" }
      var line = JSONLine()
      line.add("listening", "http://\(host):\(port)")
      line.add("origin", origin)
      return line.text
    }
  }

  extension ProxyRecord {
    fileprivate var json: String {
      var line = JSONLine()
      line.add("method", method)
      line.add("target", target)
      line.add("status", status)
      line.add("cacheStatus", cacheStatus)
      line.add("bytes", bytes)
      line.add(tenths: "milliseconds", milliseconds)
      line.add("isComplete", isComplete)
      return line.text
    }

    fileprivate var text: String {
      "\(printable(method)) \(printable(target)): \(status), \(bytes) bytes\(isComplete ? "" : ", broken off"), "
        + "\(printable(cacheStatus ?? "–")), \(Int(milliseconds.rounded())) ms"
    }
  }
#endif
