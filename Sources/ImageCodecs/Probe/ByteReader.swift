/// A cursor over the beginning of a file. Every read is checked against the end and answers `nil` behind it,
/// so that a parser written with it cannot read out of bounds whatever lengths the file claims.
struct ByteReader {
  enum ByteOrder {
    case big, little
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameters:
  ///   - bytes: must outlive the reader.
  ///   - offset: where to begin; the end when it lies behind that.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    position = min(max(0, offset), bytes.count)
  }

  /// The number of bytes in front of the cursor.
  var offset: Int { position }
  var remaining: Int { bytes.count - position }

  mutating func uint8() -> UInt8? {
    guard remaining >= 1 else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint16(_ order: ByteOrder) -> UInt16? {
    guard remaining >= 2 else { return nil }
    defer { position += 2 }
    let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)
    return order == .big ? UInt16(bigEndian: value) : UInt16(littleEndian: value)
  }

  mutating func uint32(_ order: ByteOrder) -> UInt32? {
    guard remaining >= 4 else { return nil }
    defer { position += 4 }
    let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    return order == .big ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
  }

  mutating func uint64(_ order: ByteOrder) -> UInt64? {
    guard remaining >= 8 else { return nil }
    defer { position += 8 }
    let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    return order == .big ? UInt64(bigEndian: value) : UInt64(littleEndian: value)
  }

  /// Three bytes, least significant first, as WebP stores sizes.
  mutating func uint24LittleEndian() -> UInt32? {
    guard let low = uint16(.little), let high = uint8() else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  /// Moves on by `count`; answers `false` and moves to the end when fewer bytes remain.
  @discardableResult
  mutating func skip(_ count: UInt32) -> Bool {
    guard let count = Int(exactly: count), count <= remaining else {
      position = bytes.count
      return false
    }
    position += count
    return true
  }

  /// A reader of the next `count` bytes alone, after which this one goes on.
  mutating func take(_ count: UInt32) -> ByteReader? {
    guard let count = Int(exactly: count), count <= remaining else { return nil }
    defer { position += count }
    return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
  }

  /// A reader of what is behind the next `count` bytes; this one stays where it is.
  func dropping(_ count: UInt32) -> ByteReader {
    var rest = self
    rest.skip(count)
    return rest
  }

  /// A reader of at most the next `count` bytes; this one stays where it is.
  func prefix(_ count: Int) -> ByteReader {
    let end = position + min(max(0, count), remaining)
    return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
  }

  /// The bytes behind the cursor.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// Whether the next bytes are the characters of `text`.
  func starts(with text: StaticString) -> Bool {
    guard remaining >= text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of `range` as far as they are there, counted from 0 anew.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
