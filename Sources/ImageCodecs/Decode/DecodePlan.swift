import Pixels

/// The sizes of one decode, worked out from the header and checked against the limits before anything is allocated, and
/// what becomes of the colours.
///
/// The box is applied to the size as displayed, so that a picture stored on its side fits as it is seen.
struct DecodePlan {
  /// No side of a source is longer, whatever the limits. libpng's own bound, and enough to keep a single row within
  /// 8 MB.
  static let maximumSide = 1_000_000

  /// The size of the stored rows.
  let source: PixelSize
  /// The size of the result, as displayed.
  let output: PixelSize
  let orientation: Orientation
  let colors: ColorPolicy

  /// The size of the result before it is turned.
  var storedOutput: PixelSize { output.oriented(orientation) }
  var isScaled: Bool { storedOutput != source }

  init(_ info: ImageInfo, target: DecodeTarget, limits: DecodeLimits, colors: ColorPolicy) throws {
    self.colors = colors
    source = info.storedSize
    orientation = info.orientation
    switch target {
    case .full: output = info.size
    case .box(let box, let mode):
      output = info.isDrawing ? info.size.resized(into: box, mode: mode) : info.size.scaled(into: box, mode: mode)
    }
    try limits.checkSource(source)
    try limits.checkFull(output)
  }

  /// A plan for a part of a file whose sizes are known to be within the limits, upright.
  init(source: PixelSize, output: PixelSize, colors: ColorPolicy) {
    self.colors = colors
    self.source = source
    self.output = output
    orientation = .up
  }
}
