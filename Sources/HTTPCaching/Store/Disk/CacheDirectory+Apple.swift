#if canImport(Darwin)
  import Foundation

  /// Where caches belong: the app's Caches folder, which the system may empty when space runs out.
  enum CacheDirectory {
    static var standard: URL {
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return (caches ?? FileManager.default.temporaryDirectory)
        .appendingPathComponent("vignette").appendingPathComponent("http")
    }

    /// Before anything is in it: a folder of the app's own choice may be one that is backed up, and an app may protect
    /// its files more than a cache can bear. What is made in a directory is protected as it is; this protection lets
    /// loads in the background have the cache while the device is locked, once it has been unlocked since it started.
    static func prepare(_ directory: String) {
      var url = URL(fileURLWithPath: directory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? url.setResourceValues(values)
      #if !os(macOS)
        let protection: [FileAttributeKey: Any] = [
          .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
        ]
        try? FileManager.default.setAttributes(protection, ofItemAtPath: directory)
      #endif
    }
  }
#endif
