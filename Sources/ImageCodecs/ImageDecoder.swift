import Foundation
import Pixels

/// The size a picture is decoded at.
public enum DecodeTarget: Hashable, Sendable {
  /// Every pixel of the source.
  case full
  /// Scaled into a box of pixels after orientation, never enlarged.
  case box(PixelSize, ScalingMode)
}

/// Bounds checked before memory is allocated.
public struct DecodeLimits: Hashable, Sendable {
  /// Sources with more pixels than this fail with `image.tooManyPixels`. Default 500 million.
  public var maximumSourcePixels = 500_000_000
  /// Sources with more pixels than this decode only when scaled. Default 100 million.
  public var maximumFullPixels = 100_000_000
  /// Progressive JPEGs with more scans than this fail with `image.tooManyScans`. Default 100.
  public var maximumScans = 100

  public init() {}
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
public struct ImageDecoder: Sendable {
  public var limits: DecodeLimits

  public init(limits: DecodeLimits = DecodeLimits()) { self.limits = limits }

  /// What the header says.
  /// - Returns: `nil` when `data` is a valid beginning but more bytes are needed.
  /// - Throws: `CodecError` (`body.empty`, `image.notAnImage`, `image.unsupportedFormat`, `image.corrupt`).
  public func probe(_ data: Data) throws -> ImageInfo? {
    throw CodecError(.notAnImage, "No decoder yet.")
  }

  /// Decodes `data` at `target`, orientation applied, premultiplied sRGB.
  /// - Parameter isCancelled: asked between rows; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `CodecError` or `CancellationError`.
  public func decode(
    _ data: Data, target: DecodeTarget = .full, isCancelled: @Sendable () -> Bool = { false }
  ) throws -> DecodedImage {
    throw CodecError(.notAnImage, "No decoder yet.")
  }
}
