import Foundation

/// Bytes gathered in one block of memory and handed over as `Data` without a copy.
///
/// Not thread-safe: owned by one `TransferState`, under its lock.
final class ByteAccumulator {
  private var block: BodyMemory.Block?
  private(set) var count = 0

  /// Smallest allocation, so that a stream of small reads does not grow byte by byte.
  private static let minimumCapacity = 16 << 10

  init() { BodyMemory.shared.enter() }

  deinit {
    if let block { BodyMemory.shared.giveBack(block) }
    BodyMemory.shared.leave()
  }

  private var capacity: Int { block?.capacity ?? 0 }

  /// Makes room for `total` bytes in one piece. Memory not yet written costs nothing but address space.
  /// - Returns: `false` where there is no memory; what was gathered stays.
  @discardableResult
  func reserve(_ total: Int) -> Bool {
    guard total > capacity else { return true }
    guard let larger = BodyMemory.shared.take(total) else { return false }
    if let block {
      memcpy(larger.base, block.base, count)
      BodyMemory.shared.giveBack(block)
    }
    block = larger
    return true
  }

  /// - Returns: `false` where there is no memory.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
    let needed = count + bytes.count
    if needed > capacity {
      guard reserve(max(needed, capacity * 2, Self.minimumCapacity)) || reserve(needed) else { return false }
    }
    guard let block else { return false }
    copy(source, bytes.count, to: block.base + count)
    count = needed
    return true
  }

  /// By the page: glibc copies more than 8 KiB at once by one instruction (`rep movsb`), which takes up to twice as long
  /// where the memory is not in the processor's cache.
  private func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer) {
    for offset in stride(from: 0, to: count, by: 4096) {
      memcpy(target + offset, source + offset, min(4096, count - offset))
    }
  }

  /// Everything gathered so far; the accumulator is empty afterwards. The memory goes back when the data is let go of.
  func take() -> Data {
    guard let block, count > 0 else { return Data() }
    defer {
      self.block = nil
      count = 0
    }
    // Much more than is needed would stay in use as long as the data.
    guard count >= block.capacity / 2 else {
      defer { BodyMemory.shared.giveBack(block) }
      return Data(bytes: block.base, count: count)
    }
    let capacity = block.capacity
    return Data(
      bytesNoCopy: block.base, count: count,
      deallocator: .custom { base, _ in
        BodyMemory.shared.giveBack(BodyMemory.Block(base: base, capacity: capacity))
      })
  }
}
