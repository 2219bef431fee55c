#if !canImport(Darwin) && HEIC
  import Pixels

  /// Rows of a HEIC through libde265, which decodes a coded picture as a whole: all of it, or a row of cells at a time.
  final class HEICRowSource: RowSource {
    let size: PixelSize
    private let file: HEICFile
    private let color: HEICPlanes
    private let alpha: HEICPlanes?
    private let converter: ChromaRows
    private let isCancelled: () -> Bool
    private var rowsRead = 0

    var isOpaque: Bool { alpha == nil }

    /// Decodes the first cells, which say what the colours are.
    /// - Parameter isCancelled: asked between slices, and cells.
    init(_ file: HEICFile, limits: DecodeLimits, isCancelled: @escaping () -> Bool) throws {
      try Self.checkMemory(file, limits)
      self.file = file
      self.isCancelled = isCancelled
      size = file.crop.size
      color = try HEICPlanes(file.color, isAlpha: false)
      alpha = try file.alpha.map { try HEICPlanes($0, isAlpha: true) }
      try color.prepare(row: 0, file.items, isCancelled: isCancelled)
      let samples = file.color.samples
      converter = try ChromaRows(
        samples.layout, YCbCr(file.colors.numbers ?? color.numbers, bitDepth: samples.bitDepth, samples.layout),
        bitDepth: samples.bitDepth, columns: color.columns, chromaColumns: color.chromaColumns)
    }

    /// What brings the rows to sRGB, by what the file says of its colours, or else the coded data.
    func colorTransform(_ limits: DecodeLimits) -> ColorTransform? {
      let model: ColorModel = file.color.samples.layout == .grey ? .grey : .rgb
      return sourceColor(limits).flatMap { ColorTransform.toSRGB(from: $0, model: model) }
    }

    private func sourceColor(_ limits: DecodeLimits) -> SourceColor? {
      if let profile = file.colors.profile {
        guard profile.remaining <= limits.maximumProfileBytes else { return nil }
        return .profile(ColorProfile(Array(profile.rest)))
      }
      return (file.colors.numbers ?? color.numbers)?.points.color
    }

    /// Checks what is held of the layers, and what decoding a cell takes: its samples, those once more where edges are
    /// smoothed, and two bytes of a pixel of what it notes of its blocks.
    private static func checkMemory(_ file: HEICFile, _ limits: DecodeLimits) throws {
      var (held, decoding) = (0, 0)
      for (layer, isAlpha) in [(file.color, false)] + (file.alpha.map { [($0, true)] } ?? []) {
        let samples = layer.samples
        try limits.checkSource(layer.size)
        try limits.checkSource(samples.codedSize)
        try limits.checkFull(samples.codedSize)
        held += HEICPlanes.heldBytes(layer, isAlpha: isAlpha)
        decoding = max(decoding, 2 * samples.planeBytes + 2 * samples.codedSize.area)
      }
      try limits.checkWorkingMemory(held + decoding)
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      let at = file.crop.y + rowsRead
      // Colour is interpolated between two rows, the further of which is that of the row after the next.
      try color.prepare(row: at + 2, file.items, isCancelled: isCancelled)
      converter.convert(color, row: at, columns: file.crop.columns, into: row)
      if let alpha {
        try alpha.prepare(row: at, file.items, isCancelled: isCancelled)
        setAlpha(alpha.row(at, ofPlane: 0), alpha.layer.samples, row)
      }
      rowsRead += 1
    }

    private func setAlpha(
      _ samples: UnsafeRawPointer, _ parameters: HEVCParameterSet, _ row: UnsafeMutablePointer<UInt8>
    ) {
      let most = UInt32(1) << UInt32(parameters.bitDepth) - 1
      let start = samples + file.crop.x * parameters.sampleBytes
      for column in 0..<size.width {
        let value =
          parameters.sampleBytes == 1
          ? UInt32(start.load(fromByteOffset: column, as: UInt8.self))
          : UInt32(start.load(fromByteOffset: column * 2, as: UInt16.self))
        row[column * 4 + 3] = UInt8(truncatingIfNeeded: (min(value, most) * 255 + most / 2) / most)
      }
      guard file.isPremultiplied else { return Alpha.premultiply(row, count: size.width) }
      // Loss may have left colours above their alpha.
      for pixel in 0..<size.width {
        let alpha = row[pixel * 4 + 3]
        for channel in 0..<3 { row[pixel * 4 + channel] = min(row[pixel * 4 + channel], alpha) }
      }
    }
  }
#endif
