/// The first directory of a TIFF file: what it says of its picture, by tag (TIFF 6.0, section 2; BigTIFF, whose counts and
/// offsets have eight bytes).
///
/// Nothing is copied: a value is looked up in the bytes when it is asked for. No other directory is followed, so that
/// there are no loops. Unsafe: the bytes must outlive the directory.
struct TIFFDirectory {
  /// The bytes end in front of what is asked for.
  struct Incomplete: Error {}

  enum Tag: UInt16 {
    case width = 256, height, bitsPerSample, compression
    case photometric = 262
    case fillOrder = 266
    case stripOffsets = 273, orientation
    case samplesPerPixel = 277, rowsPerStrip, stripByteCounts
    case planarConfiguration = 284
    case group3Options = 292, group4Options
    case predictor = 317
    case colorMap = 320
    case tileWidth = 322, tileHeight, tileOffsets, tileByteCounts
    case inkSet = 332
    case extraSamples = 338, sampleFormat
    case jpegTables = 347
    case lumaWeights = 529, chromaSubsampling, chromaPosition, referenceBlackAndWhite
    case profile = 34675
  }

  struct Field {
    fileprivate var kind: Kind
    var count: Int
    /// Where the values are in the file; behind its end where it is cut off.
    fileprivate var start: Int
    fileprivate var length: Int
  }

  /// Section 2, "Types", and BigTIFF's; those that are not read have only a length.
  fileprivate enum Kind {
    case byte, short, long, long8
    case rational
    case other(length: Int)

    init?(_ code: UInt16) {
      switch code {
      case 1: self = .byte
      case 3: self = .short
      case 4, 13: self = .long
      case 16, 18: self = .long8
      case 5: self = .rational
      case 2, 6, 7: self = .other(length: 1)
      case 8: self = .other(length: 2)
      case 9, 11: self = .other(length: 4)
      case 10, 12, 17: self = .other(length: 8)
      default: return nil
      }
    }

    var length: Int {
      switch self {
      case .byte: 1
      case .short: 2
      case .long: 4
      case .long8, .rational: 8
      case .other(let length): length
      }
    }
  }

  /// More fields than any program writes. Each is looked at once for every tag that is asked for.
  private static let maximumFields = 1_024

  let order: ByteReader.ByteOrder
  private let isBig: Bool
  private let bytes: UnsafeRawBufferPointer
  private let entries: Range<Int>

  /// - Throws: `Incomplete` where more bytes are needed, or what is wrong with them.
  init(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
    var reader = ByteReader(bytes)
    guard let mark = reader.uint16(.big) else { throw Incomplete() }
    let order = mark == 0x4949 ? ByteReader.ByteOrder.little : .big
    guard let version = reader.uint16(order) else { throw Incomplete() }
    let isBig = version == 43
    func offset(_ reader: inout ByteReader) throws -> Int {
      let value = isBig ? reader.uint64(order) : reader.uint32(order).map(UInt64.init)
      guard let value else { throw Incomplete() }
      return Int(clamping: value)
    }
    if isBig {
      guard let length = reader.uint16(order), let reserved = reader.uint16(order) else { throw Incomplete() }
      guard length == 8, reserved == 0 else { throw CodecError.corrupt(.tiff, "offsets of unknown length") }
    }
    let start = try offset(&reader)
    guard start >= reader.offset else { throw CodecError.corrupt(.tiff, "a directory inside the header") }
    reader = ByteReader(bytes, at: start)
    let count = isBig ? try offset(&reader) : try reader.uint16(order).map(Int.init).orThrow(Incomplete())
    let entryLength = isBig ? 20 : 12
    try limits.checkMetadata(count.multipliedReportingOverflow(by: entryLength).overflow ? .max : count * entryLength)
    guard 1...Self.maximumFields ~= count else { throw CodecError.corrupt(.tiff, "a directory of \(count) fields") }
    guard reader.remaining >= count * entryLength else { throw Incomplete() }
    entries = reader.offset..<reader.offset + count * entryLength
    self.order = order
    self.isBig = isBig
    self.bytes = bytes
  }

  var fileLength: Int { bytes.count }

  /// - Returns: the first field of this tag; `nil` where there is none, or one of no kind that TIFF knows.
  func field(_ tag: Tag) throws -> Field? {
    let entryLength = isBig ? 20 : 12
    for place in stride(from: entries.lowerBound, to: entries.upperBound, by: entryLength) {
      var reader = ByteReader(bytes, at: place)
      guard reader.uint16(order) == tag.rawValue else { continue }
      guard let kind = reader.uint16(order).flatMap(Kind.init), let count = word(&reader) else { return nil }
      let (length, overflow) = count.multipliedReportingOverflow(by: kind.length)
      guard !overflow else { throw CodecError.corrupt(.tiff, "a field of impossible length") }
      let isInside = length <= (isBig ? 8 : 4)
      let start = isInside ? reader.offset : word(&reader) ?? .max
      return Field(kind: kind, count: count, start: start, length: length)
    }
    return nil
  }

  /// A count or an offset.
  private func word(_ reader: inout ByteReader) -> Int? {
    isBig ? reader.uint64(order).map { Int(clamping: $0) } : reader.uint32(order).map(Int.init)
  }

  /// All bytes of a field, as they are in the file.
  func content(_ field: Field) throws -> UnsafeRawBufferPointer {
    let (end, overflow) = field.start.addingReportingOverflow(field.length)
    guard !overflow, end <= bytes.count else { throw Incomplete() }
    return UnsafeRawBufferPointer(rebasing: bytes[field.start..<end])
  }

  /// One of a field's numbers, which are whole and not negative.
  func number(_ field: Field, at index: Int = 0) throws -> Int {
    guard index < field.count else { throw CodecError.corrupt(.tiff, "a field with too few numbers") }
    let offset = field.start.addingReportingOverflow(index * field.kind.length)
    guard !offset.overflow else { throw Incomplete() }
    var reader = ByteReader(bytes, at: offset.partialValue)
    let number: Int?
    switch field.kind {
    case .byte: number = reader.uint8().map(Int.init)
    case .short: number = reader.uint16(order).map(Int.init)
    case .long: number = reader.uint32(order).map(Int.init)
    case .long8: number = reader.uint64(order).map { Int(clamping: $0) }
    case .rational, .other: throw CodecError.corrupt(.tiff, "a field of a kind that it cannot have")
    }
    return try number.orThrow(Incomplete())
  }

  /// The first number of the field of this tag.
  func number(_ tag: Tag) throws -> Int? { try field(tag).map { try number($0) } }

  /// One of a field's fractions.
  func fraction(_ field: Field, at index: Int) throws -> Double {
    guard case .rational = field.kind, index < field.count else {
      throw CodecError.corrupt(.tiff, "a field with too few fractions")
    }
    var reader = ByteReader(try content(field), at: index * 8)
    guard let numerator = reader.uint32(order), let denominator = reader.uint32(order) else { throw Incomplete() }
    return Double(numerator) / Double(denominator)
  }
}

extension Optional {
  /// The value, or an error in its place.
  fileprivate func orThrow(_ error: @autoclosure () -> any Error) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
