import Foundation

/// A stored head as bytes in the index: little-endian numbers, strings with their length before them, and a checksum at
/// the end that is bound to the entry's name. The URL is not in it: it is that of the request.
///
/// Reading never trusts a length, and takes anything it does not understand for damage.
struct HeadCoding {
  /// A request field that Vary names, and a digest of its value; `nil` where the request did not have it. Values may be
  /// secrets, which do not belong on disk.
  struct Selecting: Equatable {
    var name: String
    var digest: Data?
  }

  /// The version of this form; another one is damage, and the response is fetched again.
  private static let version: UInt8 = 1

  var status: Int
  var headers: HTTPHeaders
  var selecting: [Selecting]
  var requestTime: Date
  var responseTime: Date

  func encoded(for id: StoredEntryID) -> Data {
    var writer = ByteWriter()
    writer.append(Self.version)
    writer.append(UInt32(clamping: status))
    writer.append(requestTime.timeIntervalSince1970.bitPattern)
    writer.append(responseTime.timeIntervalSince1970.bitPattern)
    writer.append(UInt32(clamping: headers.fields.count))
    for field in headers {
      writer.append(field.name)
      writer.append(field.value)
    }
    writer.append(UInt32(clamping: selecting.count))
    for field in selecting {
      writer.append(field.name)
      writer.append(UInt8(field.digest == nil ? 0 : 1))
      if let digest = field.digest { writer.append(digest) }
    }
    writer.append(Checksum.xxh64(writer.data, seed: UInt64(bitPattern: id.rawValue)))
    return writer.data
  }

  init(status: Int, headers: HTTPHeaders, selecting: [Selecting], requestTime: Date, responseTime: Date) {
    self.status = status
    self.headers = headers
    self.selecting = selecting
    self.requestTime = requestTime
    self.responseTime = responseTime
  }

  /// - Returns: `nil` where the bytes are not what was written under this name.
  init?(_ data: Data, id: StoredEntryID) {
    guard data.count >= 8 else { return nil }
    var ending = ByteReader(data.suffix(8))
    let sum = Checksum.xxh64(data.dropLast(8), seed: UInt64(bitPattern: id.rawValue))
    guard ending.word() == sum else { return nil }
    var reader = ByteReader(data.dropLast(8))
    guard reader.byte() == Self.version, let status = reader.half(), let requested = reader.word(),
      let received = reader.word(), let fields = reader.half()
    else { return nil }
    var headers: [HTTPHeaders.Field] = []
    for _ in 0..<fields {
      guard let name = reader.string(), let value = reader.string() else { return nil }
      headers.append(HTTPHeaders.Field(name: name, value: value))
    }
    guard let count = reader.half() else { return nil }
    selecting = []
    for _ in 0..<count {
      guard let name = reader.string(), let hasDigest = reader.byte() else { return nil }
      var digest: Data?
      if hasDigest == 1 {
        guard let bytes = reader.bytes() else { return nil }
        digest = bytes
      }
      selecting.append(Selecting(name: name, digest: digest))
    }
    self.status = Int(status)
    self.headers = HTTPHeaders(headers)
    requestTime = Date(timeIntervalSince1970: Double(bitPattern: requested))
    responseTime = Date(timeIntervalSince1970: Double(bitPattern: received))
  }
}

struct ByteWriter {
  private(set) var data = Data(capacity: 512)

  mutating func append(_ value: UInt8) { data.append(value) }

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(UInt32(clamping: text.utf8.count))
    data.append(contentsOf: text.utf8)
  }

  mutating func append(_ bytes: Data) {
    append(UInt32(clamping: bytes.count))
    data.append(bytes)
  }
}

struct ByteReader {
  private var rest: Data

  init(_ data: Data) { rest = data }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func half() -> UInt32? { number() }

  mutating func word() -> UInt64? { number() }

  mutating func bytes() -> Data? {
    guard let count = half(), Int(count) <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Data(rest.prefix(Int(count)))
  }

  mutating func string() -> String? {
    guard let count = half(), Int(count) <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
  }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    let value = rest.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    rest = rest.dropFirst(size)
    return Number(littleEndian: value)
  }
}
