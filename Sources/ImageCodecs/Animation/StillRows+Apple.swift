#if canImport(Darwin)
  import Foundation
  import Pixels

  /// The rows of one frame of an animation, by ImageIO, which is given each as a file of its own: composition is this
  /// package's on every platform.
  enum StillRows {
    /// - Parameter bytes: a PNG file.
    static func make(
      _ bytes: UnsafeRawBufferPointer, info: ImageInfo, limits: DecodeLimits
    ) throws -> any RowSource {
      ImageIORowSource(data: Data(bytes), format: .png, size: info.storedSize)
    }

    /// - Parameter bytes: the chunks of a frame that are its picture, without a file around them.
    static func webPFrame(
      _ bytes: UnsafeRawBufferPointer, size: PixelSize, isOpaque: Bool
    ) throws -> any RowSource {
      // Only with an extended header may alpha stand beside lossy colours.
      let file = WebPContainer.file(bytes, hasAlpha: !isOpaque, size: size)
      return ImageIORowSource(data: file, format: .webp, size: size)
    }
  }
#endif
