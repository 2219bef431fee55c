#if !canImport(Darwin)
  internal import CImageShims
  import Pixels

  /// An interlaced PNG drawn from the pixels of its first passes: every eighth of every eighth row, then every fourth, then
  /// every second (PNG specification, third edition, section 8).
  final class PNGPreview: PartialPreview {
    private let reader: OpaquePointer
    private let hasAlpha: Bool
    private var spacing = 0
    private var spacingDrawn = 0

    /// Bytes handed over between two questions whether to go on.
    private static let step = 1 << 16

    init(_ info: ImageInfo, limits: DecodeLimits) throws {
      try limits.checkHeld(info.storedSize, bytesPerPixel: 4)
      var created: OpaquePointer?
      let size = info.storedSize
      let status = vg_png_preview_create(UInt32(clamping: size.width), UInt32(clamping: size.height), &created)
      guard let reader = created, status == .ok else {
        vg_png_preview_destroy(created)
        throw CodecError.outOfMemory(for: size)
      }
      self.reader = reader
      hasAlpha = info.hasAlpha
    }

    /// By the last byte of the header (section 11.2.1).
    static func isInterlaced(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.count > 28 && bytes[28] == 1 }

    deinit { vg_png_preview_destroy(reader) }

    var isEmpty: Bool { spacing == 0 }

    func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool {
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      var isWaiting = false
      while !isWaiting {
        if isCancelled() { throw CancellationError() }
        let status = vg_png_preview_absorb(reader, start, bytes.count, Self.step, &isWaiting)
        spacing = Self.spacing(passes: vg_png_preview_passes(reader))
        try CodecError.check(status, .png, "")
      }
      return spacing != spacingDrawn
    }

    /// Of the pixels that are known in every row that is, after so many passes.
    private static func spacing(passes: Int32) -> Int {
      switch passes {
      case 0: 0
      case 1, 2: 8
      case 3, 4: 4
      default: 2
      }
    }

    func render(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap {
      let rows = Rows(vg_png_preview_pixels(reader), of: plan.source, spacing: spacing, hasAlpha: hasAlpha)
      let bitmap = try ImageDecoder.bitmap(rows, plan, isOpaque: !hasAlpha, color: color, isCancelled)
      spacingDrawn = spacing
      return bitmap
    }

    /// Every so many pixels of every so many rows.
    private final class Rows: RowSource {
      let size: PixelSize
      let extent: (width: Double, height: Double)
      private let pixels: UnsafePointer<UInt8>
      private let width: Int
      private let spacing: Int
      private let hasAlpha: Bool
      private var rowsRead = 0

      init(_ pixels: UnsafePointer<UInt8>, of source: PixelSize, spacing: Int, hasAlpha: Bool) {
        self.pixels = pixels
        self.spacing = spacing
        self.hasAlpha = hasAlpha
        width = source.width
        size = PixelSize(
          width: (source.width + spacing - 1) / spacing, height: (source.height + spacing - 1) / spacing)
        extent = (Double(source.width) / Double(spacing), Double(source.height) / Double(spacing))
      }

      func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
        let source = pixels + rowsRead * spacing * width * 4
        for x in 0..<size.width { (row + x * 4).update(from: source + x * spacing * 4, count: 4) }
        if hasAlpha { Alpha.premultiply(row, count: size.width) }
        rowsRead += 1
      }
    }
  }
#endif
