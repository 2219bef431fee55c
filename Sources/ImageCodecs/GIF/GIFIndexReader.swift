/// Rows of palette indices in the order of the file, unpacked some tens of thousands at a time.
///
/// Unsafe: the bytes must outlive the reader.
final class GIFIndexReader {
  private let width: Int
  private let bytes: UnsafeRawBufferPointer
  private var decoder: LZWDecoder
  /// Indices `start..<end` are unpacked and not yet given out.
  private let indices: ScratchMemory<UInt8>
  private let batch: Int
  private var start = 0
  private var end = 0

  private static let minimumBatch = 1 << 15

  /// - Parameter offset: where the data of the image begin.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int, width: Int) throws {
    self.width = width
    self.bytes = bytes
    decoder = try LZWDecoder(bytes, at: offset)
    batch = max(width, Self.minimumBatch)
    indices = try ScratchMemory(count: batch + LZWDecoder.slack)
  }

  /// The next row, valid until the next call.
  func nextRow() throws -> UnsafePointer<UInt8> {
    if end - start < width { try refill() }
    defer { start += width }
    return UnsafePointer(indices.start + start)
  }

  private func refill() throws {
    indices.start.update(from: indices.start + start, count: end - start)
    (start, end) = (0, end - start)
    // After a row came out of the slack there may be more than a batch.
    if end < batch { end += decoder.decode(bytes, into: indices.start + end, count: batch - end) }
    guard end < width else { return }
    switch decoder.status {
    case .truncated: throw CodecError.truncated(.gif)
    case .more, .corrupt: throw CodecError.corrupt(.gif, "a code of no meaning in the image data")
    case .finished: throw CodecError.corrupt(.gif, "image data that end before the image does")
    }
  }
}
