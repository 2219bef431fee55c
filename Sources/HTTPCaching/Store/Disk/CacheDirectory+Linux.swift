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

    /// Tells programs that make backups to leave the directory out, by the Cache Directory Tagging Specification
    /// (bford.info/cachedir), whose signature stands at the beginning.
    static func prepare(_ directory: String) {
      let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# This directory is a cache of HTTP responses.\n"
      try? POSIXFiles.write(directory + "/CACHEDIR.TAG", Data(tag.utf8))
    }
  }
#endif
