import Pixels

/// What the first directory of a TIFF file says of the form of its pixels (TIFF 6.0, section 8).
struct TIFFHeader {
  /// Section 8, PhotometricInterpretation, and those of later supplements.
  enum Photometric: Int {
    case whiteIsZero, blackIsZero, rgb, palette
    /// A mask, in which 1 is what shows.
    case mask
    case inks, yCbCr
    case lab = 8, iccLab, ituLab
    /// Of cameras: a mosaic of filters, and linear light.
    case mosaic = 32803, linear = 34892
    case logLuminance = 32844, logLuv

    /// Samples of a pixel that are its colour.
    var colorSamples: Int {
      switch self {
      case .whiteIsZero, .blackIsZero, .palette, .mask, .mosaic, .logLuminance: 1
      case .rgb, .yCbCr, .lab, .iccLab, .ituLab, .linear, .logLuv: 3
      case .inks: 4
      }
    }
  }

  /// Extra samples that are alpha (section 18).
  struct Alpha {
    /// The place of the sample in a pixel.
    var sample: Int
    /// Whether colours are premultiplied by it.
    var isAssociated: Bool
  }

  let size: PixelSize
  let orientation: Orientation
  /// The most, where samples differ.
  let bitsPerSample: Int
  let hasEqualSamples: Bool
  let samplesPerPixel: Int
  /// `nil` for one that nobody knows.
  let photometric: Photometric?
  let compression: Int
  /// Whether each sample has a plane of its own.
  let isPlanar: Bool
  let alpha: Alpha?
  let colorSpace: ColorSpaceSummary

  /// - Returns: `nil` when the directory or what it refers to is not there yet; it may stand at the end of the file.
  static func read(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws -> ImageInfo? {
    do {
      return try TIFFHeader(TIFFDirectory(bytes, limits: limits)).info
    } catch is TIFFDirectory.Incomplete {
      return nil
    }
  }

  private var info: ImageInfo {
    let model: ColorModel =
      switch photometric {
      case .whiteIsZero, .blackIsZero, .mask, .logLuminance: .grey
      case .palette: .indexed
      case .inks: .cmyk
      default: .rgb
      }
    return ImageInfo(
      format: .tiff, storedSize: size, orientation: orientation, hasAlpha: alpha != nil,
      // Colours of a palette have 16 bits.
      bitDepth: photometric == .palette ? 16 : bitsPerSample, colorModel: model, colorSpace: colorSpace)
  }

  /// - Throws: `TIFFDirectory.Incomplete` where more bytes are needed.
  init(_ directory: TIFFDirectory) throws {
    let sides = 1...Int(UInt32.max)
    guard let width = try directory.number(.width), let height = try directory.number(.height),
      sides.contains(width), sides.contains(height)
    else { throw CodecError.corrupt(.tiff, "a picture without a size") }
    size = PixelSize(width: width, height: height)
    orientation = try directory.number(.orientation).flatMap(UInt8.init(exactly:)).flatMap(Orientation.init) ?? .up
    samplesPerPixel = try directory.number(.samplesPerPixel) ?? 1
    guard 1...Int(UInt16.max) ~= samplesPerPixel else { throw CodecError.corrupt(.tiff, "pixels without samples") }
    let bits = try Self.bits(directory, samples: samplesPerPixel)
    (bitsPerSample, hasEqualSamples) = (bits.most, bits.least == bits.most)
    compression = try directory.number(.compression) ?? 1
    isPlanar = try directory.number(.planarConfiguration) == 2
    let code = try directory.number(.photometric)
    photometric = code.map(Photometric.init) ?? (samplesPerPixel >= 3 ? .rgb : .blackIsZero)
    alpha = try Self.alpha(directory, samples: samplesPerPixel, colors: photometric?.colorSamples ?? 1)
    colorSpace = try Self.colorSpace(directory)
  }

  /// One number for all samples will do.
  private static func bits(_ directory: TIFFDirectory, samples: Int) throws -> (least: Int, most: Int) {
    guard let field = try directory.field(.bitsPerSample) else { return (1, 1) }
    let all = try (0..<max(1, min(field.count, samples))).map { try directory.number(field, at: $0) }
    guard let least = all.min(), let most = all.max(), 1...64 ~= least, 1...64 ~= most else {
      throw CodecError.corrupt(.tiff, "samples of an impossible length")
    }
    return (least, most)
  }

  /// The last samples of a pixel are those that are no colour; of several kinds of alpha the first one holds.
  private static func alpha(_ directory: TIFFDirectory, samples: Int, colors: Int) throws -> Alpha? {
    guard let field = try directory.field(.extraSamples), samples - field.count >= colors else { return nil }
    for index in 0..<field.count {
      let kind = try directory.number(field, at: index)
      if kind == 1 || kind == 2 { return Alpha(sample: samples - field.count + index, isAssociated: kind == 1) }
    }
    return nil
  }

  private static func colorSpace(_ directory: TIFFDirectory) throws -> ColorSpaceSummary {
    guard let field = try directory.field(.profile) else { return .untagged }
    return .profile(name: ICCProfile.name(ByteReader(try directory.content(field))))
  }
}
