import Foundation
import Pixels

/// Why bytes did not become a picture: a dotted, stable code and a sentence a person understands.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let empty = Code(rawValue: "body.empty")
    public static let truncated = Code(rawValue: "body.truncated")
    public static let notAnImage = Code(rawValue: "image.notAnImage")
    public static let unsupportedFormat = Code(rawValue: "image.unsupportedFormat")
    public static let corrupt = Code(rawValue: "image.corrupt")
    public static let tooManyPixels = Code(rawValue: "image.tooManyPixels")
    /// A BlurHash or ThumbHash that is none.
    public static let invalidPlaceholder = Code(rawValue: "placeholder.invalid")
    public static let tooManyFrames = Code(rawValue: "image.tooManyFrames")
    public static let tooLarge = Code(rawValue: "body.tooLarge")
    public static let timedOut = Code(rawValue: "image.timedOut")
    public static let tooManyScans = Code(rawValue: "image.tooManyScans")
    public static let tooManyCells = Code(rawValue: "image.tooManyCells")
    public static let tooMuchMetadata = Code(rawValue: "image.tooMuchMetadata")
    public static let tooMuchMemory = Code(rawValue: "image.tooMuchMemory")
  }

  public var code: Code
  public var message: String

  public var description: String { "\(code.rawValue): \(message)" }
  public var errorDescription: String? { message }

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension CodecError {
  /// Whether the file is at fault, and part of the picture may be there.
  var isDamage: Bool { code == .truncated || code == .corrupt }
}

// The sentences that several stages say.
extension CodecError {
  static let empty = CodecError(
    .empty, "There is nothing to decode: the file or response is empty. Check where it comes from and try again.")

  static func truncated(_ format: ImageFormat?) -> CodecError {
    let name = format.map { "The \($0.displayName) picture" } ?? "The picture"
    return CodecError(.truncated, "\(name) ends too early: only a part of it is there. Load it again.")
  }

  /// - Parameter detail: what the parser or library found, in its own words; may be empty.
  static func corrupt(_ format: ImageFormat, _ detail: String = "") -> CodecError {
    let reason = detail.isEmpty ? "" : " (\(detail))"
    return CodecError(
      .corrupt, "The \(format.displayName) picture is damaged\(reason). Load it again, or replace the file.")
  }

  static func unsupported(_ name: String) -> CodecError {
    CodecError(
      .unsupportedFormat,
      "This is a picture in \(name) format, which cannot be decoded. Use JPEG, PNG, WebP, AVIF or GIF.")
  }

  /// A format that the package decodes only with one of its traits.
  static func leftOut(_ format: ImageFormat, trait: String) -> CodecError {
    CodecError(
      .unsupportedFormat,
      "This is a picture in \(format.displayName) format, which this program was built without. "
        + "Build it with the trait \(trait) of the package Vignette, or use JPEG, PNG, WebP or GIF.")
  }

  /// A file of a format that is decoded, in a variant that is not.
  static func unsupportedVariant(of format: ImageFormat) -> CodecError {
    let name = format.displayName
    return CodecError(
      .unsupportedFormat,
      "This picture is in a rare variant of \(name) that cannot be decoded. Save it again as an ordinary \(name).")
  }

  static func tooManyFrames(_ limits: DecodeLimits) -> CodecError {
    CodecError(
      .tooManyFrames,
      "The animation has more frames than the limits of \(limits.maximumFrames) frames and "
        + "\(limits.maximumAnimationPixels) pixels in all of them. Show its first frame, or use a shorter animation.")
  }

  static func outOfMemory(for size: PixelSize) -> CodecError {
    CodecError(
      .tooManyPixels, "There is not enough memory for a picture of \(size) pixels. Ask for a smaller size.")
  }
}
