import Foundation

/// The pieces of one body that have arrived, each at its place.
///
/// Invariants: pieces rise and neither overlap nor touch; none is empty; all lie within `total`.
struct PartialBody: Equatable, Sendable {
  struct Piece: Equatable, Sendable {
    var start: Int
    var data: Data

    var end: Int { start + data.count }
  }

  /// Length of the whole in bytes.
  let total: Int
  private(set) var pieces: [Piece] = []

  init(total: Int) { self.total = max(total, 0) }

  /// Bytes that are here.
  var count: Int { pieces.reduce(0) { $0 + $1.data.count } }

  var isComplete: Bool { count == total }

  /// Bytes from the beginning up to the first that is missing.
  var prefix: Data { pieces.first.flatMap { $0.start == 0 ? $0.data : nil } ?? Data() }

  /// The bytes of a range, where all of them are here.
  func bytes(in range: Range<Int>) -> Data? {
    guard let piece = pieces.first(where: { $0.start <= range.lowerBound && range.upperBound <= $0.end }) else {
      return nil
    }
    return Data(piece.data.dropFirst(range.lowerBound - piece.start).prefix(range.count))
  }

  /// Adds bytes; where there are some already, those stay. What lies outside of the whole is left out. O(pieces), and
  /// the bytes of the pieces it joins.
  mutating func insert(_ data: Data, at start: Int) {
    guard start >= 0, start < total else { return }
    var new = Piece(start: start, data: data.prefix(total - start))
    guard !new.data.isEmpty else { return }
    let before = pieces.prefix { $0.end < new.start }.count
    let touched = pieces[before...].prefix { $0.start <= new.end }
    for piece in touched { new = Self.join(piece, new) }
    pieces.replaceSubrange(touched.indices, with: [new])
  }

  mutating func insert(_ other: PartialBody) {
    for piece in other.pieces { insert(piece.data, at: piece.start) }
  }

  /// A piece, with what another that overlaps or touches it has beside it.
  private static func join(_ piece: Piece, _ other: Piece) -> Piece {
    var joined = piece
    if other.start < piece.start {
      joined.start = other.start
      joined.data = other.data.prefix(piece.start - other.start) + piece.data
    }
    if other.end > piece.end { joined.data.append(other.data.suffix(other.end - piece.end)) }
    return joined
  }
}
