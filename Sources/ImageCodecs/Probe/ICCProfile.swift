/// What can be read of an ICC profile without understanding it (ICC.1:2022, sections 7 and 9.2.41).
enum ICCProfile {
  private static let descriptionTag: UInt32 = 0x6465_7363  // desc
  private static let textType: UInt32 = 0x6465_7363  // desc, in profiles of version 2
  private static let unicodeType: UInt32 = 0x6D6C_7563  // mluc
  private static let headerCount: UInt32 = 128
  private static let maximumTags: UInt32 = 100
  private static let maximumName = 200

  /// - Parameter profile: the profile or its beginning.
  /// - Returns: the profile's description of itself; `nil` where the bytes hold none.
  static func name(_ profile: ByteReader) -> String? {
    var tags = profile.dropping(headerCount)
    guard let count = tags.uint32(.big), count <= maximumTags else { return nil }
    for _ in 0..<count {
      guard let tag = tags.uint32(.big), let offset = tags.uint32(.big), tags.skip(4) else { return nil }
      if tag == descriptionTag { return text(profile.dropping(offset)) }
    }
    return nil
  }

  private static func text(_ element: ByteReader) -> String? {
    var reader = element
    guard let type = reader.uint32(.big), reader.skip(4), let count = reader.uint32(.big) else { return nil }
    switch type {
    case textType:
      let bytes = characters(reader, count: Int(count)).prefix { $0 != 0 }
      return String(decoding: bytes, as: UTF8.self)
    case unicodeType:
      // The first of the records: its language, the text's length and its place from the start of the element.
      guard count > 0, reader.skip(8), let length = reader.uint32(.big), let offset = reader.uint32(.big) else {
        return nil
      }
      let bytes = characters(element.dropping(offset), count: Int(length))
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default: return nil
    }
  }

  private static func characters(_ reader: ByteReader, count: Int) -> [UInt8] {
    var reader = reader
    return (0..<min(count, maximumName, reader.remaining)).compactMap { _ in reader.uint8() }
  }
}
