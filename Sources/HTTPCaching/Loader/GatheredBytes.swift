import Foundation

/// Bytes gathered in one piece and handed over as `Data` without a copy. Many are mapped for them alone, so that the
/// system has them back at once: `malloc` keeps blocks as large as were freed before, for as long as others lie behind.
///
/// Not thread-safe: owned by one `BodyGathering`, under its lock.
final class GatheredBytes {
  private var small = Data()
  private var mapped: UnsafeMutableRawBufferPointer?
  private(set) var count = 0

  /// Bytes from which on they are mapped.
  private static let mappedFrom = 128 << 10

  /// - Parameter expected: bytes to make room for; pages not yet written cost nothing but addresses.
  init(expecting expected: Int) {
    if expected < Self.mappedFrom { small.reserveCapacity(expected) } else { _ = map(expected) }
  }

  deinit { if let mapped { munmap(mapped.baseAddress, mapped.count) } }

  /// - Returns: `false` where there is no memory.
  func append(_ bytes: Data) -> Bool {
    let needed = count + bytes.count
    if mapped == nil, needed < Self.mappedFrom {
      small.append(bytes)
    } else {
      guard needed <= mapped?.count ?? 0 || map(max(needed, count * 2)), let mapped else { return false }
      let room = UnsafeMutableRawBufferPointer(rebasing: mapped[count..<needed])
      bytes.withUnsafeBytes { room.copyMemory(from: $0) }
    }
    count = needed
    return true
  }

  /// Moves everything into a larger piece.
  private func map(_ capacity: Int) -> Bool {
    let pointer = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let pointer, pointer != MAP_FAILED else { return false }
    let larger = UnsafeMutableRawBufferPointer(start: pointer, count: capacity)
    if let mapped {
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: mapped[..<count]))
      munmap(mapped.baseAddress, mapped.count)
    } else {
      small.withUnsafeBytes { larger.copyMemory(from: $0) }
      small = Data()
    }
    mapped = larger
    return true
  }

  /// Everything gathered; nothing is left afterwards.
  func take() -> Data {
    defer { count = 0 }
    guard let mapped, let base = mapped.baseAddress else {
      defer { small = Data() }
      return small
    }
    self.mapped = nil
    let capacity = mapped.count
    return Data(bytesNoCopy: base, count: count, deallocator: .custom { base, _ in munmap(base, capacity) })
  }
}
