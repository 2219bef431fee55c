import Pixels

/// Rows of a canvas that one picture covers in part, with transparency around it.
final class PlacedRowSource<Content: RowSource>: RowSource {
  let size: PixelSize
  private let content: Content
  private let rect: PixelRect
  private var rowsRead = 0

  /// - Parameter rect: where `content` lies, at its size; wholly on the canvas.
  init(_ content: Content, at rect: PixelRect, canvas: PixelSize) {
    self.content = content
    self.rect = rect
    size = canvas
  }

  func prepare(isCancelled: () -> Bool) throws { try content.prepare(isCancelled: isCancelled) }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    defer { rowsRead += 1 }
    guard rect.rows.contains(rowsRead) else {
      row.update(repeating: 0, count: size.width * 4)
      return
    }
    let columns = rect.columns
    row.update(repeating: 0, count: columns.lowerBound * 4)
    try content.readRow(into: row + columns.lowerBound * 4)
    (row + columns.upperBound * 4).update(repeating: 0, count: (size.width - columns.upperBound) * 4)
  }

  func finish() throws { try content.finish() }
}
