#if !canImport(Darwin)
  import Pixels

  /// The ICC profile of a TIFF (ICC.1:2022, annex B.2).
  enum TIFFProfile {
    /// - Returns: `nil` where there is none, or one longer than the limit.
    static func read(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) -> ColorProfile? {
      guard let directory = try? TIFFDirectory(bytes, limits: limits), let field = try? directory.field(.profile),
        let content = try? directory.content(field), content.count <= limits.maximumProfileBytes
      else { return nil }
      return ColorProfile(Array(content))
    }
  }
#endif
