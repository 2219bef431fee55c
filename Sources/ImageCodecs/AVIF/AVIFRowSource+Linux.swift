#if !canImport(Darwin) && AVIF
  internal import CAVIF
  import Pixels

  /// Rows of an AVIF through libavif, which decodes the whole picture to its own planes; they become RGBA a few rows at a
  /// time.
  final class AVIFRowSource: RowSource {
    let size: PixelSize
    private let decoder: AVIFDecoder
    private let number: Int
    private let strip: ScratchMemory<UInt8>
    private var stripRows = 0..<0
    private var rowsRead = 0

    /// Rows converted at a time, and the rows around them whose colours they share. Even, as chroma is.
    private static let rowsPerStrip = 32
    private static let margin = 2

    /// - Parameters:
    ///   - number: of the picture in a sequence, from 0.
    ///   - size: as the header tells it.
    init(_ decoder: AVIFDecoder, number: Int = 0, size: PixelSize) throws {
      self.decoder = decoder
      self.number = number
      self.size = size
      strip = try ScratchMemory(count: (Self.rowsPerStrip + 2 * Self.margin) * size.width * 4)
    }

    var isOpaque: Bool { decoder.isOpaque }

    func prepare(isCancelled: () -> Bool) throws {
      if isCancelled() { throw CancellationError() }
      try decoder.decode(number)
      let image = decoder.image.pointee
      guard Int(image.width) == size.width, Int(image.height) == size.height else {
        throw CodecError.corrupt(.avif, "its size is not the one it announces")
      }
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      if !stripRows.contains(rowsRead) { try convertStrip(from: rowsRead) }
      row.update(from: strip.start + (rowsRead - stripRows.lowerBound) * size.width * 4, count: size.width * 4)
      if !isOpaque { Alpha.premultiply(row, count: size.width) }
      rowsRead += 1
      if rowsRead == stripRows.upperBound - Self.margin, rowsRead < size.height { stripRows = 0..<0 }
    }

    /// Converts a view of the planes, with margins so that chroma is interpolated across its edges as within.
    private func convertStrip(from first: Int) throws {
      let rows = max(0, first - Self.margin)..<min(size.height, first + Self.rowsPerStrip + Self.margin)
      guard let view = avifImageCreateEmpty() else { throw CodecError.outOfMemory(for: size) }
      defer { avifImageDestroy(view) }
      var rectangle = avifCropRect(
        x: 0, y: UInt32(rows.lowerBound), width: UInt32(size.width), height: UInt32(rows.count))
      try decoder.check(avifImageSetViewRect(view, decoder.image, &rectangle))
      var target = avifRGBImage()
      avifRGBImageSetDefaults(&target, view)
      target.depth = 8
      // libyuv is fast, but up to three levels off where there are more than 8 bits.
      target.avoidLibYUV = view.pointee.depth > 8 ? 1 : 0
      target.format = AVIF_RGB_FORMAT_RGBA
      target.pixels = strip.start
      target.rowBytes = UInt32(size.width * 4)
      try decoder.check(avifImageYUVToRGB(view, &target))
      stripRows = rows
    }
  }
#endif
