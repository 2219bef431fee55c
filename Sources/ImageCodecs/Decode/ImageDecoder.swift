import Foundation
import Pixels

/// The size a picture is decoded at.
public enum DecodeTarget: Hashable, Sendable {
  /// Every pixel of the source.
  case full
  /// Scaled into a box of pixels after orientation. Only a drawing (SVG) is ever enlarged.
  case box(PixelSize, ScalingMode)
}

/// What becomes of a file that is cut off or damaged behind its header.
public enum DamagePolicy: Hashable, Sendable {
  /// An error, never part of a picture.
  case strict
  /// What is there of the picture, marked as `DecodedImage.isPartial`; an error where nothing is.
  ///
  /// Rows that are missing are transparent. Of a progressive JPEG all is shown as far as its scans go, of an interlaced
  /// PNG or GIF as far as its passes go; of an icon another picture of the same shape where the best one is not whole; of
  /// an animated WebP its first frame, where all of that is there. AVIF, HEIC and JPEG XL are decoded strictly, as each is
  /// one piece; on Apple's platforms so are all formats but GIF, BMP and icons with bitmaps inside.
  case lenient
}

/// A decoded picture and what its file said.
public struct DecodedImage: Sendable {
  public var bitmap: Bitmap
  public var info: ImageInfo
  /// Whether the file is cut off or damaged and this is what there is of it; only with `DamagePolicy.lenient`.
  public var isPartial: Bool

  public init(bitmap: Bitmap, info: ImageInfo, isPartial: Bool = false) {
    self.bitmap = bitmap
    self.info = info
    self.isPartial = isPartial
  }
}

/// Bytes to pixels at the size asked for. Stateless; safe to use from any thread.
///
/// The way of a picture: probe (`ImageProbe`) → sizes and limits (`DecodePlan`) → rows from the format's library
/// (`RowSource`) → `RowResampler` → turned into place (`OrientedRowWriter`).
public struct ImageDecoder: Sendable {
  public var limits: DecodeLimits
  /// Default `strict`.
  public var damage: DamagePolicy
  /// Default: sRGB on Linux, that of the source on Apple's platforms.
  public var colors: ColorPolicy

  public init(
    limits: DecodeLimits = DecodeLimits(), damage: DamagePolicy = .strict, colors: ColorPolicy = .platformDefault
  ) {
    self.limits = limits
    self.damage = damage
    self.colors = colors
  }

  /// What the header says.
  /// - Returns: `nil` when `data` is a valid beginning but more bytes are needed. A WebP file keeps its orientation at
  ///   its end, so that one which has any needs to be whole.
  /// - Throws: `CodecError` (`body.empty`, `image.notAnImage`, `image.unsupportedFormat`, `image.corrupt`,
  ///   `image.tooMuchMetadata`, `image.tooManyCells`).
  public func probe(_ data: Data) throws -> ImageInfo? {
    try data.withUnsafeBytes { try ImageProbe.probe($0, limits: limits) }
  }

  /// Decodes `data` at `target`, orientation applied, premultiplied, in sRGB or the source's own
  /// colour space (`colors`).
  ///
  /// Of an animation the first frame is decoded, or the picture that an animated PNG has for programs that show no
  /// animations; `AnimationDecoder` gives all frames. Of an icon it is the smallest picture that need not be enlarged.
  /// A file that is cut off or damaged is an error unless `damage` says otherwise; a JPEG that lacks nothing but its
  /// end marker is whole, and so is a GIF without its trailer.
  /// - Parameter isCancelled: asked between rows; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `CodecError` or `CancellationError`.
  public func decode(
    _ data: Data, target: DecodeTarget = .full, isCancelled: @Sendable () -> Bool = { false }
  ) throws -> DecodedImage {
    try data.withUnsafeBytes { bytes in
      try limits.checkLength(bytes.count)
      guard let info = try ImageProbe.probe(bytes, limits: limits) else {
        throw ImageProbe.cutOff(bytes)
      }
      let plan = try DecodePlan(info, target: target, limits: limits, colors: colors)
      return try limits.withDeadline(isCancelled) { isCancelled in
        do {
          let bitmap = try Self.bitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
          return DecodedImage(bitmap: bitmap, info: info)
        } catch let error as CodecError where error.isDamage && damage == .lenient {
          guard let bitmap = try partialBitmap(from: bytes, info: info, plan: plan, isCancelled) else { throw error }
          return DecodedImage(bitmap: bitmap, info: info, isPartial: true)
        }
      }
    }
  }

  /// Decodes anew what strict decoding has given up: a whole file costs nothing more, and is decoded in one way only.
  /// - Returns: `nil` where nothing is there, or too much: what strict decoding found is the error then.
  private func partialBitmap(
    from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, _ isCancelled: () -> Bool
  ) throws -> Bitmap? {
    do {
      return try Self.partialBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
    } catch is CodecError {
      return nil
    }
  }
}
