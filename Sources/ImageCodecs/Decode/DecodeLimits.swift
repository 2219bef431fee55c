/// Bounds checked before memory is allocated.
public struct DecodeLimits: Hashable, Sendable {
  /// Sources with more pixels than this fail with `image.tooManyPixels`. Default 500 million.
  public var maximumSourcePixels = 500_000_000
  /// Sources with more pixels than this decode only when scaled: more are never held in memory at once. Default
  /// 100 million. Progressive JPEG, interlaced PNG and GIF, BMP of run lengths, WebP that is lossless or transparent, and
  /// the frames of animations can only be decoded as a whole, so that this bounds them at every target size.
  public var maximumFullPixels = 100_000_000
  /// Progressive JPEGs with more scans than this fail with `image.tooManyScans`. Default 100.
  public var maximumScans = 100
  /// Animations with more frames than this fail with `image.tooManyFrames` where the next one would be. Default 20,000.
  public var maximumFrames = 20_000
  /// The same for frames times pixels of the picture, which bounds the time that one showing takes. Default 20 billion:
  /// 10,000 frames of 1920x1080.
  public var maximumAnimationPixels = 20_000_000_000

  /// Longer files fail with `body.tooLarge`, in bytes. Default 256 MiB.
  public var maximumEncodedBytes = 256 << 20
  /// A picture that takes longer fails with `image.timedOut`, in seconds. It is looked at between rows, or scans, or
  /// frames; AVIF cannot be interrupted while its one picture is decoded, and is bounded by its pixels. Default 30.
  public var maximumSeconds: Double = 30
  /// Colour profiles of more bytes than this are passed over, as if the picture had none. Default 4 MiB; the longest that
  /// printers have take 3.
  public var maximumProfileBytes = 4 << 20

  public init() {}
}
