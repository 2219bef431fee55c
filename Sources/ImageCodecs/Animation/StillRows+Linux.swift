#if !canImport(Darwin)
  internal import CWebP
  import Pixels

  /// The rows of one frame of an animation, by the format's library. Unsafe: the bytes must outlive them.
  enum StillRows {
    /// - Parameter bytes: a PNG file.
    static func make(
      _ bytes: UnsafeRawBufferPointer, info: ImageInfo, limits: DecodeLimits
    ) throws -> any RowSource {
      try PNGRowSource(bytes, info: info, limits: limits)
    }

    /// - Parameter bytes: the chunks of a frame that are its picture, without a file around them.
    static func webPFrame(
      _ bytes: UnsafeRawBufferPointer, size: PixelSize, isOpaque: Bool
    ) throws -> any RowSource {
      let features = try WebPFile.features(of: bytes)
      guard PixelSize(width: Int(features.width), height: Int(features.height)) == size else {
        throw CodecError.corrupt(.webp, "a frame of another size than it says")
      }
      return WebPFrameRowSource(bytes, size: size, isOpaque: isOpaque)
    }
  }

  /// Rows of a WebP frame at its own size, decoded as a whole when prepared.
  private final class WebPFrameRowSource: RowSource {
    let size: PixelSize
    private let frame: UnsafeRawBufferPointer
    private let isOpaque: Bool
    private var picture: ScratchMemory<UInt8>?
    private var rowsRead = 0

    init(_ frame: UnsafeRawBufferPointer, size: PixelSize, isOpaque: Bool) {
      self.frame = frame
      self.size = size
      self.isOpaque = isOpaque
    }

    func prepare(isCancelled: () -> Bool) throws {
      let picture = try ScratchMemory<UInt8>(count: size.area * 4)
      try WebPFrameDecoder.decode(
        frame, size: size, isScaled: false, into: picture.start, bytesPerRow: size.width * 4, isCancelled: isCancelled)
      self.picture = picture
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      guard let picture else { return }
      row.update(from: picture.start + rowsRead * size.width * 4, count: size.width * 4)
      rowsRead += 1
      if !isOpaque { Alpha.premultiply(row, count: size.width) }
    }
  }
#endif
