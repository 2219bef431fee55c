#if !canImport(Darwin)
  #if ColorManagement
    internal import CLCMS
  #endif
  import Pixels

  extension ColorProfile {
    /// A picture in this space as one in sRGB; `nil` where the two are the same, or the profile cannot be used.
    func pixelsInSRGB(of bitmap: Bitmap, isCancelled: () -> Bool) throws -> Bitmap? {
      guard let transform = ColorTransform.toSRGB(from: .profile(self), model: .rgb) else { return nil }
      return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) { bytes in
        guard bytes.count == bitmap.byteCount else { throw CodecError.outOfMemory(for: bitmap.size) }
        bitmap.withUnsafeBytes { bytes.copyMemory(from: $0) }
        try transform.apply(bytes, size: bitmap.size, isOpaque: bitmap.isOpaque, isCancelled: isCancelled)
      }
    }

    /// The numbers, 0...1, that a colour of sRGB has in this space; the nearest where it lies outside.
    /// - Returns: `nil` where the profile cannot be used.
    package func components(ofSRGB color: SIMD3<Double>) -> SIMD3<Double>? {
      #if ColorManagement
        guard let target = ColorTransform.open(self) else { return nil }
        defer { cmsCloseProfile(target) }
        guard let source = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(source) }
        let transform = cmsCreateTransform(
          source, vg_lcms_rgb_double, target, vg_lcms_rgb_double, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
          cmsUInt32Number(cmsFLAGS_NOCACHE))
        guard let transform else { return nil }
        defer { cmsDeleteTransform(transform) }
        var result = [color.x, color.y, color.z]
        cmsDoTransform(transform, [color.x, color.y, color.z], &result, 1)
        return SIMD3(result[0], result[1], result[2]).clamped(lowerBound: .zero, upperBound: .one)
      #else
        return nil
      #endif
    }
  }
#endif
