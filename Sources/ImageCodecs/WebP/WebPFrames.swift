import Pixels

/// The frames of an animated WebP (RFC 9649, section 2.7.1).
///
/// The container is read here and not by libwebpdemux, which lists every frame at once and keeps a pointer to the bytes.
struct WebPFrames: FrameSource {
  private typealias Kind = WebPChunk.Kind

  let canvas: PixelSize
  let loopCount: Int
  /// Where the next chunk begins, and where the file says that the last one ends.
  private var offset: Int
  private let end: Int

  init(_ info: ImageInfo, _ animation: AnimationInfo, in bytes: UnsafeRawBufferPointer) throws {
    canvas = info.storedSize
    loopCount = animation.loopCount
    let file = ByteReader(bytes)
    guard let length = WebPHeader.declaredLength(file), case var header = file.dropping(16),
      let headerLength = header.uint32(.little)
    else { throw CodecError.truncated(.webp) }
    end = Int(clamping: length)
    offset = 20 + Int(headerLength) + Int(headerLength & 1)
  }

  mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
    while offset < end {
      var reader = ByteReader(bytes, at: offset)
      guard let type = reader.uint32(.big), let length = reader.uint32(.little) else {
        throw CodecError.truncated(.webp)
      }
      let content = reader.offset..<reader.offset + Int(length)
      guard content.upperBound <= end else { throw CodecError.corrupt(.webp, "a chunk that is longer than the file") }
      guard content.upperBound <= bytes.count else { throw CodecError.truncated(.webp) }
      let record = type == Kind.frame ? try record(content, bytes) : nil
      offset = content.upperBound + Int(length & 1)
      if let record { return record }
    }
    return nil
  }

  private func record(_ content: Range<Int>, _ bytes: UnsafeRawBufferPointer) throws -> FrameRecord {
    var reader = ByteReader(bytes.part(content))
    guard let x = reader.uint24LittleEndian(), let y = reader.uint24LittleEndian(),
      let width = reader.uint24LittleEndian(), let height = reader.uint24LittleEndian(),
      let milliseconds = reader.uint24LittleEndian(), let flags = reader.uint8(),
      let data = imageData(in: content.lowerBound + reader.offset..<content.upperBound, bytes)
    else { throw CodecError.corrupt(.webp, "a frame without a picture") }
    let size = PixelSize(width: Int(width) + 1, height: Int(height) + 1)
    let rect = PixelRect(x: Int(x) * 2, y: Int(y) * 2, size: size)
    guard rect.clipped(to: canvas) == rect else { throw CodecError.corrupt(.webp, "a frame outside the picture") }
    return FrameRecord(
      rect: rect, duration: FrameDuration.shown(seconds: Double(milliseconds) / 1000),
      disposal: flags & 1 == 0 ? .keep : .clear, blending: flags & 2 == 0 ? .over : .replace,
      isOpaque: data.isOpaque, bytes: data.bytes)
  }

  /// The chunks of a frame that are its picture: alpha and colours, or both in one.
  private func imageData(
    in content: Range<Int>, _ bytes: UnsafeRawBufferPointer
  ) -> (bytes: Range<Int>, isOpaque: Bool)? {
    var reader = ByteReader(bytes.part(content))
    var start: Int?
    while case let chunk = reader.offset, let type = reader.uint32(.big), let length = reader.uint32(.little),
      var data = reader.take(length)
    {
      let range = content.lowerBound + (start ?? chunk)..<content.lowerBound + reader.offset
      switch type {
      case Kind.alpha: start = chunk
      case Kind.lossy: return (range, start == nil)
      case Kind.lossless:
        data.skip(1)
        return (range, data.uint32(.little).map { $0 >> 28 & 1 == 0 } ?? false)
      default: break
      }
      reader.skip(length & 1)
    }
    return nil
  }

  func rows(
    of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
  ) throws -> any RowSource {
    try StillRows.webPFrame(bytes.part(frame.bytes), size: frame.rect.size, isOpaque: frame.isOpaque)
  }
}
