import Foundation
import ImageCodecs
import Pixels

/// How two pictures differ, channel by channel, in levels of 0...255.
///
/// ```swift
/// let difference = try #require(BitmapDifference(result, expected))
/// #expect(difference.maximum <= 2 && difference.psnr > 40)
/// ```
public struct BitmapDifference: Hashable, Sendable {
  /// The largest difference of any channel of any pixel.
  public var maximum: Int
  /// The mean difference over all channels.
  public var mean: Double
  /// The share of pixels that differ at all, 0...1.
  public var changed: Double

  /// Peak signal-to-noise ratio in decibels over all channels; infinite for equal pictures.
  public var psnr: Double

  /// `nil` where the sizes differ, for then no pixel corresponds to another.
  public init?(_ one: Bitmap, _ other: Bitmap) {
    guard one.size == other.size else { return nil }
    var maximum = 0
    var sum = 0
    var squares = 0
    var changed = 0
    one.withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        for pixel in stride(from: 0, to: left.count, by: 4) {
          var differs = false
          for at in pixel..<pixel + 4 {
            let difference = abs(Int(left[at]) - Int(right[at]))
            maximum = max(maximum, difference)
            sum += difference
            squares += difference * difference
            differs = differs || difference > 0
          }
          changed += differs ? 1 : 0
        }
      }
    }
    let count = Double(max(1, one.byteCount))
    self.maximum = maximum
    mean = Double(sum) / count
    self.changed = Double(changed) / Double(max(1, one.size.area))
    psnr = squares == 0 ? .infinity : 10 * log10(255 * 255 / (Double(squares) / count))
  }
}

/// Compares a picture with a stored reference and, where they differ, says so in a way one can act on.
///
/// ```swift
/// let failure = try SnapshotComparison.failure(of: result, reference: reference, name: "photo")
/// #expect(failure == nil, "\(failure ?? "")")
/// ```
public enum SnapshotComparison {
  /// - Parameters:
  ///   - reference: a PNG file. Where it does not exist, or where the environment variable `VIGNETTE_RECORD` is `1`,
  ///     `result` is written there.
  ///   - tolerance: the largest mean difference accepted, in levels; antialiasing differs by less than 2.
  ///   - name: names the files of a failure.
  /// - Returns: `nil` when the pictures agree, otherwise a sentence with the paths of reference, result and difference
  ///   and the command that accepts the result.
  public static func failure(
    of result: Bitmap, reference: URL, tolerance: Double = 0.5, name: String
  ) throws -> String? {
    let isRecording = ProcessInfo.processInfo.environment["VIGNETTE_RECORD"] == "1"
    guard !isRecording, FileManager.default.fileExists(atPath: reference.path) else {
      try ImageEncoder.png(result).write(to: reference)
      return isRecording ? nil : "There was no reference; it has been written to \(reference.path). Look at it."
    }
    let expected = try ImageDecoder().decode(Data(contentsOf: reference)).bitmap
    let difference = BitmapDifference(result, expected)
    if let difference, difference.mean <= tolerance { return nil }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-snapshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let resultURL = folder.appendingPathComponent("\(name).png")
    try ImageEncoder.png(result).write(to: resultURL)
    guard let difference else {
      return "The picture is \(result.size), the reference \(expected.size).\n" + advice(resultURL, reference)
    }
    let differenceURL = folder.appendingPathComponent("\(name)-difference.png")
    try ImageEncoder.png(Self.picture(of: result, expected)).write(to: differenceURL)
    return """
      The pictures differ by \(difference.mean) levels on average (\(tolerance) accepted), \(difference.maximum) at most, \
      in \(Int(difference.changed * 100)) % of the pixels.
      difference: \(differenceURL.path)

      """ + advice(resultURL, reference)
  }

  private static func advice(_ result: URL, _ reference: URL) -> String {
    """
    result:     \(result.path)
    reference:  \(reference.path)
    To accept the result: cp '\(result.path)' '\(reference.path)'
    """
  }

  /// The absolute difference of each channel, eight times as bright, opaque.
  private static func picture(of one: Bitmap, _ other: Bitmap) -> Bitmap {
    Bitmap(size: one.size, isOpaque: true) { bytes in
      one.withUnsafeBytes { left in
        other.withUnsafeBytes { right in
          for at in bytes.indices {
            bytes[at] = at % 4 == 3 ? 255 : UInt8(min(255, abs(Int(left[at]) - Int(right[at])) * 8))
          }
        }
      }
    }
  }
}
