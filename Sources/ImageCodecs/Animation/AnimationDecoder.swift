import Foundation
import Pixels

/// A frame as it is shown: whole, with everything under it.
public struct AnimationFrame: Sendable {
  public var bitmap: Bitmap
  /// How long it is shown, in seconds.
  public var duration: Double

  public init(bitmap: Bitmap, duration: Double) {
    self.bitmap = bitmap
    self.duration = duration
  }
}

/// The frames of an animated GIF, PNG, WebP, AVIF or, on Linux, JPEG XL at the size asked for, composed as browsers do, one
/// at a time.
///
/// In memory are the encoded bytes, one canvas of the picture's full size (and, while one frame takes back another, a
/// second), and the frames last given out, within a budget: going back a little decodes nothing, and where all frames fit
/// nor does any later showing. Going back further starts composition again at the nearest frame that needs no other.
/// A frame is had without the bytes behind it, but for a WebP with an orientation, which has that at its end. A still
/// picture is an animation of one frame.
/// Belongs to one task or thread at a time; several decoders may read the same `Data`.
public final class AnimationDecoder {
  public let info: ImageInfo
  private let data: Data
  private let target: DecodeTarget
  private let limits: DecodeLimits
  private let colors: ColorPolicy
  private let plan: DecodePlan
  /// Frames are composed in the file's colours and converted as they are given out.
  private let color: ColorTreatment
  /// `nil` for a still.
  private var index: FrameIndex?
  private var canvas: AnimationCanvas?
  /// The frame that the canvas shows, and the one that it was begun with.
  private var composed: (first: Int, last: Int)?
  private var kept: FrameRing

  /// - Parameters:
  ///   - target: the size of every frame. Default every pixel of the source.
  ///   - colors: default: sRGB on Linux, that of the source on Apple's platforms.
  ///   - maximumKeptBytes: the frames last given out are kept within so many bytes. Default 8 MB; 0 keeps none.
  /// - Throws: `CodecError`: what `ImageDecoder.probe` throws, `body.truncated` where the header is not all there,
  ///   `image.tooManyPixels`, `image.tooManyFrames`, `image.tooMuchMemory` and `image.tooMuchMetadata`.
  public init(
    _ data: Data, target: DecodeTarget = .full, limits: DecodeLimits = DecodeLimits(),
    colors: ColorPolicy = .platformDefault, maximumKeptBytes: Int = 8 << 20
  ) throws {
    self.data = data
    self.target = target
    self.limits = limits
    self.colors = colors
    kept = FrameRing(maximumBytes: maximumKeptBytes)
    try limits.checkLength(data.count)
    let (info, source, transform) = try data.withUnsafeBytes { bytes in
      guard let info = try ImageProbe.probe(bytes, limits: limits) else {
        throw ImageProbe.cutOff(bytes)
      }
      let source = try Self.frames(of: info, in: bytes, limits: limits)
      return (info, source, source?.colorTransform(in: bytes, info, limits: limits))
    }
    self.info = info
    color = ColorTreatment(transform, policy: colors)
    plan = try DecodePlan(info, target: target, limits: limits, colors: colors)
    guard let source else { return }
    // The canvas, what is under a frame, and a frame.
    try limits.checkHeld(source.canvas, bytesPerPixel: 12)
    if let count = info.animation?.frameCount, count > limits.maximumFrames { throw CodecError.tooManyFrames(limits) }
    index = FrameIndex(source, limits: limits)
  }

  /// The size of every frame, in pixels.
  public var size: PixelSize { plan.output }

  /// How many times the frames are shown in all; 0 for without end. 1 for a still.
  public var loopCount: Int { index?.source.loopCount ?? 1 }

  /// The number of frames, for which the file is looked through to its end the first time; none is decoded.
  /// - Throws: `body.truncated` or `image.corrupt` where the file ends early or makes no sense, `image.tooManyFrames`.
  public func frameCount() throws -> Int {
    try data.withUnsafeBytes { bytes in
      try index?.scanAll(bytes)
      return index?.frames.count ?? 1
    }
  }

  /// How long a frame is shown, in seconds; `nil` where there is none, 0 for a still.
  ///
  /// A hundredth of a second or less in the file counts as a tenth, as in browsers.
  public func duration(of frame: Int) throws -> Double? {
    guard frame >= 0 else { return nil }
    guard index != nil else { return frame == 0 ? 0 : nil }
    return try data.withUnsafeBytes { try index?.frame(at: frame, in: $0)?.duration }
  }

  /// Composes a frame; `nil` behind the last one.
  /// - Parameter isCancelled: asked between rows; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `CodecError` or `CancellationError`. Frames before a damaged one can still be had.
  public func frame(at number: Int, isCancelled: @Sendable () -> Bool = { false }) throws -> AnimationFrame? {
    guard let duration = try duration(of: number) else { return nil }
    if let bitmap = kept[number] { return AnimationFrame(bitmap: bitmap, duration: duration) }
    let bitmap = try composedBitmap(number, isCancelled)
    kept.keep(bitmap, number)
    // Once all of them are kept the canvas is of no more use.
    if let index, index.isComplete, kept.count == index.frames.count { (canvas, composed) = (nil, nil) }
    return AnimationFrame(bitmap: bitmap, duration: duration)
  }

  private func composedBitmap(_ number: Int, _ isCancelled: @Sendable () -> Bool) throws -> Bitmap {
    guard let index else {
      return try ImageDecoder(limits: limits, colors: colors).decode(data, target: target, isCancelled: isCancelled)
        .bitmap
    }
    let canvas = try canvas ?? AnimationCanvas(size: index.source.canvas)
    self.canvas = canvas
    return try limits.withDeadline(isCancelled) { isCancelled in
      try data.withUnsafeBytes { try compose(number, index, on: canvas, $0, isCancelled) }
      return try canvas.bitmap(plan, color: color, isCancelled: isCancelled)
    }
  }

  private func compose(
    _ number: Int, _ index: FrameIndex, on canvas: AnimationCanvas, _ bytes: UnsafeRawBufferPointer,
    _ isCancelled: () -> Bool
  ) throws {
    var first = index.start(for: number)
    var next = first
    if let composed, composed.first <= first, (first...number).contains(composed.last) {
      first = composed.first
      next = composed.last + 1
    } else {
      canvas.clear()
    }
    // Until a frame is wholly drawn the canvas shows none.
    composed = nil
    while next <= number {
      let frame = index.frames[next]
      do {
        let rows = try index.source.rows(of: frame, in: bytes, limits: limits)
        try canvas.draw(frame, rows: rows, isCancelled: isCancelled)
      } catch let error as CodecError where error.code == .corrupt && frame.mayBeCut {
        throw CodecError.truncated(info.format)
      }
      next += 1
    }
    composed = (first, number)
  }

  private static func frames(
    of info: ImageInfo, in bytes: UnsafeRawBufferPointer, limits: DecodeLimits
  ) throws -> (any FrameSource)? {
    switch (info.format, info.animation) {
    case (.gif, _): try GIFFrames(bytes)
    case (.png, let animation?): APNGFrames(info, animation, limits: limits)
    case (.webp, let animation?): try WebPFrames(info, animation, in: bytes)
    #if AVIF || canImport(Darwin)
      case (.avif, let animation?): try AVIFFrames(info, animation, in: bytes, limits: limits)
    #endif
    #if JXL && !canImport(Darwin)
      case (.jxl, let animation?): try JXLFrames(info, animation, in: bytes, limits: limits)
    #endif
    default: nil
    }
  }
}
