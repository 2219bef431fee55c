import Pixels

/// Which colour space a picture is decoded to.
public enum ColorPolicy: String, Hashable, Sendable, CaseIterable {
  /// Every picture is converted to sRGB. Default on Linux.
  case sRGB
  /// The pixels of RGB pictures stay as their file has them, wide gamut included, and `Bitmap.colorProfile` says what they
  /// mean: the file's ICC profile, or one made from its code points, gamma and primaries. Default on Apple's platforms.
  ///
  /// Greyscale and CMYK pictures are converted to sRGB, and so are, on Apple's platforms, animations and what has a profile
  /// that cannot be used the other way round. Files that say nothing of their colours, and profiles that come to sRGB, give
  /// no profile. On Linux this needs the package trait `ColorManagement`; without it colours are neither converted nor named.
  case source
}

extension ColorPolicy {
  #if canImport(Darwin)
    /// What is used where nothing is said.
    public static let platformDefault = ColorPolicy.source
  #else
    /// What is used where nothing is said.
    public static let platformDefault = ColorPolicy.sRGB
  #endif
}

/// What is done with the pixels of one picture as they come from its format's library.
struct ColorTreatment {
  /// Applied to them; `nil` where they are left alone.
  var transform: ColorTransform?
  /// Of the pixels that are left alone; `nil` for sRGB.
  var profile: ColorProfile?

  /// The pixels are those of sRGB.
  static let none = ColorTreatment()

  private init() {}

  /// - Parameter transform: what would bring the picture to sRGB; `nil` where it is there already.
  init(_ transform: ColorTransform?, policy: ColorPolicy) {
    if policy == .source, let profile = transform?.sourceProfile {
      self.profile = profile
    } else {
      self.transform = transform
    }
  }
}
