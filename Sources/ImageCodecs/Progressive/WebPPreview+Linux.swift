#if !canImport(Darwin)
  import Pixels

  /// A still WebP drawn as far as its rows are here; the rest is transparent.
  final class WebPPreview: PartialPreview {
    private let size: PixelSize
    private let hasAlpha: Bool
    private let pixels: ScratchMemory<UInt8>
    private let decoder: WebPIncrementalDecoder
    private var rowsDrawn = 0

    /// Less than this part of the height more is not worth a preview.
    private static let leastPart = 16

    /// - Parameter bytes: as far as they are here.
    init(_ bytes: UnsafeRawBufferPointer, _ info: ImageInfo, plan: DecodePlan, limits: DecodeLimits) throws {
      hasAlpha = info.hasAlpha
      let isLossless = try? WebPFile.isLossless(WebPFile.features(of: bytes))
      let isHeldWhole = hasAlpha || isLossless == true
      size = isHeldWhole ? info.storedSize : WebPRowSource.scaledSize(plan)
      let libraryBytes = WebPFile.libraryBytesPerPixel(isLossless: isLossless == true, hasAlpha: hasAlpha)
      try limits.checkHeld(size, bytesPerPixel: 4 + libraryBytes)
      pixels = try ScratchMemory<UInt8>(count: size.area * 4)
      decoder = try WebPIncrementalDecoder(size: size, isScaled: size != info.storedSize, into: pixels.start)
    }

    private var rowsHere: Int { decoder.rows }
    var isEmpty: Bool { rowsHere == 0 }

    func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool {
      if isCancelled() { throw CancellationError() }
      try decoder.absorb(bytes)
      return rowsHere - rowsDrawn >= max(1, size.height / Self.leastPart)
    }

    func render(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap {
      let rows = Rows(pixels, size: size, count: rowsHere, hasAlpha: hasAlpha)
      let bitmap = try ImageDecoder.bitmap(rows, plan, isOpaque: false, color: color, isCancelled)
      rowsDrawn = rowsHere
      return bitmap
    }

    private final class Rows: RowSource {
      let size: PixelSize
      private let pixels: ScratchMemory<UInt8>
      private let count: Int
      private let hasAlpha: Bool
      private var rowsRead = 0

      init(_ pixels: ScratchMemory<UInt8>, size: PixelSize, count: Int, hasAlpha: Bool) {
        self.pixels = pixels
        self.size = size
        self.count = count
        self.hasAlpha = hasAlpha
      }

      func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
        if rowsRead < count {
          row.update(from: pixels.start + rowsRead * size.width * 4, count: size.width * 4)
          if hasAlpha {
            Alpha.premultiply(row, count: size.width)
          } else {
            Alpha.makeOpaque(row, count: size.width)
          }
        } else {
          row.update(repeating: 0, count: size.width * 4)
        }
        rowsRead += 1
      }
    }
  }
#endif
