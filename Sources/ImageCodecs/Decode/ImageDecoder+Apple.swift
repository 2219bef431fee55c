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
      case .jpeg, .png, .webp, .avif, .heic, .tiff, .jxl:
        let source = ImageIORowSource(
          data: Data(bytes), format: info.format, size: plan.storedOutput, colors: plan.colors)
        var bitmap = try bitmap(source, plan, isOpaque: !info.hasAlpha, isCancelled)
        bitmap.colorProfile = source.profile
        return bitmap
      case .svg: throw CodecError.unsupported(info.format.displayName)
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
    private let content: Content
    private let format: ImageFormat
    private let colors: ColorPolicy
    private var picture: ScratchMemory<UInt8>?
    /// Of the rows; known once they are prepared, `nil` for sRGB.
    private(set) var profile: ColorProfile?
    private var rowsRead = 0

    private enum Content {
      case file(Data)
      case sequence(CGImageSource, index: Int)
    }

    /// One picture of several. Its bytes need not be all there.
    init(_ source: CGImageSource, index: Int, format: ImageFormat, size: PixelSize) {
      content = .sequence(source, index: index)
      colors = .sRGB
      self.format = format
      self.size = size
    }

    init(data: Data, format: ImageFormat, size: PixelSize, colors: ColorPolicy = .sRGB) {
      self.colors = colors
      content = .file(data)
      self.format = format
      self.size = size
    }

    func prepare(isCancelled: () -> Bool) throws {
      if isCancelled() { throw CancellationError() }
      let (source, index) = try source()
      try checkWhole(source, index)
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: false,
        kCGImageSourceShouldCacheImmediately: true,
        kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height),
      ]
      guard let image = CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary) else {
        throw CodecError.corrupt(format)
      }
      (picture, profile) = try Self.draw(image, at: size, colors)
    }

    private func source() throws -> (CGImageSource, index: Int) {
      switch content {
      case .sequence(let source, let index): return (source, index)
      case .file(let data):
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { throw CodecError.corrupt(format) }
        // Other formats have no first picture but the one at the beginning.
        return (source, format == .heic ? CGImageSourceGetPrimaryImageIndex(source) : 0)
      }
    }

    private func checkWhole(_ source: CGImageSource, _ index: Int) throws {
      switch CGImageSourceGetStatusAtIndex(source, index) {
      case .statusComplete: return
      case .statusIncomplete, .statusUnexpectedEOF, .statusReadingHeader: throw CodecError.truncated(format)
      // By a system older than its decoder: the probe has seen what it is.
      case .statusUnknownType: throw CodecError.unsupported(format.displayName)
      default: throw CodecError.corrupt(format)
      }
    }

    /// ImageIO rounds the shorter side in its own way; drawing brings the picture to exactly `size`, in sRGB or the
    /// nearest to its own space that a context may have.
    static func draw(
      _ image: CGImage, at size: PixelSize, _ colors: ColorPolicy
    ) throws -> (pixels: ScratchMemory<UInt8>, profile: ColorProfile?) {
      let memory = try ScratchMemory<UInt8>(count: size.area * 4)
      let space = colors == .source ? image.colorSpace?.forBitmaps : nil
      try draw(image, at: size, in: space, into: memory.start)
      return (memory, space.flatMap { ColorProfile($0) })
    }

    /// - Parameter space: `nil` for sRGB.
    static func draw(
      _ image: CGImage, at size: PixelSize, in space: CGColorSpace?, into pixels: UnsafeMutableRawPointer
    ) throws {
      guard let space = space ?? CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: pixels, width: size.width, height: size.height, bitsPerComponent: 8, bytesPerRow: size.width * 4,
          space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { throw CodecError.outOfMemory(for: size) }
      context.interpolationQuality = .high
      context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      guard let picture else { return }
      row.update(from: picture.start + rowsRead * size.width * 4, count: size.width * 4)
      rowsRead += 1
    }
  }
#endif
