import Foundation
import ImageCodecs
import Pixels

/// A change made to a decoded picture before it is cached and shown: a name and a function.
///
/// Two processors are equal when their `id` is, whatever their functions are: the id is part of cache keys, so different
/// output always means a different id. Ids of the ready-made ones are built from every parameter, without regard to the
/// locale; a parameter that is not a finite, positive number (or an empty size) makes the processor `.identity`.
/// An id is ASCII; those of `custom` begin with `custom:`, which no other does.
public struct ImageProcessor: Sendable, Hashable, CustomStringConvertible {
  /// No result has more pixels; one that would fails with `image.tooManyPixels`. 100 million, as for full decodes.
  public static let maximumOutputPixels = DecodeLimits().maximumFullPixels

  public let id: String

  /// Makes the new picture. Safe to call from any thread; a picture without pixels is handed back as it is.
  ///
  /// Throws `ImageLoadingError` (`process.failed`, `image.tooManyPixels`, or what a custom processor throws of that type),
  /// or `CancellationError` when the context says that nobody waits any more.
  public let process: @Sendable (Bitmap, ProcessorContext) throws -> Bitmap

  /// - Parameter id: not yet used by anything that gives other output.
  init(id: String, _ work: @escaping @Sendable (Bitmap, ProcessorContext) throws -> Bitmap) {
    self.id = id
    process = { bitmap, context in
      guard !bitmap.size.isEmpty else { return bitmap }
      try context.checkCancellation()
      do {
        var result = try Self.checked(work(bitmap, context), id)
        result.colorProfile = bitmap.colorProfile
        return result
      } catch {
        throw Self.failure(error, id, context)
      }
    }
  }

  /// A processor of one's own.
  /// - Parameters:
  ///   - id: names the output: give another id whenever the function or anything it captures changes. Ids that differ in
  ///     any Unicode scalar are different.
  ///   - process: called on one of the threads that decode. It should ask `context` between rows whether to go on.
  ///     What it gives is taken to be in the colour space of what it was given, `Bitmap.colorProfile`.
  ///     An error that is no `ImageLoadingError` becomes one with the code `process.failed`, and so does a result without
  ///     pixels.
  public static func custom(
    id: String, process: @escaping @Sendable (Bitmap, ProcessorContext) throws -> Bitmap
  ) -> ImageProcessor {
    // Swift compares strings by canonical equivalence; escaped to ASCII, each spelling is itself alone.
    let escaped = id.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    return ImageProcessor(id: "custom:" + escaped, process)
  }

  /// Changes nothing.
  public static let identity = ImageProcessor(id: "identity") { bitmap, _ in bitmap }

  public var description: String { id }

  public static func == (one: ImageProcessor, other: ImageProcessor) -> Bool { one.id == other.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a processor is told besides the picture.
public struct ProcessorContext: Sendable {
  /// The size of the source in pixels as displayed, of which the bitmap may be a reduction.
  public var sourceSize: PixelSize
  /// Whether nobody waits for the result any more. Cheap; to be asked between rows.
  public var isCancelled: @Sendable () -> Bool

  public init(sourceSize: PixelSize, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.sourceSize = sourceSize
    self.isCancelled = isCancelled
  }

  /// Throws `CancellationError` when nobody waits any more.
  public func checkCancellation() throws {
    if isCancelled() { throw CancellationError() }
  }
}

extension ImageLoadingError.Code {
  /// A processor the app supplied failed.
  public static let processFailed = Self(rawValue: "process.failed")
}

extension ImageProcessor {
  /// Throws unless a picture of `size` may be made.
  static func checkOutput(_ size: PixelSize) throws {
    guard size.area <= maximumOutputPixels else {
      throw tooManyPixels(
        "A processor would make a picture of \(size) pixels; the limit is \(maximumOutputPixels) in all. "
          + "Ask for a smaller size.")
    }
  }

  static func outOfMemory(_ size: PixelSize) -> ImageLoadingError {
    tooManyPixels("There is not enough memory to process a picture of \(size) pixels. Ask for a smaller size.")
  }

  private static func tooManyPixels(_ message: String) -> ImageLoadingError {
    ImageLoadingError(ImageLoadingError.Code(rawValue: CodecError.Code.tooManyPixels.rawValue), message)
  }

  private static func checked(_ result: Bitmap, _ id: String) throws -> Bitmap {
    guard !result.size.isEmpty else {
      throw ImageLoadingError(
        .processFailed, "The processor “\(id)” gave a picture without pixels. Have it return at least one, or throw.")
    }
    try checkOutput(result.size)
    return result
  }

  private static func failure(_ error: any Error, _ id: String, _ context: ProcessorContext) -> any Error {
    switch error {
    case is ImageLoadingError: return error
    case let error as CodecError:
      return ImageLoadingError(
        ImageLoadingError.Code(rawValue: error.code.rawValue), error.message, underlying: error)
    // Out of the blue it would look as if the load had been cancelled, and no phase would ever come.
    case is CancellationError where context.isCancelled(): return error
    default:
      return ImageLoadingError(
        .processFailed,
        "The processor “\(id)” failed: \(error.localizedDescription) Correct it, or leave it out of the request.",
        underlying: error)
    }
  }
}
