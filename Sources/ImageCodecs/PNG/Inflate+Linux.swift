#if !canImport(Darwin)
  internal import CImageShims
  import Foundation

  /// zlib's format to bytes, in memory.
  enum Inflate {
    /// Room to begin with, in bytes: most profiles are shorter.
    private static let firstRoom = 4 << 10

    /// - Parameter maximum: bytes of the result.
    /// - Returns: `nil` where the stream is damaged, incomplete or longer.
    static func data(_ compressed: UnsafeRawBufferPointer, maximum: Int) -> Data? {
      guard let start = compressed.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
      var room = min(firstRoom, maximum)
      while room > 0 {
        var bytes = Data(count: room)
        var count = room
        let outcome = bytes.withUnsafeMutableBytes { target in
          target.baseAddress.map {
            vg_inflate(start, compressed.count, $0.assumingMemoryBound(to: UInt8.self), &count)
          } ?? .failed
        }
        switch outcome {
        case .complete: return bytes.prefix(count)
        case .full: room = room < maximum ? min(room * 8, maximum) : 0
        case .failed: return nil
        }
      }
      return nil
    }
  }
#endif
