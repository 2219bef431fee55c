import Pixels

/// Rows of a file that is cut off or damaged: those before the fault, and transparent ones from there on.
///
/// A fault in the first row is an error, and so is one before it.
final class PartialRowSource<Content: RowSource>: RowSource {
  private let content: Content
  private var rowsRead = 0
  private var isOver = false

  init(_ content: Content) { self.content = content }

  var size: PixelSize { content.size }
  var extent: (width: Double, height: Double) { content.extent }

  func prepare(isCancelled: () -> Bool) throws { try content.prepare(isCancelled: isCancelled) }

  func readRow(into row: UnsafeMutablePointer<UInt8>) throws {
    if !isOver {
      do {
        try content.readRow(into: row)
        rowsRead += 1
      } catch let error as CodecError where error.isDamage && rowsRead > 0 {
        isOver = true
      }
    }
    if isOver { row.update(repeating: 0, count: size.width * 4) }
  }

  /// Nothing: that the file is not whole is known.
  func finish() {}
}
