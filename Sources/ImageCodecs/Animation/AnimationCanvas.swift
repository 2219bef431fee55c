import Pixels

/// The picture that an animation's frames are drawn on, one after the other: premultiplied RGBA at full size.
///
/// Holds the canvas, and what is under a frame that has to be taken away again. A call that throws leaves the canvas
/// unusable until `clear`. Unsafe: used by one thread at a time.
final class AnimationCanvas {
  let size: PixelSize
  /// Whether every pixel is known to be opaque.
  private(set) var isOpaque = false
  private let pixels: ScratchMemory<UInt8>
  /// The last frame drawn, which is disposed of before the next.
  private var last: FrameRecord?
  /// What is under `last`, where that is to be restored.
  private var saved: (pixels: ScratchMemory<UInt8>, isOpaque: Bool)?

  private var bytesPerRow: Int { size.width * 4 }

  init(size: PixelSize) throws {
    self.size = size
    pixels = try ScratchMemory(count: size.area * 4)
  }

  /// Makes everything transparent, as before the first frame.
  func clear() {
    pixels.start.update(repeating: 0, count: size.area * 4)
    (last, saved, isOpaque) = (nil, nil, false)
  }

  /// Disposes of the last frame and draws the next.
  func draw(_ frame: FrameRecord, rows: any RowSource, isCancelled: () -> Bool) throws {
    disposeOfLast()
    let shown = frame.rect.clipped(to: size)
    if frame.disposal == .restore { saved = (try copy(shown), isOpaque) }
    last = frame
    try rows.prepare(isCancelled: isCancelled)
    let row = try ScratchMemory<UInt8>(count: rows.size.width * 4)
    for y in shown.rows {
      if isCancelled() { throw CancellationError() }
      try rows.readRow(into: row.start)
      let target = pixels.start + y * bytesPerRow + shown.x * 4
      if frame.blending == .replace || frame.isOpaque {
        target.update(from: row.start, count: shown.size.width * 4)
      } else {
        Alpha.blend(row.start, over: target, count: shown.size.width)
      }
    }
    // Of a frame that reaches below the canvas the rest is not looked at.
    if shown.size.height == rows.size.height { try rows.finish() }
    noteOpacity(frame)
  }

  private func noteOpacity(_ frame: FrameRecord) {
    if frame.isOpaque {
      isOpaque = isOpaque || frame.rect.covers(size)
    } else if frame.blending == .replace {
      isOpaque = false
    }
  }

  private func disposeOfLast() {
    guard let last else { return }
    let shown = last.rect.clipped(to: size)
    switch last.disposal {
    case .keep: break
    case .clear:
      for y in shown.rows {
        (pixels.start + y * bytesPerRow + shown.x * 4).update(repeating: 0, count: shown.size.width * 4)
      }
      if !shown.size.isEmpty { isOpaque = false }
    case .restore:
      guard let saved else { break }
      let count = shown.size.width * 4
      for (index, y) in shown.rows.enumerated() {
        (pixels.start + y * bytesPerRow + shown.x * 4).update(from: saved.pixels.start + index * count, count: count)
      }
      isOpaque = saved.isOpaque
    }
    (self.last, saved) = (nil, nil)
  }

  private func copy(_ rect: PixelRect) throws -> ScratchMemory<UInt8> {
    let count = rect.size.width * 4
    let copy = try ScratchMemory<UInt8>(count: rect.size.area * 4)
    for (index, y) in rect.rows.enumerated() {
      (copy.start + index * count).update(from: pixels.start + y * bytesPerRow + rect.x * 4, count: count)
    }
    return copy
  }

  /// The canvas as it is, at the size of the plan.
  func bitmap(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap {
    try ImageDecoder.bitmap(Rows(self), plan, isOpaque: isOpaque, color: color, isCancelled)
  }

  private final class Rows: RowSource {
    let size: PixelSize
    private let canvas: AnimationCanvas
    private var rowsRead = 0

    init(_ canvas: AnimationCanvas) {
      self.canvas = canvas
      size = canvas.size
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      row.update(from: canvas.pixels.start + rowsRead * canvas.bytesPerRow, count: canvas.bytesPerRow)
      rowsRead += 1
    }
  }
}
