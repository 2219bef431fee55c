#if !canImport(Darwin) && ColorManagement
  internal import CLCMS
  import Pixels
  import Synchronized

  /// Brings pixels from the colours of their file to sRGB, through Little CMS.
  ///
  /// guard: `transform` is made without Little CMS's cache of the last pixel and never changed, so that any number of
  /// threads may use it at once (Little CMS manual, "Multithreading").
  final class ColorTransform: @unchecked Sendable {
    private let transform: cmsHTRANSFORM
    private let model: ColorModel
    /// What an RGB picture's numbers mean as they are in its file; `nil` for other models.
    let sourceProfile: ColorProfile?

    /// - Returns: `nil` where nothing is to be done: the colours are those of sRGB within a level, or the profile is
    ///   damaged or for another kind of pixels. Such a picture is shown as if it were not tagged, as in browsers.
    static func toSRGB(of bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform? {
      SourceColor.read(bytes, info, limits: limits).flatMap { toSRGB(from: $0, model: info.colorModel) }
    }

    static func toSRGB(from color: SourceColor, model: ColorModel) -> ColorTransform? {
      cache.transform(color, model)
    }

    private init?(_ color: SourceColor, model: ColorModel) {
      self.model = model
      guard let source = Self.profile(color, model) else { return nil }
      defer { cmsCloseProfile(source) }
      guard cmsGetColorSpace(source) == Self.signature(of: model), let target = cmsCreate_sRGBProfile() else {
        return nil
      }
      defer { cmsCloseProfile(target) }
      guard
        let transform = cmsCreateTransform(
          source, Self.layout(of: model), target, Self.outputLayout, cmsUInt32Number(INTENT_PERCEPTUAL),
          cmsUInt32Number(cmsFLAGS_NOCACHE))
      else { return nil }
      self.transform = transform
      sourceProfile = Self.signature(of: model) == cmsSigRgbData ? Self.saved(source, color) : nil
      if isIdentity { return nil }
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts a row of RGBA, premultiplied; of CMYK, where the row becomes opaque RGBA.
    func apply(_ row: UnsafeMutablePointer<UInt8>, count: Int, isOpaque: Bool) {
      if !isOpaque, model != .cmyk { Alpha.unpremultiply(row, count: count) }
      // In place: each pixel is read before it is written, and the fourth byte is left alone.
      cmsDoTransform(transform, row, row, cmsUInt32Number(count))
      if model == .cmyk {
        Alpha.makeOpaque(row, count: count)
      } else if !isOpaque {
        Alpha.premultiply(row, count: count)
      }
    }

    // MARK: Profiles

    static func open(_ profile: ColorProfile) -> cmsHPROFILE? {
      profile.bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number(clamping: $0.count)) }
    }

    private static func profile(_ color: SourceColor, _ model: ColorModel) -> cmsHPROFILE? {
      switch color {
      case .profile(let profile): return open(profile)
      case .parameters(let chromaticities, let transfer):
        guard chromaticities.isUsable, let curve = curve(transfer) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: chromaticities.white.x, y: chromaticities.white.y, Y: 1)
        if model == .grey { return cmsCreateGrayProfile(&white, curve) }
        func point(_ xy: SIMD2<Double>) -> cmsCIExyY { cmsCIExyY(x: xy.x, y: xy.y, Y: 1) }
        var primaries = cmsCIExyYTRIPLE(
          Red: point(chromaticities.red), Green: point(chromaticities.green), Blue: point(chromaticities.blue))
        return [curve, curve, curve].withUnsafeBufferPointer {
          cmsCreateRGBProfile(&white, &primaries, $0.baseAddress)
        }
      }
    }

    /// The profile as it is in the file, or written from what the file says instead.
    private static func saved(_ profile: cmsHPROFILE, _ color: SourceColor) -> ColorProfile? {
      if case .profile(let known) = color { return known }
      var count = cmsUInt32Number(0)
      guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(count))
      guard cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { return nil }
      return ColorProfile(bytes)
    }

    private static func curve(_ transfer: TransferFunction) -> OpaquePointer? {
      switch transfer {
      case .linear: return cmsBuildGamma(nil, 1)
      case .gamma(let exponent): return cmsBuildGamma(nil, exponent)
      // Of the form that ICC profiles number 3 and Little CMS 4 (ICC.1:2022, table 68).
      case .sRGB: return cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      case .perceptualQuantizer, .hybridLogGamma: return table(transfer)
      }
    }

    private static func table(_ transfer: TransferFunction) -> OpaquePointer? {
      let steps = 4096
      let table = (0..<steps).map { step in
        UInt16((min(max(transfer.light(of: Double(step) / Double(steps - 1)), 0), 1) * 65_535).rounded())
      }
      return cmsBuildTabulatedToneCurve16(nil, cmsUInt32Number(steps), table)
    }

    // MARK: Pixels

    private static func signature(of model: ColorModel) -> cmsColorSpaceSignature {
      switch model {
      case .grey: cmsSigGrayData
      case .rgb, .indexed: cmsSigRgbData
      case .cmyk: cmsSigCmykData
      }
    }

    /// Four bytes a pixel in every case. Grey comes as three equal channels, of which the first is read; inks come as
    /// 255 less their amount, as JPEG stores them.
    private static func layout(of model: ColorModel) -> cmsUInt32Number {
      switch model {
      case .grey: vg_lcms_grey_and_three
      case .rgb, .indexed: outputLayout
      case .cmyk: vg_lcms_cmyk_reversed
      }
    }

    private static let outputLayout = vg_lcms_rgba

    private var isIdentity: Bool {
      guard model != .cmyk else { return false }
      let levels = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
      var pixels: [UInt8] = []
      for red in levels {
        for green in model == .grey ? [red] : levels {
          for blue in model == .grey ? [red] : levels { pixels += [red, green, blue, 255] }
        }
      }
      pixels += (0...255).flatMap { [$0, $0, $0, 255] as [UInt8] }
      var converted = pixels
      cmsDoTransform(transform, pixels, &converted, cmsUInt32Number(pixels.count / 4))
      return zip(pixels, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    // MARK: Cache

    /// Pictures of one source have one profile, and reading it costs more than a thumbnail's pixels do.
    private final class Cache: Sendable {
      private struct Entry: Sendable {
        var color: SourceColor
        var model: ColorModel
        /// `nil` where there is nothing to be done.
        var transform: ColorTransform?
      }

      private static let capacity = 8
      /// Larger profiles are read each time.
      private static let maximumBytes = 1 << 20

      /// The last used first.
      private let entries = Locked<[Entry]>([])

      func transform(_ color: SourceColor, _ model: ColorModel) -> ColorTransform? {
        if let known = find(color, model) { return known.transform }
        let made = ColorTransform(color, model: model)
        if case .profile(let profile) = color, profile.bytes.count > Self.maximumBytes { return made }
        entries.withLock { entries in
          entries.insert(Entry(color: color, model: model, transform: made), at: 0)
          if entries.count > Self.capacity { entries.removeLast() }
        }
        return made
      }

      private func find(_ color: SourceColor, _ model: ColorModel) -> Entry? {
        entries.withLock { entries in
          guard let index = entries.firstIndex(where: { $0.model == model && $0.color == color }) else { return nil }
          let entry = entries.remove(at: index)
          entries.insert(entry, at: 0)
          return entry
        }
      }
    }

    private static let cache = Cache()
  }
#endif
