#if !canImport(Darwin) && HEIC
  import Pixels

  /// The samples of a layer as rows are asked for from the top, of which two rows of cells at most are held.
  final class HEICPlanes {
    let layer: HEICLayer
    /// What the coded data say of the colours; known with the first row of cells.
    private(set) var numbers: HEIFColor.Numbers?
    private let planes: [Plane]
    private var bandsDecoded = 0

    private struct Plane {
      var memory: ScratchMemory<UInt8>
      /// Bytes of a row.
      var stride: Int
      /// Rows held, and those of a row of cells.
      var rows: Int
      var rowsPerBand: Int
      /// Samples of a cell's row, in bytes.
      var bytesPerCell: Int
    }

    /// - Parameter isAlpha: only brightness is wanted of transparency.
    init(_ layer: HEICLayer, isAlpha: Bool) throws {
      self.layer = layer
      planes = try Self.sizes(layer, isAlpha: isAlpha).map { cell in
        let bytesPerCell = cell.width * layer.samples.sampleBytes
        let rows = cell.height * min(layer.rows, 2)
        return Plane(
          memory: try ScratchMemory(count: bytesPerCell * layer.columns * rows), stride: bytesPerCell * layer.columns,
          rows: rows, rowsPerBand: cell.height, bytesPerCell: bytesPerCell)
      }
    }

    /// Of a cell's planes.
    private static func sizes(_ layer: HEICLayer, isAlpha: Bool) -> [PixelSize] {
      let layout = layer.samples.layout
      let chroma = layout.chromaSize(layer.cellSize)
      return [layer.cellSize] + (isAlpha || layout == .grey ? [] : [chroma, chroma])
    }

    /// What is held of a layer, in bytes, beside what decodes a cell of it.
    static func heldBytes(_ layer: HEICLayer, isAlpha: Bool) -> Int {
      let area = sizes(layer, isAlpha: isAlpha).reduce(0) { $0 + $1.area }
      return area * layer.samples.sampleBytes * layer.columns * min(layer.rows, 2)
    }

    /// Decodes cells until a row of brightness, counted on the layer's whole cells, is there.
    func prepare(row: Int, _ items: HEICItems, isCancelled: () -> Bool) throws {
      while bandsDecoded * layer.cellSize.height <= row, bandsDecoded < layer.rows {
        for column in 0..<layer.columns { try decodeCell(column, items, isCancelled) }
        bandsDecoded += 1
      }
    }

    private func decodeCell(_ column: Int, _ items: HEICItems, _ isCancelled: () -> Bool) throws {
      if isCancelled() { throw CancellationError() }
      let cell = layer.cells[bandsDecoded * layer.columns + column]
      let decoder = try HEVCDecoder(layer.samples)
      try items.withData(of: cell.item) { try decoder.decode(cell.configuration, $0, isCancelled: isCancelled) }
      numbers = numbers ?? decoder.numbers
      for (number, plane) in planes.enumerated() {
        let first = bandsDecoded * plane.rowsPerBand % plane.rows
        let start = plane.memory.start + first * plane.stride + column * plane.bytesPerCell
        decoder.forEachRow(ofPlane: number, shown: layer.cellSize) { row, samples in
          UnsafeMutableRawPointer(start + row * plane.stride)
            .copyMemory(from: samples.baseAddress ?? UnsafeRawPointer(start), byteCount: samples.count)
        }
      }
    }

    /// The samples of a row of a plane, which must be there.
    func row(_ row: Int, ofPlane plane: Int) -> UnsafeRawPointer {
      UnsafeRawPointer(planes[plane].memory.start + row % planes[plane].rows * planes[plane].stride)
    }

    /// Rows of colour on the layer's whole cells.
    var chromaRows: Int { planes.count > 1 ? planes[1].rowsPerBand * layer.rows : 0 }
    /// Columns of brightness and of colour on the layer's whole cells.
    var columns: Int { layer.cellSize.width * layer.columns }
    var chromaColumns: Int { layer.samples.layout.chromaSize(layer.cellSize).width * layer.columns }
  }
#endif
