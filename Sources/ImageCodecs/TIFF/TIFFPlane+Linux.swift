#if !canImport(Darwin) && TIFF
  import Pixels

  /// Rows of samples of one plane, from the top: read one by one from strips, or from a row of tiles, or a strip, that is
  /// unpacked as a whole. Unsafe: the file must outlive the plane.
  final class TIFFPlane {
    private let layout: TIFFLayout
    private let reader: TIFFReader
    private let row: ScratchMemory<UInt8>
    /// Pieces beside each other, one after the other.
    private let band: ScratchMemory<UInt8>?
    private var bandRows = 0..<0
    private var rowsRead = 0

    init(_ layout: TIFFLayout, places: [TIFFLayout.Place], file: UnsafeRawBufferPointer, limits: DecodeLimits)
      throws
    {
      self.layout = layout
      reader = try TIFFReader(
        TIFFExcerpt(layout, places: places, file: file),
        isColorConverted: layout.photometric == .yCbCr && layout.compression == .jpeg, limits: limits)
      // Tiles go beyond the right edge.
      let width = layout.piece.width * layout.piecesAcross
      row = try ScratchMemory(count: layout.clusters == nil ? layout.rowBytes(width: width) : width * 3)
      band =
        layout.holdsPieces
        ? try ScratchMemory(count: layout.pieceBytes(rows: layout.piece.height) * layout.piecesAcross) : nil
      if !layout.holdsPieces {
        guard reader.rowBytes == row.count else { throw CodecError.corrupt(.tiff, "rows of an impossible length") }
      }
    }

    /// The samples of the next row, side by side. Valid until the next call.
    func nextRow() throws -> UnsafePointer<UInt8> {
      defer { rowsRead += 1 }
      guard let band else {
        try reader.readRow(rowsRead, into: row.start)
        return UnsafePointer(row.start)
      }
      if !bandRows.contains(rowsRead) { try readBand(into: band.start) }
      let y = rowsRead - bandRows.lowerBound
      let pieceBytes = layout.pieceBytes(rows: bandRows.count)
      for index in 0..<layout.piecesAcross { copyRow(y, of: band.start + index * pieceBytes, index) }
      return UnsafePointer(row.start)
    }

    private func readBand(into band: UnsafeMutablePointer<UInt8>) throws {
      let rows = layout.rows(from: rowsRead)
      let count = layout.pieceBytes(rows: rows)
      let first = rowsRead / layout.piece.height * layout.piecesAcross
      for index in 0..<layout.piecesAcross {
        try reader.readPiece(first + index, isTile: layout.isTiled, into: band + index * count, count: count)
      }
      bandRows = rowsRead..<rowsRead + rows
    }

    private func copyRow(_ y: Int, of piece: UnsafeMutablePointer<UInt8>, _ index: Int) {
      let width = layout.piece.width
      if let clusters = layout.clusters {
        clusters.convert(piece, width: width, row: y, into: row.start + index * width * 3, count: width)
      } else {
        let count = layout.rowBytes(width: width)
        (row.start + index * count).update(from: piece + y * count, count: count)
      }
    }
  }
#endif
