#if canImport(Darwin) || !ColorManagement
  import Pixels

  /// Colours as they are: ImageIO has converted them already, or the package is built without colour management.
  struct ColorTransform {
    private init() {}

    let sourceProfile: ColorProfile? = nil

    static func toSRGB(of bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform? {
      nil
    }

    static func toSRGB(from color: SourceColor, model: ColorModel) -> ColorTransform? { nil }

    func apply(_ row: UnsafeMutablePointer<UInt8>, count: Int, isOpaque: Bool) {}
  }
#endif
