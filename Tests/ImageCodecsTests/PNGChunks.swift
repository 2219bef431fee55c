import Foundation

/// Chunks of PNG files, to take files apart and to make others (PNG specification, third edition, section 5.3).
enum PNGChunks {
  /// What is before the first chunk of a kind, the chunk, and what is behind it.
  static func split(_ data: Data, at kind: String) -> (Data, Data, Data)? {
    guard let name = data.firstRange(of: Data(kind.utf8)) else { return nil }
    let start = name.lowerBound - 4
    let length = data[start..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let end = name.upperBound + length + 4
    return (data[..<start], data[start..<end], data[end...])
  }

  /// `data` with a chunk more before the first one of a kind.
  static func inserting(_ chunk: Data, before kind: String, in data: Data) -> Data {
    guard let (before, first, after) = split(data, at: kind) else { return data }
    return before + chunk + first + after
  }

  /// A whole chunk with its right checksum.
  static func chunk(_ kind: String, _ content: Data) -> Data {
    let body = Data(kind.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(crc(body))
  }

  /// Signature and header of a picture.
  static func header(width: UInt32, height: UInt32, depth: UInt8 = 8, colorType: UInt8 = 0, interlaced: Bool = false)
    -> Data
  {
    let content = bigEndian(width) + bigEndian(height) + Data([depth, colorType, 0, 0, interlaced ? 1 : 0])
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", content)
  }

  static func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

  /// Bit by bit, as annex D defines it.
  private static func crc(_ bytes: Data) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0xEDB8_8320 }
    }
    return ~crc
  }
}
