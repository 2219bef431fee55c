#if canImport(Darwin)
  import CoreGraphics
  import Foundation
  import ImageIO
  import Pixels

  extension ImageDecoder {
    /// Decodes through ImageIO. Cancellation is looked at before the work and between the rows of the result.
    static func bitmap(
      from bytes: UnsafeRawBufferPointer, info: ImageInfo, plan: DecodePlan, limits: DecodeLimits,
      isCancelled: () -> Bool
    ) throws -> Bitmap {
      switch info.format {
      case .jpeg, .png, .webp, .avif:
        let source = ImageIORowSource(data: Data(bytes), format: info.format, size: plan.storedOutput)
        return try bitmap(source, plan, isOpaque: !info.hasAlpha, isCancelled)
      case .gif, .bmp, .ico:
        return try ownBitmap(from: bytes, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      }
    }
  }

  /// Rows of a picture that ImageIO has scaled to the size of the result.
  ///
  /// ImageIO is told not to turn the picture: `OrientedRowWriter` does, by what the shared probe found, so that
  /// orientation is applied once and alike on every platform.
  final class ImageIORowSource: RowSource {
    let size: PixelSize
    private let data: Data
    private let format: ImageFormat
    private var picture: ScratchMemory<UInt8>?
    private var rowsRead = 0

    init(data: Data, format: ImageFormat, size: PixelSize) {
      self.data = data
      self.format = format
      self.size = size
    }

    func prepare(isCancelled: () -> Bool) throws {
      if isCancelled() { throw CancellationError() }
      guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { throw CodecError.corrupt(format) }
      try checkWhole(source)
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: false,
        kCGImageSourceShouldCacheImmediately: true,
        kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height),
      ]
      guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else {
        throw CodecError.corrupt(format)
      }
      picture = try Self.draw(image, at: size)
    }

    private func checkWhole(_ source: CGImageSource) throws {
      switch CGImageSourceGetStatusAtIndex(source, 0) {
      case .statusComplete: return
      case .statusIncomplete, .statusUnexpectedEOF, .statusReadingHeader: throw CodecError.truncated(format)
      default: throw CodecError.corrupt(format)
      }
    }

    /// ImageIO rounds the shorter side in its own way; drawing brings the picture to exactly `size`, in sRGB.
    static func draw(_ image: CGImage, at size: PixelSize) throws -> ScratchMemory<UInt8> {
      let memory = try ScratchMemory<UInt8>(count: size.area * 4)
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: memory.start, width: size.width, height: size.height, bitsPerComponent: 8, bytesPerRow: size.width * 4,
          space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { throw CodecError.outOfMemory(for: size) }
      context.interpolationQuality = .high
      context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
      return memory
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      guard let picture else { return }
      row.update(from: picture.start + rowsRead * size.width * 4, count: size.width * 4)
      rowsRead += 1
    }
  }
#endif
