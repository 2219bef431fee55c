import Pixels

/// The frames of an animation scanned so far, within the limits, and from which of them composition can start.
struct FrameIndex {
  private(set) var source: any FrameSource
  private(set) var frames: [FrameRecord] = []
  private(set) var isComplete = false
  /// For each frame, the one at which to start on a blank canvas so as to have it whole.
  private var starts: [Int] = []
  /// For each frame, the one at which to start so as to have what is under it, too, which it may give back.
  private var bases: [Int] = []
  /// Whether the canvas is blank before the last frame scanned is drawn.
  private var isBlankBeforeLast = true
  /// Why scanning cannot go on.
  private var failure: (any Error)?
  private let limits: DecodeLimits

  init(_ source: any FrameSource, limits: DecodeLimits) {
    self.source = source
    self.limits = limits
  }

  /// Scans on until frame `index` is known.
  /// - Returns: `nil` where there are not so many.
  mutating func frame(at index: Int, in bytes: UnsafeRawBufferPointer) throws -> FrameRecord? {
    while frames.count <= index, !isComplete { try scanNext(bytes) }
    return frames.indices.contains(index) ? frames[index] : nil
  }

  mutating func scanAll(_ bytes: UnsafeRawBufferPointer) throws {
    while !isComplete { try scanNext(bytes) }
  }

  /// The frame at which to start on a blank canvas so as to compose frame `index`, which has been scanned. A canvas begun
  /// later may lack what a frame gives back when it is restored.
  func start(for index: Int) -> Int { starts[index] }

  private mutating func scanNext(_ bytes: UnsafeRawBufferPointer) throws {
    if let failure { throw failure }
    do {
      try scan(bytes)
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws {
    guard let frame = try source.scanFrame(in: bytes) else {
      isComplete = true
      return
    }
    let count = frames.count + 1
    let (pixels, overflow) = source.canvas.area.multipliedReportingOverflow(by: count)
    guard count <= limits.maximumFrames, !overflow, pixels <= limits.maximumAnimationPixels else {
      throw CodecError.tooManyFrames(limits)
    }
    let isBlank = isBlankBefore(frames.last)
    let coversAll = frame.rect.covers(source.canvas) && (frame.isOpaque || frame.blending == .replace)
    let previous = frames.count - 1
    let base = isBlank ? frames.count : frames[previous].disposal == .restore ? bases[previous] : starts[previous]
    bases.append(base)
    starts.append(coversAll ? frames.count : base)
    isBlankBeforeLast = isBlank
    frames.append(frame)
  }

  /// Whether the canvas is blank once `previous`, the last frame scanned, has been disposed of.
  private func isBlankBefore(_ previous: FrameRecord?) -> Bool {
    switch previous?.disposal {
    case nil: true
    case .keep: false
    case .clear: isBlankBeforeLast || previous?.rect.covers(source.canvas) == true
    case .restore: isBlankBeforeLast
    }
  }
}
