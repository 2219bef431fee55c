#if !canImport(Darwin)
  internal import CImageShims
  import Pixels

  /// Rows of a JPEG through libjpeg-turbo, scaled by it to 1/8, 1/4 or 1/2 while a multiple of the target's size is left.
  ///
  /// Twice, because the scaling is a box filter: what Lanczos then makes of a large photo is within 54 dB of Lanczos over
  /// every pixel, against 39 dB when the scaled rows are used as they are. Small photos are often sharp to the pixel, where
  /// it would be 47 dB; three times brings them to 51 dB in a millisecond more. A baseline file is decoded as rows are
  /// read; a progressive one keeps the coefficients of the whole picture. Unsafe: the bytes must outlive the source.
  final class JPEGRowSource: RowSource {
    let size: PixelSize
    let extent: (width: Double, height: Double)
    private let reader: OpaquePointer
    private let header: vg_jpeg_header
    private let maximumScans: Int32
    private let inks: ColorTransform?

    /// - Parameter inks: what makes colours of a CMYK file's inks, where its profile tells.
    init(_ bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: DecodeLimits, inks: ColorTransform?) throws {
      var created: OpaquePointer?
      var header = vg_jpeg_header()
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let start else { throw CodecError.empty }
      let status = vg_jpeg_reader_create(start, bytes.count, &created, &header)
      var isReady = false
      defer { if !isReady { vg_jpeg_reader_destroy(created) } }
      guard let reader = created else { throw CodecError.outOfMemory(for: plan.source) }
      try Self.check(status, reader)
      guard PixelSize(width: Int(header.width), height: Int(header.height)) == plan.source else {
        throw CodecError.corrupt(.jpeg, "two frames")
      }
      try Self.checkHeld(header, plan.source, limits)

      let eighths = Self.eighths(plan)
      var (width, height) = (UInt32(0), UInt32(0))
      try Self.check(vg_jpeg_reader_start(reader, Int32(eighths), &width, &height), reader)
      size = PixelSize(width: Int(width), height: Int(height))
      extent = Self.extent(plan, eighths: eighths)
      maximumScans = Int32(clamping: limits.maximumScans)
      self.header = header
      self.inks = inks
      self.reader = reader
      isReady = true
    }

    deinit { vg_jpeg_reader_destroy(reader) }

    /// Coefficients of several scans are all held until the last one is there.
    static func checkHeld(_ header: vg_jpeg_header, _ size: PixelSize, _ limits: DecodeLimits) throws {
      guard header.is_multi_scan else { return }
      try limits.checkFull(size)
      try limits.checkWorkingMemory(Int(clamping: header.coefficient_bytes))
    }

    /// Whether every scan has to be there before the first row is known.
    var isMultiScan: Bool { header.is_multi_scan }

    /// The part of the scaled rows that the picture covers.
    static func extent(_ plan: DecodePlan, eighths: Int) -> (width: Double, height: Double) {
      (Double(plan.source.width * eighths) / 8, Double(plan.source.height * eighths) / 8)
    }

    private static let maximumSmallPixels = 2_000_000

    /// The scale that libjpeg gives the rows.
    static func eighths(_ plan: DecodePlan) -> Int {
      guard plan.isScaled else { return 8 }
      let (source, target) = (plan.source, plan.storedOutput)
      let margin = source.area <= maximumSmallPixels ? 3 : 2
      let fitting = [1, 2, 4].first { eighths in
        source.width * eighths / 8 >= target.width * margin && source.height * eighths / 8 >= target.height * margin
      }
      return fitting ?? 8
    }

    private static func check(_ status: vg_status, _ reader: OpaquePointer) throws {
      try CodecError.check(status, .jpeg, String(cString: vg_jpeg_reader_message(reader)))
    }

    func prepare(isCancelled: () -> Bool) throws {
      guard header.is_multi_scan else { return }
      var isFinished = false
      while !isFinished {
        if isCancelled() { throw CancellationError() }
        try Self.check(vg_jpeg_reader_absorb(reader, maximumScans, &isFinished), reader)
      }
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      try Self.check(vg_jpeg_reader_read_row(reader, row), reader)
      if header.is_cmyk { Inks.convert(row, count: size.width, color: inks) }
    }
  }
#endif
