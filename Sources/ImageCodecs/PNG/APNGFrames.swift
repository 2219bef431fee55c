import Pixels

/// The frames of an animated PNG (PNG specification, third edition, sections 11.3.6 and 4.10).
///
/// Each frame is put together as a PNG file of its own, from the header, what says how to read its pixels, and its data,
/// and decoded by the platform like any other. The picture of the IDAT chunks is a frame only where a frame control
/// stands before it.
struct APNGFrames: FrameSource {
  private typealias Kind = PNGChunk.Kind

  let canvas: PixelSize
  let loopCount: Int
  private let isOpaque: Bool
  private let frameCount: Int
  private var framesFound = 0
  /// Whether the file ends behind the last frame found, without saying so.
  private var isCut = false
  private var chunks = PNGChunks()
  private var nextSequenceNumber: UInt32 = 0
  /// The chunks that say what the pixels mean, the first of each kind.
  private var shared: [PNGChunk] = []
  private let limits: DecodeLimits

  private static let sharedKinds: Set<UInt32> = [
    Kind.palette, Kind.transparency, Kind.gamma, Kind.chromaticities, Kind.standardRGB, Kind.profile,
    Kind.codingPoints,
  ]

  init(_ info: ImageInfo, _ animation: AnimationInfo, limits: DecodeLimits) {
    self.limits = limits
    canvas = info.storedSize
    loopCount = animation.loopCount
    frameCount = animation.frameCount ?? 0
    isOpaque = !info.hasAlpha
  }

  mutating func scanFrame(in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
    if isCut { throw CodecError.truncated(.png) }
    guard framesFound < frameCount else { return nil }
    var record: FrameRecord?
    while true {
      let start = chunks
      guard let chunk = try chunks.next(in: bytes), chunks.offset <= bytes.count else {
        chunks = start
        // Of a frame that has data its picture tells whether that is all of them.
        guard var record, start.offset > record.bytes.upperBound else { throw CodecError.truncated(.png) }
        isCut = true
        record.mayBeCut = true
        return finish(record, end: start.offset)
      }
      switch chunk.type {
      case Kind.frameControl:
        // The next frame's, so that the one before it is complete.
        if record != nil {
          chunks = start
          return finish(record, end: start.offset)
        }
        try checkSequence(chunk, bytes)
        record = try self.record(chunk, bytes)
      case Kind.frameData: try checkSequence(chunk, bytes)
      case Kind.end:
        chunks = start
        return finish(record, end: start.offset)
      default:
        try share(chunk)
      }
    }
  }

  /// Keeps a chunk that every frame repeats.
  private mutating func share(_ chunk: PNGChunk) throws {
    guard Self.sharedKinds.contains(chunk.type), !shared.contains(where: { $0.type == chunk.type }) else { return }
    shared.append(chunk)
    try limits.checkMetadata(shared.reduce(0) { $0 + $1.content.count })
  }

  private mutating func finish(_ record: FrameRecord?, end: Int) -> FrameRecord? {
    guard var record else { return nil }
    record.bytes = record.bytes.lowerBound..<end
    framesFound += 1
    return record
  }

  /// Frame controls and frame data are numbered together.
  private mutating func checkSequence(_ chunk: PNGChunk, _ bytes: UnsafeRawBufferPointer) throws {
    var reader = chunk.reader(in: bytes)
    guard reader.uint32(.big) == nextSequenceNumber else { throw CodecError.corrupt(.png, "frames out of order") }
    nextSequenceNumber += 1
  }

  /// Section 11.3.6.2.
  private func record(_ chunk: PNGChunk, _ bytes: UnsafeRawBufferPointer) throws -> FrameRecord {
    var reader = chunk.reader(in: bytes).dropping(4)
    guard let width = reader.uint32(.big), let height = reader.uint32(.big), let x = reader.uint32(.big),
      let y = reader.uint32(.big), let delay = reader.uint16(.big), let unit = reader.uint16(.big),
      let disposal = reader.uint8(), let blending = reader.uint8(), disposal <= 2, blending <= 1
    else { throw CodecError.corrupt(.png, "a frame without its description") }
    let rect = PixelRect(x: Int(x), y: Int(y), size: PixelSize(width: Int(width), height: Int(height)))
    guard !rect.size.isEmpty, rect.clipped(to: canvas) == rect else {
      throw CodecError.corrupt(.png, "a frame outside the picture")
    }
    return FrameRecord(
      rect: rect, duration: FrameDuration.shown(seconds: Double(delay) / Double(unit == 0 ? 100 : unit)),
      disposal: [.keep, .clear, .restore][Int(disposal)], blending: blending == 0 ? .replace : .over,
      isOpaque: isOpaque, bytes: chunk.whole.lowerBound..<chunk.whole.upperBound)
  }

  func rows(
    of frame: FrameRecord, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
  ) throws -> any RowSource {
    let file = try PNGFrameFile(frame, sharing: shared, bytes)
    let info = ImageInfo(format: .png, storedSize: frame.rect.size, hasAlpha: !isOpaque)
    return try OwningRowSource(file.memory) { try StillRows.make($0, info: info, limits: limits) }
  }
}
