import Foundation
import Synchronized

/// Memory that bodies were in, kept for the bodies that follow while some are being gathered: fresh memory costs a page
/// fault for every 4 KiB, which is half the processor time of a large transfer.
///
/// Bounded, and empty whenever nothing is being gathered.
final class BodyMemory: Sendable {
  static let shared = BodyMemory()

  /// Bytes kept at most.
  static let limit = 24 << 20
  /// Blocks kept at most, so that looking for one stays cheap.
  private static let countLimit = 64

  struct Block {
    let base: UnsafeMutableRawPointer
    let capacity: Int
  }

  private struct State {
    var users = 0
    var bytes = 0
    var blocks: [Block] = []
  }

  // guard: the blocks in the state belong to it alone; one that is taken is its taker's.
  private let state = Locked(State())

  /// Bytes in blocks that nobody uses.
  var keptBytes: Int { state.withLock { $0.bytes } }

  /// What is given back is kept until as many users have left.
  func enter() { state.withLock { $0.users += 1 } }

  func leave() {
    let unused = state.withLock { state -> [Block] in
      state.users -= 1
      guard state.users == 0 else { return [] }
      defer { state = State() }
      return state.blocks
    }
    for block in unused { free(block.base) }
  }

  /// A block of at least `capacity` bytes and little more, so that what is kept in it wastes little.
  /// - Returns: `nil` where there is no memory.
  func take(_ capacity: Int) -> Block? {
    let kept = state.withLock { state -> Block? in
      let fits = state.blocks.lastIndex { $0.capacity >= capacity && $0.capacity - capacity <= capacity / 8 }
      guard let fits else { return nil }
      state.bytes -= state.blocks[fits].capacity
      return state.blocks.remove(at: fits)
    }
    return kept ?? Self.allocate(capacity).map { Block(base: $0, capacity: capacity) }
  }

  /// Fresh memory. A large block lies where Linux can give it pages of 2 MiB (madvise(2)): one fault where there were
  /// 512, and copying into it looks up few addresses.
  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      return malloc(capacity)
    #else
      guard capacity >= largePage else { return malloc(capacity) }
      var base: UnsafeMutableRawPointer?
      guard posix_memalign(&base, largePage, capacity) == 0, let base else { return nil }
      // What is behind the last whole page of 2 MiB has small ones, so that no more is used than is needed.
      madvise(base, capacity / largePage * largePage, MADV_HUGEPAGE)
      return base
    #endif
  }

  private static let largePage = 2 << 20

  func giveBack(_ block: Block) {
    let isKept = state.withLock { state -> Bool in
      guard state.users > 0, state.blocks.count < Self.countLimit, state.bytes + block.capacity <= Self.limit else {
        return false
      }
      state.bytes += block.capacity
      state.blocks.append(block)
      return true
    }
    if !isKept { free(block.base) }
  }
}
