import Pixels

/// A GIF file up to its first image: the screen and that image, which is where the two settle what they leave open.
struct GIFFile {
  /// Enlarged to the first frame where that reaches beyond the logical screen, as browsers do; never empty.
  let screen: GIFScreen
  let first: GIFFrame
  /// The walk, about to come to the first frame.
  let blocks: GIFBlocks

  /// Whether the first frame, shown alone, covers the screen without transparency.
  var isOpaque: Bool { first.control.transparentIndex == nil && first.rect.covers(screen.size) }

  /// - Returns: `nil` when the bytes end within it.
  init?(_ bytes: UnsafeRawBufferPointer) throws {
    guard var screen = GIFScreen(bytes) else { return nil }
    var blocks = GIFBlocks(at: screen.end)
    switch blocks.next(in: bytes) {
    case .incomplete, .exhausted: return nil
    case .trailer: throw CodecError.corrupt(.gif, "it holds no image")
    case .frame(var frame):
      frame.rect = frame.placed(on: screen.size)
      screen.size = PixelSize(
        width: max(screen.size.width, frame.rect.columns.upperBound),
        height: max(screen.size.height, frame.rect.rows.upperBound))
      guard !frame.rect.size.isEmpty else { throw CodecError.corrupt(.gif, "an image without a size") }
      self.screen = screen
      first = frame
      self.blocks = blocks
    }
  }
}

extension GIFFile {
  /// Throws unless every block from the first frame on is there to its end.
  ///
  /// A file may end without its trailer, as in browsers. Of each sub-block only the length is read, so that this takes
  /// well under a millisecond for megabytes of frames.
  func checkWhole(_ bytes: UnsafeRawBufferPointer) throws {
    var blocks = blocks
    while true {
      switch blocks.next(in: bytes) {
      case .frame(let frame):
        guard blocks.skipData(of: frame, in: bytes) else { throw CodecError.truncated(.gif) }
      case .incomplete: throw CodecError.truncated(.gif)
      case .exhausted, .trailer: return
      }
    }
  }
}
