import Foundation

/// Bytes gathered in malloc'ed memory and handed over as `Data` without a copy.
///
/// Not thread-safe: owned by one `TransferState`, under its lock.
final class ByteAccumulator {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  /// Smallest allocation, so that a stream of small reads does not grow byte by byte.
  private static let minimumCapacity = 16 << 10

  deinit { free(base) }

  /// Makes room for `total` bytes in one piece. Memory not yet written costs nothing but address space.
  /// - Returns: `false` where there is no memory; what was gathered stays.
  @discardableResult
  func reserve(_ total: Int) -> Bool {
    guard total > capacity else { return true }
    guard let grown = realloc(base, total) else { return false }
    base = grown
    capacity = total
    return true
  }

  /// - Returns: `false` where there is no memory.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
    let needed = count + bytes.count
    if needed > capacity {
      guard reserve(max(needed, capacity * 2, Self.minimumCapacity)) || reserve(needed) else { return false }
    }
    guard let base else { return false }
    memcpy(base + count, source, bytes.count)
    count = needed
    return true
  }

  /// Everything gathered so far; the accumulator is empty afterwards.
  func take() -> Data {
    guard let base, count > 0 else { return Data() }
    var memory = base
    if count < capacity / 2, let shrunk = realloc(base, count) { memory = shrunk }
    let data = Data(bytesNoCopy: memory, count: count, deallocator: .free)
    self.base = nil
    capacity = 0
    count = 0
    return data
  }
}
