import Pixels

/// What the first bytes of a file say about its picture.
public struct ImageInfo: Hashable, Sendable {
  public var format: ImageFormat
  /// The size of the stored rows, before orientation. Of an icon, the size of its largest picture.
  public var storedSize: PixelSize
  public var orientation: Orientation
  /// Whether the file declares transparency; its pixels may all be opaque nevertheless.
  public var hasAlpha: Bool
  /// Bits of a stored colour channel. Default 8; 1 to 16 in PNG, 1 to 64 in TIFF, 4 to 10 in some BMPs. Of a
  /// palette it is the depth of its colours.
  public var bitDepth: Int
  public var colorModel: ColorModel
  /// What the file says its colours mean.
  public var colorSpace: ColorSpaceSummary
  /// Present where the file declares an animation.
  ///
  /// A GIF declares one by its loop extension or by a delay of its first frame; whether there is a second frame is seen
  /// only behind the first one, and `AnimationDecoder.frameCount` tells.
  public var animation: AnimationInfo?

  /// The size as displayed, after orientation.
  public var size: PixelSize { storedSize.oriented(orientation) }
  public var isAnimated: Bool { animation != nil }
  /// Whether it is drawn at the size asked for, also a larger one than its own, rather than made of pixels.
  public var isDrawing: Bool { format == .svg }

  public init(
    format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .up, hasAlpha: Bool = false,
    bitDepth: Int = 8, colorModel: ColorModel = .rgb, colorSpace: ColorSpaceSummary = .untagged,
    animation: AnimationInfo? = nil
  ) {
    self.format = format
    self.storedSize = storedSize
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.bitDepth = bitDepth
    self.colorModel = colorModel
    self.colorSpace = colorSpace
    self.animation = animation
  }
}

/// How the numbers of a stored pixel stand for a colour.
public enum ColorModel: String, Hashable, Sendable {
  case grey, rgb, cmyk
  /// Numbers of colours in a palette.
  case indexed
}

/// What a file says about the meaning of its colours.
public enum ColorSpaceSummary: Hashable, Sendable {
  /// Nothing, which is taken for sRGB.
  case untagged
  case sRGB
  /// By numbers: primaries, a gamma, or the codes of ITU-T H.273.
  case parameters
  /// By an ICC profile, with the name the file has for it at hand.
  case profile(name: String?)
}

/// What a header says of an animation.
public struct AnimationInfo: Hashable, Sendable {
  /// How many times the frames are shown in all; 0 for without end.
  public var loopCount: Int
  /// `nil` where only the end of the file would tell.
  public var frameCount: Int?

  public init(loopCount: Int, frameCount: Int? = nil) {
    self.loopCount = loopCount
    self.frameCount = frameCount
  }
}
