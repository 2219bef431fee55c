import Pixels

/// What a GIF file says before its blocks (GIF89a specification, sections 17 to 19).
struct GIFScreen {
  /// The logical screen, enlarged to the first frame where that reaches beyond it, as browsers do.
  var size: PixelSize
  /// The bytes of the file that are the global palette, three a colour; empty where there is none.
  var palette: Range<Int>
  /// Where the blocks begin.
  var end: Int

  /// - Returns: `nil` when `bytes` end within it.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.skip(6), let width = reader.uint16(.little), let height = reader.uint16(.little),
      let flags = reader.uint8(), reader.skip(2)
    else { return nil }
    size = PixelSize(width: Int(width), height: Int(height))
    palette = GIFBlocks.palette(at: reader.offset, flags: flags)
    end = palette.upperBound
    guard bytes.count >= end else { return nil }
  }
}

/// One image of a GIF file: where it lies on the screen, how it is shown, and where its data are.
struct GIFFrame {
  /// As stored: a part of it may lie beyond the screen, and both sides are 0 where the screen's size is meant.
  var rect: PixelRect
  var isInterlaced: Bool
  /// The bytes of the file that are the frame's own palette; empty where it uses the global one.
  var palette: Range<Int>
  /// Where the data begin: the least code size, then sub-blocks.
  var dataOffset: Int
  var control = Control()

  /// A Graphic Control Extension (section 23).
  struct Control {
    var transparentIndex: UInt8?
    /// In hundredths of a second.
    var delay: UInt16 = 0
    var disposal = FrameRecord.Disposal.keep
  }

  /// The rectangle on a screen of this size. Some encoders write 0 for a side as long as the screen's.
  func placed(on screen: PixelSize) -> PixelRect {
    guard rect.size.isEmpty else { return rect }
    return PixelRect(x: rect.x, y: rect.y, size: screen)
  }
}

/// A walk over the blocks of a GIF file that keeps its place between calls, and no pointer.
///
/// Reads the few bytes that say what a block is and how long; the data of images are skipped length by length.
struct GIFBlocks {
  enum Block {
    case frame(GIFFrame)
    /// The trailer, or something that is no block, which browsers take for it.
    case trailer
    /// The bytes end between two blocks.
    case exhausted
    /// The bytes end within a block.
    case incomplete
  }

  /// Where the next block begins; once `next` has found a frame, where that frame does, with its control extension.
  private(set) var offset: Int
  /// How many times the frames are shown in all; 0 for without end. `nil` until an extension says so.
  private(set) var loopCount: Int?

  private static let imageSeparator: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21
  private static let graphicControl: UInt8 = 0xF9
  private static let application: UInt8 = 0xFF

  init(at offset: Int) { self.offset = offset }

  /// The next frame. Its data are not read: `skipData(of:in:)` comes before the next call.
  mutating func next(in bytes: UnsafeRawBufferPointer) -> Block {
    var reader = ByteReader(bytes, at: offset)
    var control: (value: GIFFrame.Control, offset: Int)?
    while let introducer = reader.uint8() {
      let start = reader.offset - 1
      switch introducer {
      case Self.extensionIntroducer:
        guard let label = reader.uint8() else { return .incomplete }
        switch label {
        case Self.graphicControl: control = Self.control(reader).map { ($0, start) }
        case Self.application: loopCount = Self.loopCount(reader) ?? loopCount
        default: break
        }
        guard Self.skipSubBlocks(&reader) else { return .incomplete }
      case Self.imageSeparator:
        guard var frame = Self.descriptor(&reader) else { return .incomplete }
        frame.control = control?.value ?? frame.control
        offset = control?.offset ?? start
        return .frame(frame)
      default: return .trailer
      }
    }
    return .exhausted
  }

  /// Moves behind a frame's data.
  /// - Returns: `false` when the bytes end before they do.
  mutating func skipData(of frame: GIFFrame, in bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes, at: frame.dataOffset)
    guard reader.skip(1), Self.skipSubBlocks(&reader) else { return false }
    offset = reader.offset
    return true
  }

  /// A palette's place by the flags before it: the lowest three bits are its size.
  static func palette(at offset: Int, flags: UInt8) -> Range<Int> {
    offset..<offset + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
  }

  /// Section 20.
  private static func descriptor(_ reader: inout ByteReader) -> GIFFrame? {
    guard let x = reader.uint16(.little), let y = reader.uint16(.little), let width = reader.uint16(.little),
      let height = reader.uint16(.little), let flags = reader.uint8()
    else { return nil }
    let palette = palette(at: reader.offset, flags: flags)
    guard reader.skip(UInt32(palette.count)) else { return nil }
    let isEmpty = width == 0 || height == 0
    let size = isEmpty ? .zero : PixelSize(width: Int(width), height: Int(height))
    return GIFFrame(
      rect: PixelRect(x: Int(x), y: Int(y), size: size), isInterlaced: flags & 0x40 != 0, palette: palette,
      dataOffset: palette.upperBound)
  }

  /// Section 23. A method of disposal of 4 is what some encoders write for 3.
  private static func control(_ block: ByteReader) -> GIFFrame.Control? {
    var reader = block
    guard let length = reader.uint8(), length >= 4, let flags = reader.uint8(), let delay = reader.uint16(.little),
      let index = reader.uint8()
    else { return nil }
    let disposal: FrameRecord.Disposal =
      switch flags >> 2 & 7 {
      case 2: .clear
      case 3, 4: .restore
      default: .keep
      }
    return GIFFrame.Control(transparentIndex: flags & 1 == 0 ? nil : index, delay: delay, disposal: disposal)
  }

  /// Netscape's extension holds the number of repetitions behind the first showing, as every browser counts.
  private static func loopCount(_ block: ByteReader) -> Int? {
    var reader = block
    guard reader.starts(with: "\u{B}NETSCAPE2.0") || reader.starts(with: "\u{B}ANIMEXTS1.0"), reader.skip(12),
      let length = reader.uint8(), length >= 3, reader.uint8().map({ $0 & 7 }) == 1,
      let repetitions = reader.uint16(.little)
    else { return nil }
    return repetitions == 0 ? 0 : Int(repetitions) + 1
  }

  /// Section 15: a length and so many bytes, until a length of 0.
  private static func skipSubBlocks(_ reader: inout ByteReader) -> Bool {
    while let length = reader.uint8() {
      if length == 0 { return true }
      guard reader.skip(UInt32(length)) else { return false }
    }
    return false
  }
}
