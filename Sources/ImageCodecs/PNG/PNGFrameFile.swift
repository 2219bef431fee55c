import Pixels

/// One frame of an animated PNG as a PNG file of its own.
struct PNGFrameFile {
  private typealias Kind = PNGChunk.Kind
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let memory: ScratchMemory<UInt8>
  private var count = 0

  /// - Parameter shared: chunks that are copied as they are.
  /// - Throws: `image.corrupt` where there are no data, or damaged ones.
  init(_ frame: FrameRecord, sharing shared: [PNGChunk], _ bytes: UnsafeRawBufferPointer) throws {
    // The frame control is longer than what takes its place, and a frame's data chunk than an image's.
    let sharedCount = shared.reduce(0) { $0 + $1.content.count + 12 }
    memory = try ScratchMemory(count: 8 + 25 + sharedCount + frame.bytes.count + 12)
    append(Self.signature)
    try appendHeader(frame.rect.size, bytes)
    for chunk in shared { append(bytes.part(chunk.whole)) }
    var (chunks, hasData) = (PNGChunks(at: frame.bytes.lowerBound), false)
    while chunks.offset < frame.bytes.upperBound, let chunk = try chunks.next(in: bytes) {
      switch chunk.type {
      case Kind.imageData: append(bytes.part(chunk.whole))
      case Kind.frameData:
        guard chunk.content.count >= 4, chunk.hasRightChecksum(in: bytes) else {
          throw CodecError.corrupt(.png, "frame data with a wrong checksum")
        }
        // The data behind a sequence number.
        appendChunk(Kind.imageData, bytes.part(chunk.content.lowerBound + 4..<chunk.content.upperBound))
      default: continue
      }
      hasData = true
    }
    guard hasData else { throw CodecError.corrupt(.png, "a frame without data") }
    appendChunk(Kind.end, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// The file's header with another size.
  private mutating func appendHeader(_ size: PixelSize, _ bytes: UnsafeRawBufferPointer) throws {
    var chunks = PNGChunks()
    guard let header = try chunks.next(in: bytes), header.content.count == 13 else { throw CodecError.corrupt(.png) }
    let sides = [size.width, size.height].flatMap { Self.bigEndian(UInt32(clamping: $0)) }
    let content = sides + bytes.part(header.content.lowerBound + 8..<header.content.upperBound)
    content.withUnsafeBytes { appendChunk(Kind.header, $0) }
  }

  private mutating func appendChunk(_ type: UInt32, _ content: UnsafeRawBufferPointer) {
    append(Self.bigEndian(UInt32(clamping: content.count)))
    let start = count
    append(Self.bigEndian(type))
    append(content)
    var checksum = CRC32()
    checksum.update(UnsafeRawBufferPointer(start: memory.start + start, count: count - start))
    append(Self.bigEndian(checksum.value))
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    let room = UnsafeMutableBufferPointer(start: memory.start + count, count: memory.count - count)
    count = room.update(fromContentsOf: bytes) + count
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}

extension PNGChunk {
  func reader(in bytes: UnsafeRawBufferPointer) -> ByteReader { ByteReader(bytes.part(content)) }

  /// Of the type and the content. All of the chunk must be there.
  func hasRightChecksum(in bytes: UnsafeRawBufferPointer) -> Bool {
    var checksum = CRC32()
    checksum.update(bytes.part(content.lowerBound - 4..<content.upperBound))
    var reader = ByteReader(bytes, at: content.upperBound)
    return reader.uint32(.big) == checksum.value
  }
}
