#if !canImport(Darwin)
  import Pixels

  /// The ICC profile of a WebP file (RFC 9649, section 2.7.1.4).
  enum WebPProfile {
    /// - Parameter maximum: bytes; a longer profile counts as none.
    static func read(_ bytes: UnsafeRawBufferPointer, maximum: Int) -> ColorProfile? {
      // Behind the RIFF header.
      var reader = ByteReader(bytes, at: 12)
      while let type = reader.uint32(.big), let length = reader.uint32(.little) {
        let start = reader.offset
        guard reader.skip(length) else { return nil }
        if type == WebPChunk.Kind.profile {
          return length <= maximum ? ColorProfile(Array(bytes[start..<reader.offset])) : nil
        }
        guard reader.skip(length & 1) else { return nil }
      }
      return nil
    }
  }
#endif
