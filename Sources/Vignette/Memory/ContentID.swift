import Foundation

/// Tells whether two readings of a source gave the same bytes, without keeping them: their number and 64 bits of hash.
///
/// The hash is quick (a 12 MP JPEG takes a fraction of a millisecond, which counts beside a decode of eighteen) and the
/// same in every process, because it is stored with thumbnails. It is not made to withstand a forger: a server that
/// makes two of its own bodies collide keeps its own old picture on screen.
struct ContentID: Hashable, Sendable {
  let count: Int
  let hash: UInt64

  init(count: Int, hash: UInt64) {
    self.count = count
    self.hash = hash
  }

  /// By every byte.
  init(hashing data: Data) { self.init(count: data.count, hash: data.withUnsafeBytes(Self.hash)) }

  /// By what the file system says of a file: reading a picture again does not have to hash it. Good for this process.
  init(_ status: FileStatus) { self.init(count: status.size, hash: UInt64(bitPattern: Int64(status.hashValue))) }

  /// Four lanes of multiply, rotate and exclusive or, so that the processor works on all at once.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var lanes: (UInt64, UInt64, UInt64, UInt64) = (
      0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5
    )
    var at = 0
    while at + 32 <= bytes.count {
      lanes.0 = mix(lanes.0, bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      lanes.1 = mix(lanes.1, bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
      lanes.2 = mix(lanes.2, bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
      lanes.3 = mix(lanes.3, bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self))
      at += 32
    }
    while at < bytes.count {
      lanes.0 = mix(lanes.0, UInt64(bytes[at]))
      at += 1
    }
    let folded = mix(mix(mix(lanes.0, lanes.1), lanes.2), lanes.3) ^ UInt64(bytes.count)
    return mix(folded, folded >> 32)
  }

  private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let product = (lane ^ word) &* 0x9FB2_1C65_1E98_DF25
    return product << 29 | product >> 35
  }
}
