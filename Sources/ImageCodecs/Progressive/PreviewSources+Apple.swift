#if canImport(Darwin)
  import CoreGraphics
  import Foundation
  import ImageIO
  import Pixels

  extension ProgressiveDecoder {
    /// - Returns: `nil` where nothing can be drawn before the file is whole.
    static func source(
      for info: ImageInfo, in bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: DecodeLimits
    ) throws -> (any PreviewSource)? {
      switch info.format {
      case .jpeg, .png, .webp: info.isAnimated ? nil : ImageIOPreview()
      case .gif, .bmp, .ico, .avif, .heic, .tiff, .jxl, .svg: nil
      }
    }
  }

  /// What ImageIO draws of a file that is still arriving.
  private final class ImageIOPreview: PreviewSource {
    private let source = CGImageSourceCreateIncremental(nil)
    private var bytesDrawn = 0
    private var bytesHere = 0

    /// Fewer bytes more are not worth a preview.
    private static let leastBytes = 16 << 10

    func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool {
      if isCancelled() { throw CancellationError() }
      bytesHere = bytes.count
      guard bytesHere - bytesDrawn >= Self.leastBytes else { return false }
      CGImageSourceUpdateData(source, Data(bytes) as CFData, false)
      return CGImageSourceCreateImageAtIndex(source, 0, nil) != nil
    }

    func render(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap {
      guard let image = CGImageSourceCreateImageAtIndex(source, 0, nil) else { throw CodecError.corrupt(.jpeg) }
      bytesDrawn = bytesHere
      let drawn = try ImageIORowSource.draw(image, at: plan.storedOutput, plan.colors)
      let rows = Rows(drawn.pixels, size: plan.storedOutput)
      var bitmap = try ImageDecoder.bitmap(rows, plan, isOpaque: false, isCancelled)
      bitmap.colorProfile = drawn.profile
      return bitmap
    }

    private final class Rows: RowSource {
      let size: PixelSize
      private let pixels: ScratchMemory<UInt8>
      private var rowsRead = 0

      init(_ pixels: ScratchMemory<UInt8>, size: PixelSize) {
        self.pixels = pixels
        self.size = size
      }

      func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
        row.update(from: pixels.start + rowsRead * size.width * 4, count: size.width * 4)
        rowsRead += 1
      }
    }
  }
#endif
