import Foundation
import Pixels

/// A picture while its bytes arrive: previews at the size asked for, then the picture.
///
/// Previews come of progressive JPEGs (scan by scan), interlaced PNGs (pass by pass) and WebP (row by row; what is not here
/// yet is transparent). The picture at the end is the one that `ImageDecoder.decode` makes of all the bytes.
/// Belongs to one task or thread at a time.
public final class ProgressiveDecoder {
  private let target: DecodeTarget
  private let limits: DecodeLimits
  private let colors: ColorPolicy
  private let minimumInterval: Double
  private let now: () -> Double
  private var data = Data()
  private var course = Course.unknown
  private var lastPreview = -Double.infinity
  /// How many bytes there have to be before the header is looked for again.
  private var nextLook = 0

  /// Bytes within which nearly all headers end.
  private static let usualHeader = 64 << 10

  private enum Course {
    /// The header is not all here.
    case unknown
    case previewing(any PreviewSource, ImageInfo, DecodePlan)
    /// Only the whole will do.
    case waiting
  }

  /// - Parameters:
  ///   - target: the size of previews and picture.
  ///   - colors: of both. Default: sRGB on Linux, that of the source on Apple's platforms.
  ///   - minimumInterval: seconds between two previews at least. Default 0.2.
  public convenience init(
    target: DecodeTarget = .full, limits: DecodeLimits = DecodeLimits(), colors: ColorPolicy = .platformDefault,
    minimumInterval: Double = 0.2
  ) {
    self.init(target: target, limits: limits, colors: colors, minimumInterval: minimumInterval) {
      ProcessInfo.processInfo.systemUptime
    }
  }

  /// - Parameter now: seconds of a clock that is not set back.
  package init(
    target: DecodeTarget, limits: DecodeLimits, colors: ColorPolicy = .platformDefault, minimumInterval: Double,
    now: @escaping () -> Double
  ) {
    self.target = target
    self.limits = limits
    self.colors = colors
    self.minimumInterval = minimumInterval
    self.now = now
  }

  /// Takes what has arrived.
  /// - Parameter isCancelled: asked between steps; when it answers `true` the call throws `CancellationError`.
  /// - Returns: a preview, where there is more to see than in the last one and that was long enough ago.
  /// - Throws: `CancellationError`, or what makes waiting for the rest useless: `CodecError` as `ImageDecoder.probe` and
  ///   the limits throw it. Damage behind the header ends the previews and is told by `finish`.
  public func append(_ bytes: Data, isCancelled: () -> Bool = { false }) throws -> DecodedImage? {
    data.append(bytes)
    try limits.checkLength(data.count)
    return try data.withUnsafeBytes { try preview(of: $0, isCancelled) }
  }

  /// The picture, when all bytes have been appended.
  /// - Throws: what `ImageDecoder.decode` throws.
  public func finish(isCancelled: @Sendable () -> Bool = { false }) throws -> DecodedImage {
    course = .waiting
    return try ImageDecoder(limits: limits, colors: colors).decode(data, target: target, isCancelled: isCancelled)
  }

  private func preview(of bytes: UnsafeRawBufferPointer, _ isCancelled: () -> Bool) throws -> DecodedImage? {
    if case .unknown = course { try begin(bytes) }
    guard case .previewing(let source, let info, let plan) = course else { return nil }
    do {
      guard try source.absorb(bytes, isCancelled: isCancelled), now() - lastPreview >= minimumInterval else {
        return nil
      }
      let color = ColorTreatment(.toSRGB(of: bytes, info, limits: limits), policy: colors)
      let bitmap = try source.render(plan, color: color, isCancelled: isCancelled)
      lastPreview = now()
      return DecodedImage(bitmap: bitmap, info: info)
    } catch let error as CodecError {
      course = .waiting
      // Too large, of which the whole would be no less.
      if error.code != .corrupt, error.code != .truncated { throw error }
      return nil
    }
  }

  private func begin(_ bytes: UnsafeRawBufferPointer) throws {
    guard !bytes.isEmpty, bytes.count >= nextLook else { return }
    guard let info = try ImageProbe.probe(bytes, limits: limits) else {
      // Long metadata in small pieces are not read over and over.
      nextLook = bytes.count < Self.usualHeader ? 0 : bytes.count + bytes.count / 2
      return
    }
    let plan = try DecodePlan(info, target: target, limits: limits, colors: colors)
    let source = try Self.source(for: info, in: bytes, plan: plan, limits: limits)
    course = source.map { .previewing($0, info, plan) } ?? .waiting
  }
}

/// What can be drawn of a file of one format while it arrives.
protocol PreviewSource: AnyObject {
  /// Takes in what is new.
  /// - Parameter bytes: all that has arrived, from the beginning of the file.
  /// - Returns: whether there is something to draw that has not been drawn.
  func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool

  /// Draws what is here.
  func render(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap
}
