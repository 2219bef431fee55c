#if !canImport(Darwin)
  internal import CImageShims
  import Pixels

  /// Rows of a PNG through libpng: any depth, palette or transparency comes out as premultiplied RGBA of 8 bits.
  ///
  /// An interlaced picture is decoded as a whole first, since its last pass touches every other row; all others are
  /// decoded as rows are read. Unsafe: the bytes must outlive the source.
  final class PNGRowSource: RowSource {
    let size: PixelSize
    private let reader: OpaquePointer
    private let passes: Int
    private let hasAlpha: Bool
    private let isAnimated: Bool
    private let bytes: UnsafeRawBufferPointer
    private var picture: ScratchMemory<UInt8>?
    private var rowsRead = 0

    /// - Parameter isPartial: whether rows should come as far as the bytes go, which takes more time.
    init(_ bytes: UnsafeRawBufferPointer, info: ImageInfo, limits: DecodeLimits, isPartial: Bool = false) throws {
      var created: OpaquePointer?
      var header = vg_png_header()
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let start else { throw CodecError.empty }
      let status = vg_png_reader_create(start, bytes.count, &created, &header)
      var isReady = false
      defer { if !isReady { vg_png_reader_destroy(created) } }
      guard let reader = created else { throw CodecError.outOfMemory(for: info.storedSize) }
      try Self.check(status, reader)
      size = PixelSize(width: Int(header.width), height: Int(header.height))
      guard size == info.storedSize else { throw CodecError.corrupt(.png, "two headers") }
      if isPartial { vg_png_reader_read_finely(reader) }
      if header.passes > 1 { try limits.checkHeld(size, bytesPerPixel: 4) }
      passes = Int(header.passes)
      hasAlpha = info.hasAlpha
      isAnimated = info.isAnimated
      self.bytes = bytes
      self.reader = reader
      isReady = true
    }

    deinit { vg_png_reader_destroy(reader) }

    private static func check(_ status: vg_status, _ reader: OpaquePointer) throws {
      try CodecError.check(status, .png, String(cString: vg_png_reader_message(reader)))
    }

    func prepare(isCancelled: () -> Bool) throws {
      guard passes > 1 else { return }
      let picture = try ScratchMemory<UInt8>(count: size.area * 4)
      for _ in 0..<passes {
        for y in 0..<size.height {
          if isCancelled() { throw CancellationError() }
          try Self.check(vg_png_reader_read_row(reader, picture.start + y * size.width * 4), reader)
        }
      }
      self.picture = picture
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      if let picture {
        row.update(from: picture.start + rowsRead * size.width * 4, count: size.width * 4)
        rowsRead += 1
      } else {
        try Self.check(vg_png_reader_read_row(reader, row), reader)
      }
      if hasAlpha { Alpha.premultiply(row, count: size.width) }
    }

    /// libpng would read every frame of an animation for its checksum.
    func finish() throws {
      if isAnimated {
        try PNGChunks.checkWhole(bytes)
      } else {
        try Self.check(vg_png_reader_finish(reader), reader)
      }
    }
  }
#endif
