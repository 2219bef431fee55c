#if !canImport(Darwin)
  import Foundation

  /// Where caches belong, by the XDG Base Directory Specification.
  enum CacheDirectory {
    static var standard: URL { standard(environment: ProcessInfo.processInfo.environment) }

    /// - Parameter environment: a relative path in `XDG_CACHE_HOME` is to be ignored, as is none.
    static func standard(environment: [String: String]) -> URL {
      let given = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      let caches = given ?? (home ?? FileManager.default.homeDirectoryForCurrentUser).appendingPathComponent(".cache")
      return caches.appendingPathComponent("vignette").appendingPathComponent("http")
    }

    static func excludeFromBackup(_ directory: String) {}
  }
#endif
