#if !canImport(Darwin) && JXL
  import Pixels

  /// Rows of a JPEG XL, which is decoded as a whole. Unsafe: the bytes must outlive the source.
  final class JXLRowSource: RowSource {
    let size: PixelSize
    private let decoder: JXLDecoder
    private let number: Int
    private let file: UnsafeRawBufferPointer
    private let mustBeWhole: Bool
    private let alpha: JXLHeader.ExtraChannel?
    private var pixels: PassingMemory?
    private var rowsRead = 0

    /// - Parameters:
    ///   - number: of the picture of an animation, from 0.
    ///   - mustBeWhole: whether what is behind the picture has to be there, too.
    init(_ decoder: JXLDecoder, number: Int = 0, of file: UnsafeRawBufferPointer, mustBeWhole: Bool) {
      self.mustBeWhole = mustBeWhole
      self.decoder = decoder
      self.number = number
      self.file = file
      size = decoder.header.size
      alpha = decoder.header.extraChannels.first { $0.kind == .alpha }
    }

    var isOpaque: Bool { alpha == nil }

    func prepare(isCancelled: () -> Bool) throws {
      let memory = try PassingMemory(count: size.area * 4 + JXLPass.margin)
      try decoder.decode(number, of: file, into: memory.start, isCancelled: isCancelled)
      pixels = memory
    }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
      guard let pixels else { return }
      let bytesPerRow = size.width * 4
      row.update(from: pixels.start + rowsRead * bytesPerRow, count: bytesPerRow)
      rowsRead += 1
      pixels.giveUp(before: rowsRead * bytesPerRow)
      guard let alpha else { return }
      if alpha.isPremultiplied {
        Alpha.clamp(row, count: size.width)
      } else {
        Alpha.premultiply(row, count: size.width)
      }
    }

    func finish() throws { if mustBeWhole { try decoder.checkWhole(file) } }
  }
#endif
