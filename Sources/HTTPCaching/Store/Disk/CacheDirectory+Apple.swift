#if canImport(Darwin)
  import Foundation

  /// Where caches belong: the app's Caches folder, which the system may empty when space runs out.
  enum CacheDirectory {
    static var standard: URL {
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return (caches ?? FileManager.default.temporaryDirectory)
        .appendingPathComponent("vignette").appendingPathComponent("http")
    }

    /// A folder of the app's own choice may be one that is backed up.
    static func excludeFromBackup(_ directory: String) {
      var url = URL(fileURLWithPath: directory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? url.setResourceValues(values)
    }
  }
#endif
