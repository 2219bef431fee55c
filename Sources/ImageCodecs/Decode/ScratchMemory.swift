import Foundation
import Pixels

/// Memory for one piece of work, zeroed, released with its owner. Unlike an `Array` it throws when there is none left.
///
/// Used by one thread at a time.
package final class ScratchMemory<Element: BitwiseCopyable> {
  package let start: UnsafeMutablePointer<Element>
  package let count: Int

  /// - Throws: `image.tooManyPixels`.
  package init(count: Int) throws {
    guard let memory = calloc(max(1, count), MemoryLayout<Element>.stride) else {
      throw CodecError(.tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")
    }
    start = memory.bindMemory(to: Element.self, capacity: max(1, count))
    self.count = count
  }

  deinit { free(start) }
}
