#if !canImport(Darwin) && HEIC
  import Pixels

  /// The picture of a HEIC: which coded pictures its colours and its transparency are put together from, and what of it is
  /// shown. Unsafe: the bytes must outlive it.
  struct HEICFile {
    let color: HEICLayer
    let alpha: HEICLayer?
    /// Whether the colours are multiplied by the alpha already.
    let isPremultiplied: Bool
    /// The part that is shown.
    let crop: PixelRect
    /// What is said of the colours beside the coded data.
    let colors: HEIFColor
    let items: HEICItems

    /// - Parameter info: as the header tells it.
    init(_ bytes: UnsafeRawBufferPointer, _ info: ImageInfo, limits: DecodeLimits) throws {
      guard HEIFHeader.endsWithBox(bytes) else { throw CodecError.truncated(.heic) }
      guard let meta = try HEIFHeader.meta(ByteReader(bytes), .heic) else { throw CodecError.truncated(.heic) }
      let sources = try meta.sources(of: meta.primary, limits)
      let alphaItem = try meta.alpha(of: [meta.primary])
      let alphaSources = try alphaItem.map { try meta.sources(of: $0, limits) } ?? []
      // Transparency of single cells.
      guard info.hasAlpha == (alphaItem != nil) else { throw CodecError.unsupportedVariant(of: .heic) }
      let items = try HEICItems(
        Set([meta.primary] + sources + alphaSources).union(alphaItem.map { [$0] } ?? []), of: meta, in: bytes)
      self.items = items
      let picture = meta.picture(of: items.pictures, madeOf: sources)
      crop = picture.crop
      colors = picture.color
      color = try HEICLayer(meta.primary, madeOf: sources, items)
      alpha = try alphaItem.map { try HEICLayer($0, madeOf: alphaSources, items) }
      isPremultiplied = try alphaItem != nil && meta.isPremultiplied(meta.primary)
      if let alpha, alpha.size != color.size { throw CodecError.unsupportedVariant(of: .heic) }
    }
  }

  /// One coded picture, or a grid of cells of one size, each of which is one (ISO/IEC 23008-12, section 6.6.2.3).
  struct HEICLayer {
    struct Cell {
      var item: UInt32
      var configuration: HEVCConfiguration
    }

    let cells: [Cell]
    let columns: Int
    /// Of a cell, as shown: the upper left of what is coded.
    let cellSize: PixelSize
    /// Of the layer; the last cells of rows and columns may go beyond it.
    let size: PixelSize
    /// Of all cells alike.
    let samples: HEVCParameterSet

    var rows: Int { cells.count / columns }

    init(_ item: UInt32, madeOf sources: [UInt32], _ items: HEICItems) throws {
      size = items.pictures[item]?.size ?? .zero
      switch items.kinds[item] {
      case .coded:
        columns = 1
        cells = [try Self.cell(item, items)]
      case .identity:
        columns = 1
        guard sources.count == 1, items.kinds[sources[0]] == .coded else {
          throw CodecError.unsupportedVariant(of: .heic)
        }
        cells = [try Self.cell(sources[0], items, isSource: true)]
      case .grid:
        let grid = try items.withData(of: item) { Grid($0) }
        guard let grid, grid.size == size, grid.columns * grid.rows == sources.count else {
          throw CodecError.corrupt(.heic, "a grid that makes no sense")
        }
        columns = grid.columns
        cells = try sources.map { try Self.cell($0, items, isSource: true) }
      default: throw CodecError.unsupportedVariant(of: .heic)
      }
      guard
        let first = cells.first?.configuration.parameterSets.first(where: {
          HEVCUnit($0)?.isSequenceParameterSet == true
        }),
        let samples = HEVCParameterSet(first)
      else { throw CodecError.corrupt(.heic, "a picture without parameters") }
      self.samples = samples
      // Of an identity it is the size that is said of it: libheif writes one to cut what fills its picture up.
      cellSize = items.kinds[item] == .identity ? size : items.pictures[cells[0].item]?.size ?? .zero
      guard cells.count == 1 || cells.allSatisfy({ items.pictures[$0.item]?.size == cellSize }) else {
        throw CodecError.corrupt(.heic, "a grid that makes no sense")
      }
      // Even of a single cell a grid may show a part only, as libheif writes pictures of odd sizes.
      try checkCells(mayExceed: items.kinds[item] == .grid)
    }

    private static func cell(_ item: UInt32, _ items: HEICItems, isSource: Bool = false) throws -> Cell {
      guard items.kinds[item] == .coded, let picture = items.pictures[item], !isSource || !picture.isTransformed else {
        throw CodecError.unsupportedVariant(of: .heic)
      }
      guard let configuration = picture.configuration.flatMap({ HEVCConfiguration($0) }) else {
        throw CodecError.corrupt(.heic, "a picture without parameters")
      }
      return Cell(item: item, configuration: configuration)
    }

    /// Whether the cells cover the layer, and none is beyond it.
    private func checkCells(mayExceed: Bool) throws {
      guard !cells.isEmpty, !size.isEmpty else { throw CodecError.corrupt(.heic, "a picture without a size") }
      func covers(_ count: Int, _ side: Int, _ whole: Int) -> Bool {
        count * side >= whole && (count - 1) * side < whole
      }
      // Encoders that know no cropping fill the last blocks up, of 64 pixels at most.
      func isCut(_ coded: Int, _ side: Int) -> Bool { (0..<64).contains(coded - side) }
      guard isCut(samples.size.width, cellSize.width), isCut(samples.size.height, cellSize.height),
        covers(columns, cellSize.width, size.width), covers(rows, cellSize.height, size.height),
        mayExceed || cellSize == size
      else { throw CodecError.corrupt(.heic, "its size is not the one it announces") }
      // Chroma of cells that lie side by side, and rows enough that two rows of cells hold all that one row needs.
      guard columns == 1 || cellSize.width % samples.layout.columnStep == 0,
        rows == 1 || cellSize.height % samples.layout.rowStep == 0 && cellSize.height >= 8
      else { throw CodecError.unsupportedVariant(of: .heic) }
    }

    /// The description of a grid.
    private struct Grid {
      let columns: Int
      let rows: Int
      let size: PixelSize

      init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard reader.skip(1), let flags = reader.uint8(), let lastRow = reader.uint8(), let lastColumn = reader.uint8()
        else { return nil }
        let sideBytes = flags & 1 == 1 ? 4 : 2
        guard let width = reader.uint(sideBytes), let height = reader.uint(sideBytes) else { return nil }
        (columns, rows) = (Int(lastColumn) + 1, Int(lastRow) + 1)
        size = PixelSize(width: Int(width), height: Int(height))
      }
    }
  }
#endif
