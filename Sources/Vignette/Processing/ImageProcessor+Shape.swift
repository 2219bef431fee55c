import Pixels

extension ImageProcessor {
  /// Rounds the four corners by quarter circles and leaves what is outside transparent.
  ///
  /// Edges are antialiased with the exact area that the shape covers of each pixel.
  /// - Parameter radius: in pixels of the picture as it is then; at most half its shorter side is used. A value that is
  ///   not finite or not positive is `.identity`.
  public static func roundedCorners(radius: Double) -> ImageProcessor {
    guard radius.isFinite, radius > 0 else { return .identity }
    return ImageProcessor(id: "roundedCorners(\(radius))") { bitmap, context in
      try masked(bitmap, to: bitmap.size, radius: radius, context)
    }
  }

  /// Cuts out the square in the middle and of it the circle that it holds, antialiased as in `roundedCorners`.
  public static let circle = ImageProcessor(id: "circle") { bitmap, context in
    let side = min(bitmap.size.width, bitmap.size.height)
    return try masked(bitmap, to: PixelSize(width: side, height: side), radius: .infinity, context)
  }

  private static func masked(
    _ bitmap: Bitmap, to size: PixelSize, radius: Double, _ context: ProcessorContext
  ) throws -> Bitmap {
    var mask = CornerMask(size: size, radius: radius)
    let origin = CropAnchor.center.origin(of: size, in: bitmap.size)
    return try bitmap.mapRows(of: size, from: origin, isOpaque: false, context) { y, row in
      mask.apply(to: row, y: y)
    }
  }
}
