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
      var body = Array("WEBP".utf8)
      // RFC 9649, section 2.7: only with an extended header may alpha stand beside lossy colours.
      body += Array("VP8X".utf8) + uint32(10)
      body += [isOpaque ? 0 : 0x10, 0, 0, 0]
      body += uint24(size.width - 1) + uint24(size.height - 1)
      body += bytes
      if body.count % 2 == 1 { body.append(0) }
      var file = Data("RIFF".utf8)
      file.append(contentsOf: uint32(body.count))
      file.append(contentsOf: body)
      return ImageIORowSource(data: file, format: .webp, size: size)
    }

    private static func uint32(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { Array($0) }
    }

    private static func uint24(_ value: Int) -> [UInt8] { Array(uint32(value).prefix(3)) }
  }
#endif
