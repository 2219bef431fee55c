/// The bits of a JPEG XL codestream, the lowest of each byte first, and the field types that its headers are made of
/// (ISO/IEC 18181-1, "Field types").
///
/// Behind the end all bits are 0 and `hasEnded` is true: whoever has read asks for it before believing anything.
struct JXLBitReader {
  /// One of the four ways in which a number may be written.
  enum Choice {
    case value(UInt32)
    case bits(Int, plus: UInt32 = 0)
  }

  private var bytes: ByteReader
  /// What the codestream goes on with; `nil` where it is in one piece.
  private var container: JXLContainer?
  private var buffer: UInt64 = 0
  private var bitsBuffered = 0
  private(set) var hasEnded = false
  /// From the beginning of the codestream.
  private(set) var bitsRead = 0

  /// - Parameter codestream: in one piece.
  init(_ codestream: ByteReader) { bytes = codestream }

  /// - Parameter file: a codestream alone or in a container.
  init(file: UnsafeRawBufferPointer) {
    if JXLContainer.isContainer(file) {
      container = JXLContainer(file)
      bytes = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    } else {
      bytes = ByteReader(file)
    }
  }

  // MARK: Bits

  /// - Parameter count: at most 32.
  mutating func bits(_ count: Int) throws -> UInt32 {
    while bitsBuffered < count {
      buffer |= UInt64(try nextByte()) << UInt64(bitsBuffered)
      bitsBuffered += 8
    }
    let value = buffer & (1 << UInt64(count) - 1)
    buffer >>= UInt64(count)
    bitsBuffered -= count
    bitsRead += count
    return UInt32(value)
  }

  mutating func bool() throws -> Bool { try bits(1) == 1 }

  private mutating func nextByte() throws -> UInt8 {
    while !hasEnded {
      if let byte = bytes.uint8() { return byte }
      try nextPiece()
    }
    return 0
  }

  private mutating func nextPiece() throws {
    if let piece = try container?.next() { bytes = piece } else { hasEnded = true }
  }

  /// Whole bytes are passed over without being looked at.
  mutating func skip(_ count: UInt64) throws {
    let fromBuffer = min(count, UInt64(bitsBuffered))
    _ = try bits(Int(fromBuffer))
    var rest = count - fromBuffer
    while rest >= 8, !hasEnded {
      let length = UInt32(clamping: min(rest / 8, UInt64(bytes.remaining)))
      bytes.skip(length)
      rest -= UInt64(length) * 8
      bitsRead += Int(length) * 8
      if length == 0 { try nextPiece() }
    }
    _ = try bits(Int(rest % 8))
  }

  mutating func skipToByte() throws { _ = try bits((8 - bitsRead % 8) % 8) }

  // MARK: Fields

  /// U32: two bits tell which of the choices is meant.
  mutating func number(_ first: Choice, _ second: Choice, _ third: Choice, _ fourth: Choice) throws -> UInt32 {
    let choice =
      switch try bits(2) {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    switch choice {
    case .value(let value): return value
    case .bits(let count, let offset): return try bits(count) &+ offset
    }
  }

  /// U64.
  mutating func long() throws -> UInt64 {
    switch try bits(2) {
    case 0: return 0
    case 1: return UInt64(try bits(4)) + 1
    case 2: return UInt64(try bits(8)) + 17
    default: break
    }
    var value = UInt64(try bits(12))
    var shift: UInt64 = 12
    while try bool() {
      value |= UInt64(try bits(shift == 60 ? 4 : 8)) << shift
      if shift == 60 { break }
      shift += 8
    }
    return value
  }

  mutating func enumeration() throws -> UInt32 {
    try number(.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18))
  }

  /// A number and its sign.
  mutating func signed() throws -> Int {
    let value = try number(
      .bits(19), .bits(19, plus: 524_288), .bits(20, plus: 1_048_576), .bits(21, plus: 2_097_152))
    return value & 1 == 0 ? Int(value >> 1) : -Int(value >> 1) - 1
  }

  /// Passes over numbers of 16 bits with a fraction.
  mutating func skipHalves(_ count: Int) throws { try skip(UInt64(count) * 16) }

  /// - Returns: the bytes of the name, which are passed over.
  mutating func skipName() throws -> Int {
    let length = try number(.value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48))
    try skip(UInt64(length) * 8)
    return Int(length)
  }

  /// What later versions of the format add to a bundle of fields.
  mutating func skipExtensions() throws {
    var extensions = try long()
    var length: UInt64 = 0
    while extensions != 0 {
      let (sum, overflow) = length.addingReportingOverflow(try long())
      if overflow { throw CodecError.corrupt(.jxl, "an extension of impossible length") }
      length = sum
      extensions &= extensions - 1
    }
    try skip(length)
  }
}
