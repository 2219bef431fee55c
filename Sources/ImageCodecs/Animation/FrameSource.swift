import Pixels

/// One frame of an animation as its file describes it: where it is drawn, how, for how long, and what becomes of it.
struct FrameRecord {
  /// What is done to the frame's rectangle before the next frame is drawn.
  enum Disposal {
    case keep
    /// It becomes transparent. (Browsers pass over the background colours that formats have for this.)
    case clear
    /// It becomes what it was before the frame was drawn.
    case restore
  }

  enum Blending {
    /// The frame is drawn over what is there.
    case over
    /// Its pixels take the place of what is there, transparent ones too.
    case replace
  }

  /// May reach beyond the canvas to the right and below; what is outside is not shown.
  var rect: PixelRect
  /// In seconds, as shown.
  var duration: Double
  var disposal: Disposal
  var blending: Blending
  /// Whether no pixel within `rect` can be transparent.
  var isOpaque: Bool
  /// The bytes of the file that are the frame.
  var bytes: Range<Int>
  /// Whether the file ends here without saying so: some of the frame's data may be missing.
  var mayBeCut = false
  /// Counted from 0, where the format's library finds frames by number.
  var number = 0
}

/// The frames that the file of one format holds, in order.
///
/// Keeps its place in the file and no pointer; every call is given the same bytes. Scanning a frame reads what says how
/// long it is, and not its data.
protocol FrameSource {
  var canvas: PixelSize { get }
  /// How many times the frames are shown in all, as far as has been scanned; 0 for without end.
  var loopCount: Int { get }

  /// The next frame; `nil` behind the last one.
  /// - Throws: `body.truncated` where the file ends within a frame, `image.corrupt`.
  mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord?

  /// What brings its rows to sRGB.
  func colorTransform(in bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform?

  /// The rows of a frame at the size of its rectangle. The bytes must outlive them.
  func rows(
    of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
  ) throws -> any RowSource
}

extension FrameSource {
  func colorTransform(in bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) -> ColorTransform? {
    .toSRGB(of: bytes, info, limits: limits)
  }
}

enum FrameDuration {
  /// Browsers show frames of up to a hundredth of a second for a tenth: files that ask for no time at all, or for less
  /// than the screens of their day had, were made where that was the rule.
  static func shown(seconds: Double) -> Double { seconds <= 0.01 ? 0.1 : seconds }
}
