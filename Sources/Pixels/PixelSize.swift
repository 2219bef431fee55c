/// A size in whole pixels. Never negative; `zero` where a picture has no pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public static let zero = PixelSize(width: 0, height: 0)

  /// Negative values become 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Width and height exchanged, as a quarter turn does.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The number of pixels; saturates at `Int.max` instead of overflowing.
  public var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? Int.max : product
  }

  public var description: String { "\(width)x\(height)" }
}

/// How a picture is scaled into a pixel box when both keep their aspect ratio.
public enum ScalingMode: String, Hashable, Sendable {
  /// The largest size that lies wholly within the box.
  case fit
  /// The smallest size that covers the box wholly; nothing is cropped.
  case fill
}

extension PixelSize {
  /// This size scaled into `box`, aspect ratio kept to the nearest pixel, never enlarged, each side at least 1.
  ///
  /// An empty box or an empty picture leaves the size as it is.
  public func scaled(into box: PixelSize, mode: ScalingMode) -> PixelSize {
    let size = resized(into: box, mode: mode)
    return size.width < width || size.height < height ? size : self
  }

  /// This size scaled into `box` as `scaled` does it, or enlarged, as a drawing may be.
  public func resized(into box: PixelSize, mode: ScalingMode) -> PixelSize {
    guard !isEmpty, !box.isEmpty else { return self }
    let isWidthCloser = Double(box.width) * Double(height) < Double(box.height) * Double(width)
    return isWidthCloser == (mode == .fit)
      ? PixelSize(width: box.width, height: Self.scale(height, by: box.width, over: width))
      : PixelSize(width: Self.scale(width, by: box.height, over: height), height: box.height)
  }

  /// `side * numerator / denominator` to the nearest pixel, at least 1. The division comes last so that the result is
  /// rounded once.
  private static func scale(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    let exact = Double(side) * Double(numerator) / Double(denominator)
    return max(1, Int(exactly: exact.rounded()) ?? .max)
  }
}
