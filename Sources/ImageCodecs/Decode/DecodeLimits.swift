/// Bounds of one decode, each checked before the memory or the time is spent that it bounds.
///
/// What a picture may be is read from its header, so that one beyond a limit fails within milliseconds, whatever it claims.
/// The defaults let every picture through that a person would want to see. Text, XMP and whatever else of a file is not
/// needed is passed over unread, however long.
public struct DecodeLimits: Hashable, Sendable {
  // MARK: The file

  /// Longer files fail with `body.tooLarge`, in bytes. Default 256 MiB.
  public var maximumEncodedBytes = 256 << 20
  /// Colour profiles of more bytes than this, unpacked, are passed over, as if the picture had none. Default 4 MiB; the
  /// longest that printers have take 3.
  public var maximumProfileBytes = 4 << 20
  /// Files with more bytes of what else is read beside the picture fail with `image.tooMuchMetadata`: EXIF data, the
  /// description in an AVIF or HEIC of what it holds, what every frame of an animated PNG repeats, in a TIFF its fields and
  /// the places of its strips, and in a JPEG XL its packed profile and the names of its channels. Default 8 MiB.
  public var maximumMetadataBytes = 8 << 20

  // MARK: The picture

  /// Sources that are wider or higher, in pixels, fail with `image.tooManyPixels`. Default 1,000,000, and never more.
  public var maximumSide = DecodePlan.maximumSide
  /// Sources with more pixels than this fail with `image.tooManyPixels`. Default 500 million.
  public var maximumSourcePixels = 500_000_000
  /// Sources with more pixels than this decode only when scaled: more are never held in memory at once. Default
  /// 100 million. Progressive JPEG, interlaced PNG and GIF, BMP of run lengths, WebP that is lossless or transparent, AVIF,
  /// HEIC (of a grid, each cell), JPEG XL, and the frames of animations can only be decoded as a whole, so that this bounds
  /// them at every target size.
  public var maximumFullPixels = 100_000_000
  /// Pictures that take more bytes than this while they are decoded, beside the file and the result, fail with
  /// `image.tooMuchMemory`. Default 1 GiB. Worked out from the header, as the most that the format's decoder holds:
  /// coefficients of all scans of a JPEG, the pixels of all passes of a PNG, planes of an AVIF or HEIC, the canvas of an
  /// animation, a row of tiles or the longest strip of a TIFF, the samples and kept frames of a JPEG XL. Rows that come one
  /// after the other take some kilobytes, which are not counted. The process that draws an SVG may have 512 MiB of
  /// addresses more, for its libraries.
  public var maximumWorkingBytes = 1 << 30

  // MARK: Steps

  /// JPEGs with more scans than this fail with `image.tooManyScans`. Default 100.
  public var maximumScans = 100
  /// AVIFs and HEICs put together from more cells than this fail with `image.tooManyCells`. Default 1,000; cameras make
  /// some dozens.
  public var maximumCells = 1_000
  /// Animations, and pictures of layers, with more frames than this fail with `image.tooManyFrames` where the next one
  /// would be. Default 20,000.
  public var maximumFrames = 20_000
  /// The same for frames times pixels of the picture, which bounds the time that one showing takes. Default 20 billion:
  /// 10,000 frames of 1920x1080.
  public var maximumAnimationPixels = 20_000_000_000
  /// A picture that takes longer fails with `image.timedOut`, in seconds. It is looked at between rows, or scans, or
  /// frames, or parts of a JPEG XL, or slices of a HEIC; AVIF cannot be interrupted while its one picture is decoded, and is
  /// bounded by its pixels. The process that draws an SVG is ended. Default 30.
  public var maximumSeconds: Double = 30

  public init() {}
}
