#if !canImport(Darwin)
  internal import CImageShims
  import Pixels

  /// A progressive JPEG drawn anew after each scan, through libjpeg-turbo's buffered-image mode.
  final class JPEGPreview: PartialPreview {
    private let reader: OpaquePointer
    private let plan: DecodePlan
    private let maximumScans: Int32
    private let limits: DecodeLimits
    private var content = Content.unknown
    private var isInk = false
    private var scans: Int32 = 0
    private var scansDrawn: Int32 = 0

    private enum Content {
      /// The header is not all here.
      case unknown
      case scans
      /// Of one scan there is nothing to draw before it is all here.
      case nothingToSee
    }

    init(plan: DecodePlan, limits: DecodeLimits) throws {
      var created: OpaquePointer?
      let status = vg_jpeg_preview_create(&created)
      guard let reader = created, status == .ok else {
        vg_jpeg_preview_destroy(created)
        throw CodecError.outOfMemory(for: plan.source)
      }
      self.reader = reader
      self.plan = plan
      self.limits = limits
      maximumScans = Int32(clamping: limits.maximumScans)
    }

    deinit { vg_jpeg_preview_destroy(reader) }

    var isEmpty: Bool { scans < 1 }

    func absorb(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Bool {
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      if content == .unknown { content = try readHeader(start, bytes.count) }
      guard content == .scans else { return false }
      let eighths = Int32(JPEGRowSource.eighths(plan))
      var isWaiting = false
      while !isWaiting {
        if isCancelled() { throw CancellationError() }
        try check(vg_jpeg_preview_absorb(reader, start, bytes.count, eighths, maximumScans, &scans, &isWaiting))
      }
      return scans > scansDrawn
    }

    private func readHeader(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws -> Content {
      var (header, isKnown) = (vg_jpeg_header(), false)
      try check(vg_jpeg_preview_read_header(reader, bytes, count, &header, &isKnown))
      guard isKnown else { return .unknown }
      let size = PixelSize(width: Int(header.width), height: Int(header.height))
      guard header.is_multi_scan, size == plan.source else { return .nothingToSee }
      isInk = header.is_cmyk
      try JPEGRowSource.checkHeld(header, size, limits)
      return .scans
    }

    func render(_ plan: DecodePlan, color: ColorTreatment, isCancelled: () -> Bool) throws -> Bitmap {
      var (width, height) = (UInt32(0), UInt32(0))
      try check(vg_jpeg_preview_begin(reader, &width, &height))
      let size = PixelSize(width: Int(width), height: Int(height))
      let rows = Rows(reader, size: size, plan, inks: isInk ? .some(color.transform) : nil)
      let bitmap = try ImageDecoder.bitmap(rows, plan, isOpaque: true, color: isInk ? .none : color, isCancelled)
      try check(vg_jpeg_preview_end(reader))
      scansDrawn = scans
      return bitmap
    }

    private func check(_ status: vg_status) throws { try CodecError.check(status, .jpeg, "") }

    private final class Rows: RowSource {
      let size: PixelSize
      let extent: (width: Double, height: Double)
      private let reader: OpaquePointer
      private let inks: ColorTransform??

      /// - Parameter inks: what makes colours of inks; `nil` where the rows are colours.
      init(_ reader: OpaquePointer, size: PixelSize, _ plan: DecodePlan, inks: ColorTransform??) {
        self.reader = reader
        self.inks = inks
        self.size = size
        extent = JPEGRowSource.extent(plan, eighths: JPEGRowSource.eighths(plan))
      }

      func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
        try CodecError.check(vg_jpeg_preview_read_row(reader, row), .jpeg, "")
        if let inks { Inks.convert(row, count: size.width, color: inks) }
      }
    }
  }
#endif
