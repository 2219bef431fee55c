import Foundation
import Pixels

/// The size a picture is decoded at.
public enum DecodeTarget: Hashable, Sendable {
  /// Every pixel of the source.
  case full
  /// Scaled into a box of pixels after orientation, never enlarged.
  case box(PixelSize, ScalingMode)
}

/// A decoded picture and what its file said.
public struct DecodedImage: Sendable {
  public var bitmap: Bitmap
  public var info: ImageInfo

  public init(bitmap: Bitmap, info: ImageInfo) {
    self.bitmap = bitmap
    self.info = info
  }
}

/// Bytes to pixels at the size asked for. Stateless; safe to use from any thread.
///
/// The way of a picture: probe (`ImageProbe`) → sizes and limits (`DecodePlan`) → rows from the format's library
/// (`RowSource`) → `RowResampler` → turned into place (`OrientedRowWriter`).
public struct ImageDecoder: Sendable {
  public var limits: DecodeLimits

  public init(limits: DecodeLimits = DecodeLimits()) { self.limits = limits }

  /// What the header says.
  /// - Returns: `nil` when `data` is a valid beginning but more bytes are needed. A WebP file keeps its orientation at
  ///   its end, so that one which has any needs to be whole.
  /// - Throws: `CodecError` (`body.empty`, `image.notAnImage`, `image.unsupportedFormat`, `image.corrupt`).
  public func probe(_ data: Data) throws -> ImageInfo? {
    try data.withUnsafeBytes { try ImageProbe.probe($0) }
  }

  /// Decodes `data` at `target`, orientation applied, premultiplied sRGB.
  ///
  /// Of an animation the first frame is decoded, or the picture that an animated PNG has for programs that show no
  /// animations; `AnimationDecoder` gives all frames. Of an icon it is the smallest picture that need not be enlarged.
  /// A file that is cut off or damaged is an error, never part of a picture; a JPEG that lacks nothing but its end
  /// marker is whole, and so is a GIF without its trailer.
  /// - Parameter isCancelled: asked between rows; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `CodecError` or `CancellationError`.
  public func decode(
    _ data: Data, target: DecodeTarget = .full, isCancelled: @Sendable () -> Bool = { false }
  ) throws -> DecodedImage {
    try data.withUnsafeBytes { bytes in
      try limits.checkLength(bytes.count)
      guard let info = try ImageProbe.probe(bytes) else { throw CodecError.truncated(Signature.format(of: bytes)) }
      let plan = try DecodePlan(info, target: target, limits: limits)
      let bitmap = try limits.withDeadline(isCancelled) { isCancelled in
        try Self.bitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      }
      return DecodedImage(bitmap: bitmap, info: info)
    }
  }
}
