#if !canImport(Darwin)
  extension SourceColor {
    /// What a file says of its colours.
    ///
    /// A profile that is damaged, incomplete or longer than the limit is passed over, as browsers do: the picture is worth
    /// more than its exact colours.
    /// - Returns: `nil` for sRGB and for files that say nothing, which are taken for it.
    static func read(_ bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> SourceColor? {
      guard info.colorSpace != .untagged, info.colorSpace != .sRGB else { return nil }
      switch info.format {
      case .jpeg: return JPEGProfile.read(bytes, maximum: limits.maximumProfileBytes).map { .profile($0) }
      case .png: return PNGColor.read(bytes, maximum: limits.maximumProfileBytes)
      case .webp: return WebPProfile.read(bytes, maximum: limits.maximumProfileBytes).map { .profile($0) }
      case .tiff: return TIFFProfile.read(bytes, limits: limits).map { .profile($0) }
      default: return nil
      }
    }
  }
#endif
