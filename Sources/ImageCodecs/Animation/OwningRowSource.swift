import Pixels

/// Rows of a file that was put together in memory, which lives as long as they do.
final class OwningRowSource: RowSource {
  private let memory: ScratchMemory<UInt8>
  private let rows: any RowSource

  init(_ memory: ScratchMemory<UInt8>, _ make: (UnsafeRawBufferPointer) throws -> any RowSource) rethrows {
    self.memory = memory
    rows = try make(UnsafeRawBufferPointer(start: memory.start, count: memory.count))
  }

  var size: PixelSize { rows.size }
  var extent: (width: Double, height: Double) { rows.extent }

  func prepare(isCancelled: () -> Bool) throws { try rows.prepare(isCancelled: isCancelled) }
  func readRow(into row: UnsafeMutablePointer<UInt8>) throws { try rows.readRow(into: row) }
  func finish() throws { try rows.finish() }
}
