import Foundation

/// Undoes the chunked transfer coding (RFC 9112, section 7.1) as bytes arrive. Pure; extensions and trailers are read
/// over, within bounds.
struct ChunkedDecoder {
  private enum State {
    case size
    case data(left: Int)
    /// The line break after a chunk's data.
    case dataEnd
    case trailers
    case done
  }

  private var state = State.size
  private var line: [UInt8] = []
  private var trailerBytes = 0

  private static let longestLine = 4 << 10
  private static let longestTrailers = 16 << 10

  var isDone: Bool { if case .done = state { true } else { false } }

  /// Takes what belongs to the body off the front of `bytes`.
  /// - Parameter sink: given the data, in pieces.
  /// - Throws: `RequestFault`, or what `sink` throws.
  mutating func consume(
    _ bytes: inout ArraySlice<UInt8>, _ sink: (ArraySlice<UInt8>) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    while !isDone, !bytes.isEmpty {
      switch state {
      case .data(let left):
        let piece = bytes.prefix(left)
        try sink(piece)
        bytes.removeFirst(piece.count)
        state = piece.count == left ? .dataEnd : .data(left: left - piece.count)
      case .size:
        guard let text = try nextLine(&bytes) else { return }
        let size = try Self.size(text)
        state = size == 0 ? .trailers : .data(left: size)
      case .dataEnd:
        guard let text = try nextLine(&bytes) else { return }
        guard text.isEmpty else { throw RequestFault(400, "A chunk is longer than it says.") }
        state = .size
      case .trailers:
        guard let text = try nextLine(&bytes) else { return }
        trailerBytes += text.count
        guard trailerBytes <= Self.longestTrailers else { throw RequestFault(431, "The trailers are too long.") }
        if text.isEmpty { state = .done }
      case .done: return
      }
    }
  }

  /// A line without its CR LF, once it is whole.
  private mutating func nextLine(_ bytes: inout ArraySlice<UInt8>) throws(RequestFault) -> [UInt8]? {
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\n") {
        guard line.last == UInt8(ascii: "\r") else {
          throw RequestFault(400, "A chunk's line does not end with CR LF.")
        }
        defer { line = [] }
        return Array(line.dropLast())
      }
      guard line.last != UInt8(ascii: "\r") else { throw RequestFault(400, "A chunk's line contains a bare CR.") }
      guard line.count < Self.longestLine else { throw RequestFault(400, "A chunk's line is too long.") }
      line.append(byte)
    }
    return nil
  }

  private static func size(_ line: [UInt8]) throws(RequestFault) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
    let rest = line.dropFirst(digits.count).drop { $0 == 32 || $0 == 9 }
    let isHex = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard !digits.isEmpty, isHex, rest.isEmpty || rest.first == UInt8(ascii: ";") else {
      throw RequestFault(400, "A chunk does not begin with its size.")
    }
    guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw RequestFault(413, "A chunk is too long.")
    }
    return size
  }
}
