#if !canImport(Darwin) && TIFF
  import Pixels

  /// Rows of the first picture of a TIFF, through libtiff.
  ///
  /// Strips are unpacked row by row; a row of tiles, and strips that are one piece, are held. Each plane has a reader of
  /// its own, so that planes are read side by side. Unsafe: the bytes must outlive the source.
  final class TIFFRowSource: RowSource {
    let size: PixelSize
    private let planes: [TIFFPlane]
    private let converter: TIFFRowConverter

    /// - Parameters:
    ///   - inks: what makes colours of inks, where a profile tells.
    ///   - isPartial: whether strips or tiles may be missing.
    init(
      _ bytes: UnsafeRawBufferPointer, limits: DecodeLimits, inks: ColorTransform?, isPartial: Bool = false
    ) throws {
      do {
        let layout = try TIFFLayout(TIFFDirectory(bytes, limits: limits), limits: limits)
        let places = try layout.planes.map { try layout.places(plane: $0) }
        if !isPartial { try Self.checkWhole(places, bytes) }
        try Self.checkMemory(layout, places, limits)
        planes = try places.map { try TIFFPlane(layout, places: $0, file: bytes, limits: limits) }
        converter = try TIFFRowConverter(layout, inks: inks)
        size = layout.header.size
      } catch is TIFFDirectory.Incomplete {
        throw CodecError.truncated(.tiff)
      }
    }

    private static func checkWhole(_ places: [[TIFFLayout.Place]], _ bytes: UnsafeRawBufferPointer) throws {
      let isWhole = places.joined().allSatisfy { $0.count <= bytes.count && $0.offset <= bytes.count - $0.count }
      guard isWhole else { throw CodecError.truncated(.tiff) }
    }

    /// Of each plane the longest strip or tile as it is in the file, what is unpacked as a whole, and dictionaries; of a row
    /// the samples that are not shown, of which there may be thousands to a pixel.
    private static func checkMemory(
      _ layout: TIFFLayout, _ places: [[TIFFLayout.Place]], _ limits: DecodeLimits
    ) throws {
      let rows = layout.rows(from: 0)
      var bytes = layout.compression.dictionaryBytes * places.count + layout.surplusRowBytes
      for places in places {
        let longest = places.lazy.map(\.count).max() ?? 0
        bytes += min(longest, limits.maximumEncodedBytes)
        guard layout.holdsPieces else { continue }
        if let expansion = layout.compression.mostExpansion, longest < layout.pieceBytes(rows: rows) / expansion {
          throw CodecError.corrupt(.tiff, "a strip or tile that cannot be in so few bytes")
        }
        bytes += layout.pieceBytes(rows: rows) * (layout.piecesAcross + (layout.compression.isWhole ? 1 : 0))
      }
      try limits.checkWorkingMemory(bytes)
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      converter.convert(try planes.map { try $0.nextRow() }, into: row)
    }
  }
#endif
