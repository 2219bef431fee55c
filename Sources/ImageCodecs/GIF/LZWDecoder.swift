/// Unpacks the variable-length codes of a GIF's image data to palette indices (GIF89a specification, appendix F).
///
/// A string of the dictionary is kept in pieces of eight bytes: an entry holds the last one to eight of its string, and
/// the code of what is in front of them. So a string is written from its end in whole words, and not byte by byte.
/// Invariants: codes below `next` are defined except the two reserved ones; `length` is at most 4,095, since every
/// entry is one longer than an earlier one.
/// Unsafe: the bytes must outlive a call, and be the same at each.
struct LZWDecoder {
  enum Status {
    case more
    /// The end code, or the end of the sub-blocks.
    case finished
    /// The bytes end within the data.
    case truncated
    case corrupt
  }

  /// What a call may write behind the bytes it reports: the longest string, and up to a whole word.
  static let slack = 4096 + 8
  private static let maximumWidth = 12
  private static let noCode = -1

  private struct Entry {
    var suffix: UInt64
    var prefix: UInt16
    /// One less than the number of bytes.
    var length: UInt16
  }

  private(set) var status = Status.more
  private let clearCode: Int
  private let dictionary: ScratchMemory<Entry>
  private var next: Int
  private var width: Int
  private var previous = noCode
  private var previousFirst: UInt8 = 0

  /// The position of the next compressed byte, and the end of its sub-block.
  private var position: Int
  private var blockEnd: Int
  private var bits: UInt64 = 0
  private var bitCount = 0
  /// What is the matter once the bits in hand are used up; `more` while there is input left.
  private var inputStatus = Status.more

  /// - Parameter offset: where the data begin: the least code size, then sub-blocks.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    guard offset < bytes.count else { throw CodecError.truncated(.gif) }
    let literalWidth = Int(bytes[offset])
    guard (1...8).contains(literalWidth) else { throw CodecError.corrupt(.gif, "an impossible code size") }
    clearCode = 1 << literalWidth
    next = clearCode + 2
    width = literalWidth + 1
    position = offset + 1
    blockEnd = position
    dictionary = try ScratchMemory(count: 1 << Self.maximumWidth)
    for value in 0..<clearCode { dictionary.start[value] = Entry(suffix: UInt64(value), prefix: 0, length: 0) }
  }

  /// Writes at least `count` indices to `output` if there are so many, and at most `count + slack`.
  /// - Returns: the number written. When it is less than `count`, `status` says why.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    guard let input = bytes.baseAddress, status == .more else { return 0 }
    // Copies in registers: the compiler cannot know that `output` is no part of `self`.
    let (dictionary, clearCode) = (dictionary.start, clearCode)
    var (next, width, previous, previousFirst) = (next, width, previous, previousFirst)
    defer { (self.next, self.width, self.previous, self.previousFirst) = (next, width, previous, previousFirst) }
    var (bits, bitCount) = (bits, bitCount)
    defer { (self.bits, self.bitCount) = (bits, bitCount) }
    var written = 0
    while written < count {
      if bitCount < width {
        if min(blockEnd, bytes.count) &- position >= 8 {
          bits |= UInt64(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self)) &<< bitCount
          position &+= (63 &- bitCount) >> 3
          bitCount |= 56
        } else {
          refillSlowly(bytes, &bits, &bitCount)
          guard bitCount >= width else {
            status = inputStatus
            break
          }
        }
      }
      let code = Int(truncatingIfNeeded: bits & (1 &<< UInt64(width) &- 1))
      bits &>>= UInt64(width)
      bitCount &-= width

      if code & ~1 == clearCode {
        guard code == clearCode else {
          status = .finished
          break
        }
        (next, width, previous) = (clearCode &+ 2, clearCode.trailingZeroBitCount &+ 1, Self.noCode)
        continue
      }
      let isOwnPrefix = code == next && previous != Self.noCode
      guard code < next || isOwnPrefix else {
        status = .corrupt
        break
      }
      if isOwnPrefix { dictionary[next] = Self.entry(dictionary, previous, then: previousFirst) }
      let first = Self.write(dictionary, code, to: output + written)
      written &+= Int(dictionary[code].length) &+ 1
      if previous != Self.noCode, next < 1 << Self.maximumWidth {
        if !isOwnPrefix { dictionary[next] = Self.entry(dictionary, previous, then: first) }
        next &+= 1
      }
      // After the first code, too, which defines none: with two literals it is there that codes grow.
      if next == 1 &<< width, width < Self.maximumWidth { width &+= 1 }
      (previous, previousFirst) = (code, first)
    }
    return written
  }

  /// The string of `code` and one byte more.
  @inline(__always)
  private static func entry(_ dictionary: UnsafeMutablePointer<Entry>, _ code: Int, then byte: UInt8) -> Entry {
    let old = dictionary[code]
    let length = old.length &+ 1
    guard length & 7 != 0 else {
      return Entry(suffix: UInt64(byte), prefix: UInt16(truncatingIfNeeded: code), length: length)
    }
    return Entry(suffix: old.suffix | UInt64(byte) &<< UInt64(length & 7 &* 8), prefix: old.prefix, length: length)
  }

  /// Writes the string of `code`, and up to seven bytes of no meaning behind it.
  /// - Returns: its first byte.
  @inline(__always)
  private static func write(
    _ dictionary: UnsafeMutablePointer<Entry>, _ code: Int, to output: UnsafeMutablePointer<UInt8>
  ) -> UInt8 {
    var entry = dictionary[code]
    var piece = Int(entry.length & ~7)
    let target = UnsafeMutableRawPointer(output)
    while true {
      target.storeBytes(of: entry.suffix.littleEndian, toByteOffset: piece, as: UInt64.self)
      if piece == 0 { return UInt8(truncatingIfNeeded: entry.suffix) }
      entry = dictionary[Int(entry.prefix)]
      piece &-= 8
    }
  }

  /// Byte by byte, over the ends of sub-blocks.
  @inline(never)
  private mutating func refillSlowly(_ bytes: UnsafeRawBufferPointer, _ bits: inout UInt64, _ bitCount: inout Int) {
    while bitCount <= 48 {
      if position == blockEnd { enterBlock(bytes) }
      guard inputStatus == .more else { return }
      guard position < bytes.count else {
        inputStatus = .truncated
        return
      }
      bits |= UInt64(bytes[position]) << UInt64(bitCount)
      bitCount += 8
      position += 1
    }
  }

  /// Reads the length of the next sub-block; one of 0 ends the data.
  private mutating func enterBlock(_ bytes: UnsafeRawBufferPointer) {
    guard position < bytes.count else {
      inputStatus = .truncated
      return
    }
    let length = Int(bytes[position])
    if length == 0 { inputStatus = .finished }
    position += 1
    blockEnd = position + length
  }
}
