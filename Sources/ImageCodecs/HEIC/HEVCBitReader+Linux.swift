#if !canImport(Darwin) && HEIC
  /// The bits of a NAL unit behind its header, without the bytes that only keep start codes from occurring (ITU-T H.265,
  /// section 7.3.1). Every read answers `nil` behind the end.
  struct HEVCBitReader {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var zeros = 0
    private var current: UInt8 = 0
    private var bitsLeft = 0

    /// - Parameter bytes: must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func bit() -> UInt32? {
      if bitsLeft == 0 {
        guard let byte = nextByte() else { return nil }
        (current, bitsLeft) = (byte, 8)
      }
      bitsLeft -= 1
      return UInt32(current >> UInt8(bitsLeft) & 1)
    }

    private mutating func nextByte() -> UInt8? {
      if zeros >= 2, index < bytes.count, bytes[index] == 3 { (index, zeros) = (index + 1, 0) }
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      zeros = bytes[index] == 0 ? zeros + 1 : 0
      return bytes[index]
    }

    /// At most 32.
    mutating func bits(_ count: Int) -> UInt32? {
      var value: UInt32 = 0
      for _ in 0..<count {
        guard let bit = bit() else { return nil }
        value = value << 1 | bit
      }
      return value
    }

    mutating func skip(_ count: Int) -> Bool {
      for _ in 0..<count where bit() == nil { return false }
      return true
    }

    /// An unsigned number of as many bits as it needs (section 9.2); `nil` for one of more than 32.
    mutating func number() -> Int? {
      var zeros = 0
      while true {
        guard let bit = bit() else { return nil }
        if bit == 1 { break }
        zeros += 1
        guard zeros < 32 else { return nil }
      }
      return bits(zeros).map { Int($0) + (1 << zeros) - 1 }
    }
  }
#endif
