import Pixels

extension ImageProcessor {
  /// Standard deviations above this, in pixels, count as this.
  public static let maximumBlurRadius = 10_000.0

  /// Gaussian blur. Beyond its edges the picture is taken to go on with the colour of its outermost pixels.
  ///
  /// Within one level of a Gaussian worked out in full. The time hardly depends on the radius.
  /// - Parameter radius: the standard deviation (σ) in pixels of the picture as it is then, as Core Image's `inputRadius`
  ///   is; at most `maximumBlurRadius`. A value that is not finite or not positive is `.identity`.
  public static func blur(radius: Double) -> ImageProcessor {
    guard radius.isFinite, radius > 0 else { return .identity }
    let radius = min(radius, maximumBlurRadius)
    return ImageProcessor(id: "blur(\(radius))") { bitmap, context in
      try GaussianBlur(bitmap, deviation: radius, context).blurred()
    }
  }
}
