import ImageCodecs
import Pixels

/// Where a crop lies within the picture.
public enum CropAnchor: String, Hashable, Sendable, CaseIterable {
  case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight

  /// The corner of a part of `size` within `whole`. An odd pixel left over is right of or below the centre.
  func origin(of size: PixelSize, in whole: PixelSize) -> (x: Int, y: Int) {
    let (spareX, spareY) = (whole.width - size.width, whole.height - size.height)
    let x =
      switch self {
      case .topLeft, .left, .bottomLeft: 0
      case .top, .center, .bottom: spareX / 2
      case .topRight, .right, .bottomRight: spareX
      }
    let y =
      switch self {
      case .topLeft, .top, .topRight: 0
      case .left, .center, .right: spareY / 2
      case .bottomLeft, .bottom, .bottomRight: spareY
      }
    return (x, y)
  }
}

extension ImageProcessor {
  /// Scales the picture into a box in pixels, its aspect ratio kept: wholly within (`.fit`) or covering it (`.fill`, which
  /// crops nothing; follow it with `crop`). Lanczos3, after box averages where the picture shrinks to an eighth or less.
  ///
  /// An empty box is `.identity`. Fails with `image.tooManyPixels` above `maximumOutputPixels`, or where a side is longer
  /// than 1,000,000 pixels.
  /// - Parameter upscales: whether a picture smaller than the box is enlarged. Default `false`: it stays as it is.
  public static func resize(
    to box: PixelSize, mode: ScalingMode = .fit, upscales: Bool = false
  ) -> ImageProcessor {
    guard !box.isEmpty else { return .identity }
    let id = "resize(\(box),\(mode.rawValue)\(upscales ? ",upscales" : ""))"
    return ImageProcessor(id: id) { bitmap, context in
      let size =
        upscales ? bitmap.size.resized(into: box, mode: mode) : bitmap.size.scaled(into: box, mode: mode)
      try checkOutput(size)
      return try BitmapScaler.scale(bitmap, to: size, isCancelled: context.isCancelled)
    }
  }

  /// Cuts out a part of at most `size` pixels; a picture smaller on an axis keeps that axis whole.
  ///
  /// An empty size is `.identity`.
  public static func crop(to size: PixelSize, anchor: CropAnchor = .center) -> ImageProcessor {
    guard !size.isEmpty else { return .identity }
    return ImageProcessor(id: "crop(\(size),\(anchor.rawValue))") { bitmap, context in
      let part = PixelSize(
        width: min(size.width, bitmap.size.width), height: min(size.height, bitmap.size.height))
      guard part != bitmap.size else { return bitmap }
      return try bitmap.mapRows(of: part, from: anchor.origin(of: part, in: bitmap.size), context) { _, _ in }
    }
  }
}
