import Pixels

/// The frames of a GIF file.
struct GIFFrames: FrameSource {
  private let screen: GIFScreen
  private var blocks: GIFBlocks

  var canvas: PixelSize { screen.size }
  var loopCount: Int { blocks.loopCount ?? 1 }

  init(_ bytes: UnsafeRawBufferPointer) throws {
    guard let file = try GIFFile(bytes) else { throw CodecError.truncated(.gif) }
    screen = file.screen
    blocks = file.blocks
  }

  mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
    switch blocks.next(in: bytes) {
    case .trailer, .exhausted: return nil
    case .incomplete: throw CodecError.truncated(.gif)
    case .frame(let frame):
      let start = blocks.offset
      guard blocks.skipData(of: frame, in: bytes) else { throw CodecError.truncated(.gif) }
      return record(frame, bytes: start..<blocks.offset)
    }
  }

  private func record(_ frame: GIFFrame, bytes: Range<Int>) -> FrameRecord {
    FrameRecord(
      rect: frame.placed(on: screen.size),
      duration: FrameDuration.shown(seconds: Double(frame.control.delay) / 100), disposal: frame.control.disposal,
      blending: .over, isOpaque: frame.control.transparentIndex == nil, bytes: bytes)
  }

  func rows(
    of record: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
  ) throws -> any RowSource {
    var blocks = GIFBlocks(at: record.bytes.lowerBound)
    guard case .frame(var frame) = blocks.next(in: bytes) else { throw CodecError.corrupt(.gif) }
    frame.rect = record.rect
    return try GIFRowSource(frame, of: screen, bytes: bytes, limits: limits)
  }
}
