import Pixels

/// Where the rows of a picture come from: one of the format libraries.
///
/// Use: `prepare` once, then `readRow` once for each row from the top, then `finish` once; the first error ends it.
protocol RowSource {
  /// The size of the rows that come, which may be smaller than the picture.
  var size: PixelSize { get }
  /// The part of `size` that the picture covers, at most a pixel less on either axis.
  var extent: (width: Double, height: Double) { get }

  /// Does whatever must be done before the first row is known.
  func prepare(isCancelled: () -> Bool) throws
  /// Writes the next row: premultiplied RGBA, `size.width * 4` bytes.
  func readRow(into row: UnsafeMutablePointer<UInt8>) throws
  /// Throws unless the file is whole.
  func finish() throws
}

extension RowSource {
  var extent: (width: Double, height: Double) { (Double(size.width), Double(size.height)) }
  func prepare(isCancelled: () -> Bool) throws {}
  func finish() throws {}
}

extension RowSource {
  /// Brings every row to `bytes` at the plan's size and the right way up.
  func render(
    _ plan: DecodePlan, isOpaque: Bool, into bytes: UnsafeMutableRawBufferPointer, isCancelled: () -> Bool
  ) throws {
    try prepare(isCancelled: isCancelled)
    let writer = try OrientedRowWriter(bytes, stored: plan.storedOutput, orientation: plan.orientation)
    if size == plan.storedOutput {
      try forEachRow(isCancelled) {
        try readRow(into: writer.nextRow)
        writer.commitRow()
      }
    } else {
      let row = try ScratchMemory<UInt8>(count: size.width * 4)
      defer { withExtendedLifetime(row) {} }
      let resampler = try RowResampler(
        input: size, extent: extent, output: plan.storedOutput, isOpaque: isOpaque, writer: writer)
      try forEachRow(isCancelled) {
        try readRow(into: row.start)
        resampler.push(row.start)
      }
    }
    try finish()
  }

  private func forEachRow(_ isCancelled: () -> Bool, _ body: () throws -> Void) throws {
    for _ in 0..<size.height {
      if isCancelled() { throw CancellationError() }
      try body()
    }
  }
}
