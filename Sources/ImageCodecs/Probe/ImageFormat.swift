/// A picture format this library knows by its signature.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, webp, gif, bmp, avif
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
    }
  }
}
