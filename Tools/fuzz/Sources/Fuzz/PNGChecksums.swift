/// The checksums of PNG chunks (PNG specification, third edition, annex D).
enum PNGChecksums {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }

  /// Writes the right checksum behind each chunk of the first PNG file in `bytes`, as far as lengths lead.
  static func repair(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: signature) }) else { return }
    var at = start + signature.count
    while at + 12 <= bytes.count {
      let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
      let end = at + 8 + length
      guard end + 4 <= bytes.count else { return }
      let sum = ~bytes[at + 4..<end].reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
      for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index)) }
      at = end + 4
    }
  }
}
