import Pixels

/// A picture format this library knows by its signature.
public enum ImageFormat: String, Hashable, Sendable {
  case jpeg, png, webp

  /// The name in sentences.
  var displayName: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    }
  }
}

/// What the first bytes of a file say about its picture.
public struct ImageInfo: Hashable, Sendable {
  public var format: ImageFormat
  /// The size of the stored rows, before orientation.
  public var storedSize: PixelSize
  public var orientation: Orientation
  /// Whether the file declares transparency; its pixels may all be opaque nevertheless.
  public var hasAlpha: Bool

  /// The size as displayed, after orientation.
  public var size: PixelSize { storedSize.oriented(orientation) }

  public init(format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .up, hasAlpha: Bool = false) {
    self.format = format
    self.storedSize = storedSize
    self.orientation = orientation
    self.hasAlpha = hasAlpha
  }
}
