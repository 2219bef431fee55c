#if canImport(Darwin)
  import os

  enum StoreLog {
    private static let log = OSLog(subsystem: "vignette", category: "http.store")

    /// The system's log.
    @Sendable static func platform(_ line: String) { line.withCString { os_log(.error, log: log, "%{public}s", $0) } }
  }
#endif
