#if !canImport(Darwin)
  import Glibc
  import Pixels

  /// Memory that is written from its beginning to its end, and read behind that; what has been read is given up.
  ///
  /// A large block takes no more memory than lies between the two: it is mapped, and goes back to the system in pieces.
  /// Used by one thread at a time.
  final class PassingMemory {
    let start: UnsafeMutablePointer<UInt8>
    private let count: Int
    private let isMapped: Bool
    private var givenUp = 0

    /// Smaller blocks are allocated: pages that are new each time would cost more than they save.
    private static let mappedFrom = 2 << 20
    /// A multiple of the size of pages.
    private static let piece = 256 << 10

    /// - Throws: `image.tooManyPixels`.
    init(count: Int) throws {
      self.count = max(1, count)
      isMapped = count >= Self.mappedFrom
      guard let memory = isMapped ? Self.map(count) : malloc(self.count) else {
        throw CodecError(.tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")
      }
      start = memory.bindMemory(to: UInt8.self, capacity: self.count)
    }

    private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
      let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
      return memory == MAP_FAILED ? nil : memory
    }

    deinit {
      if isMapped { munmap(start, count) } else { free(start) }
    }

    /// The bytes before `end` are not read again, nor written.
    func giveUp(before end: Int) {
      guard isMapped, end - givenUp >= Self.piece else { return }
      let length = (end - givenUp) / Self.piece * Self.piece
      madvise(start + givenUp, length, MADV_DONTNEED)
      givenUp += length
    }
  }
#endif
