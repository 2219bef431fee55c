#if !canImport(Darwin) && JXL
  /// The codestream of a file in one piece: where it lies, or a copy of what lies in several places.
  struct JXLCodestream {
    private let range: Range<Int>
    private let joined: ScratchMemory<UInt8>?

    init(_ file: UnsafeRawBufferPointer) throws {
      guard JXLContainer.isContainer(file) else {
        (range, joined) = (0..<file.count, nil)
        return
      }
      var container = JXLContainer(file)
      var pieces: [UnsafeRawBufferPointer] = []
      while let piece = try container.next() { pieces.append(piece.rest) }
      if pieces.count == 1, let start = pieces[0].baseAddress, let origin = file.baseAddress {
        (range, joined) = (start - origin..<start - origin + pieces[0].count, nil)
        return
      }
      let memory = try ScratchMemory<UInt8>(count: pieces.reduce(0) { $0 + $1.count })
      var target = UnsafeMutableRawPointer(memory.start)
      for piece in pieces {
        guard let start = piece.baseAddress else { continue }
        target.copyMemory(from: start, byteCount: piece.count)
        target += piece.count
      }
      (range, joined) = (0..<memory.count, memory)
    }

    /// - Parameter file: the bytes that it was made of.
    func bytes(in file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      joined.map { UnsafeRawBufferPointer(start: $0.start, count: $0.count) } ?? file.part(range)
    }
  }
#endif
