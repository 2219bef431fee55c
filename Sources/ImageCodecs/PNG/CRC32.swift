/// The checksum of PNG chunks (PNG specification, third edition, annex D), four bytes at a time.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF

  var value: UInt32 { ~state }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    Self.tables.withUnsafeBufferPointer { tables in
      var crc = state
      var at = 0
      while bytes.count - at >= 4 {
        crc ^= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        let (first, second) = (tables[768 + Int(crc & 0xFF)], tables[512 + Int(crc >> 8 & 0xFF)])
        let (third, fourth) = (tables[256 + Int(crc >> 16 & 0xFF)], tables[Int(crc >> 24)])
        crc = first ^ second ^ third ^ fourth
        at += 4
      }
      while at < bytes.count {
        crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[at])) & 0xFF)]
        at += 1
      }
      state = crc
    }
  }

  /// What a byte does to the checksum, then what it does with one, two and three bytes behind it.
  private static let tables: [UInt32] = {
    let polynomial: UInt32 = 0xEDB8_8320
    var tables: [UInt32] = []
    for index in 0..<256 {
      var crc = UInt32(index)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ polynomial }
      tables.append(crc)
    }
    for index in 256..<1024 {
      let previous = tables[index - 256]
      tables.append(previous >> 8 ^ tables[Int(previous & 0xFF)])
    }
    return tables
  }()
}
