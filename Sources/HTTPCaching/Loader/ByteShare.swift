import Synchronized

/// What one body takes of the bytes that all bodies together may hold; given back when it is let go of.
package final class ByteShare: Sendable {
  private let left: Locked<Int>
  private let taken = Locked(0)

  package init(of left: Locked<Int>) { self.left = left }

  deinit { left.withLock { left in left += taken.withLock { $0 } } }

  /// - Returns: `false` where no more are left.
  package func grow(by count: Int) -> Bool {
    let fits = left.withLock { left in
      guard count <= left else { return false }
      left -= count
      return true
    }
    if fits { taken.withLock { $0 += count } }
    return fits
  }
}
