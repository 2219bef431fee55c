import Pixels

/// Rows of one image of a GIF: its own rectangle, whatever the screen.
///
/// A plain image is unpacked as rows are read. An interlaced one is unpacked as a whole first, a byte a pixel, since
/// every other row comes last. Unsafe: the bytes must outlive the source.
final class GIFRowSource: RowSource {
  let size: PixelSize
  private let reader: GIFIndexReader
  /// Premultiplied RGBA of each index, as one number in the order of the machine.
  private let colors: ScratchMemory<UInt32>
  private let isInterlaced: Bool
  private let isPartial: Bool
  private var picture: ScratchMemory<UInt8>?
  /// Of a picture that is not all there, the row that is shown for each; `nil` for none.
  private var standIns: [Int?]?
  private var rowsRead = 0

  /// - Parameters:
  ///   - frame: its size has been settled and is not empty.
  ///   - isPartial: whether an interlaced image may be shown as far as its data go.
  init(
    _ frame: GIFFrame, of screen: GIFScreen, bytes: UnsafeRawBufferPointer, limits: DecodeLimits,
    isPartial: Bool = false
  ) throws {
    self.isPartial = isPartial
    size = frame.rect.size
    isInterlaced = frame.isInterlaced
    if isInterlaced { try limits.checkHeld(size, bytesPerPixel: 1) }
    colors = try Self.colors(
      frame.palette.isEmpty ? screen.palette : frame.palette, transparent: frame.control.transparentIndex, bytes)
    reader = try GIFIndexReader(bytes, at: frame.dataOffset, width: size.width)
  }

  /// Black follows the colours of a short palette. Without any palette 1 is white, as the specification suggests.
  private static func colors(
    _ palette: Range<Int>, transparent: UInt8?, _ bytes: UnsafeRawBufferPointer
  ) throws -> ScratchMemory<UInt32> {
    let colors = try ScratchMemory<UInt32>(count: 256)
    for index in 0..<256 { colors.start[index] = UInt32(littleEndian: 0xFF00_0000) }
    if palette.isEmpty { colors.start[1] = 0xFFFF_FFFF }
    var reader = ByteReader(bytes, at: palette.lowerBound)
    for index in 0..<palette.count / 3 {
      guard let color = reader.uint24LittleEndian() else { break }
      colors.start[index] = UInt32(littleEndian: 0xFF00_0000 | color)
    }
    if let transparent { colors.start[Int(transparent)] = 0 }
    return colors
  }

  func prepare(isCancelled: () -> Bool) throws {
    guard isInterlaced else { return }
    let picture = try ScratchMemory<UInt8>(count: size.area)
    var isHere = [Bool](repeating: false, count: size.height)
    do {
      // Appendix E: every eighth row, then those halfway between, and so on.
      for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
        for y in stride(from: first, to: size.height, by: step) {
          if isCancelled() { throw CancellationError() }
          (picture.start + y * size.width).update(from: try reader.nextRow(), count: size.width)
          isHere[y] = true
        }
      }
    } catch let error as CodecError where isPartial && error.isDamage && isHere[0] {
      standIns = Self.standIns(isHere)
    }
    self.picture = picture
  }

  /// For each row itself, or the nearest above it that an earlier pass has brought.
  private static func standIns(_ isHere: [Bool]) -> [Int?] {
    isHere.indices.map { y in [y, y & ~1, y & ~3, y & ~7].first { isHere[$0] } }
  }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    let y = standIns.map { $0[rowsRead] } ?? rowsRead
    rowsRead += 1
    guard let y else {
      row.update(repeating: 0, count: size.width * 4)
      return
    }
    let indices = try picture.map { UnsafePointer($0.start + y * size.width) } ?? reader.nextRow()
    let (colors, width) = (colors.start, size.width)
    row.withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
      for x in 0..<width { pixels[x] = colors[Int(indices[x])] }
    }
  }
}
