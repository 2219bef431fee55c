#if !canImport(Darwin)
  import Pixels

  /// The ICC profile of a JPEG, which is cut into segments (ICC.1:2022, annex B.4).
  enum JPEGProfile {
    /// - Parameter maximum: bytes; a longer profile counts as none.
    /// - Returns: the profile; `nil` where there is none or a part is missing.
    static func read(_ bytes: UnsafeRawBufferPointer, maximum: Int) -> ColorProfile? {
      var parts: [UInt8: UnsafeRawBufferPointer] = [:]
      var count: UInt8?
      var segments = JPEGSegments(bytes)
      while let segment = segments.next(), segment.marker != JPEGSegments.startOfScan {
        guard segment.marker == JPEGSegments.app2, segment.content.count >= 14, segment.starts(with: "ICC_PROFILE\0")
        else { continue }
        let (number, total) = (segment.content[12], segment.content[13])
        guard count ?? total == total, parts[number] == nil else { return nil }
        count = total
        parts[number] = UnsafeRawBufferPointer(rebasing: segment.content[14...])
      }
      guard let count, count > 0, parts.count == count else { return nil }
      var profile: [UInt8] = []
      for number in 1...count {
        guard let part = parts[number], profile.count + part.count <= maximum else { return nil }
        profile.append(contentsOf: part)
      }
      return ColorProfile(profile)
    }
  }
#endif
