/// A picture format this library knows by its signature.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, webp, gif, bmp, avif
  /// Decoded by ImageIO, and on Linux where the package's trait of the same name is on; headers are read everywhere.
  case heic, tiff, jxl
  /// A drawing, which is sharp at every size. Drawn on Linux where the package's trait SVG is on.
  case svg
  /// Icons and cursors alike: the two differ in what the numbers beside the size mean.
  case ico

  /// The name in sentences.
  var displayName: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .gif: "GIF"
    case .bmp: "BMP"
    case .ico: "ICO"
    case .avif: "AVIF"
    case .heic: "HEIC"
    case .tiff: "TIFF"
    case .jxl: "JPEG XL"
    case .svg: "SVG"
    }
  }
}
