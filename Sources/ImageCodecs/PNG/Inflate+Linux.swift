#if !canImport(Darwin)
  internal import CImageShims

  /// zlib's format to bytes, in memory.
  enum Inflate {
    /// Room to begin with, in bytes: most profiles are shorter.
    private static let firstRoom = 4 << 10

    /// - Parameter maximum: bytes of the result.
    /// - Returns: `nil` where the stream is damaged, incomplete or longer.
    static func bytes(_ compressed: UnsafeRawBufferPointer, maximum: Int) -> [UInt8]? {
      guard let start = compressed.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
      var room = min(firstRoom, maximum)
      while room > 0 {
        var outcome = vg_inflation.failed
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
          guard let place = target.baseAddress else { return }
          count = room
          outcome = vg_inflate(start, compressed.count, place, &count)
          if outcome != .complete { count = 0 }
        }
        switch outcome {
        case .complete: return bytes
        case .full: room = room < maximum ? min(room * 8, maximum) : 0
        case .failed: return nil
        }
      }
      return nil
    }
  }
#endif
