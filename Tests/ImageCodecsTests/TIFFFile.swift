import Foundation

/// A TIFF put together field by field, for headers that no program would write.
struct TIFFFile {
  /// Values of a field: as whole numbers of two, four or eight bytes, or as they are.
  enum Values {
    case shorts([Int])
    case longs([Int])
    case longs8([Int])
    /// By their kind's code and their count.
    case raw(kind: Int, count: Int, Data)
  }

  var isBigEndian = false
  /// Whether counts and offsets have eight bytes.
  var isBig = false
  var fields: [Int: Values]
  /// Stands in front of the directory, at the offset `pixelOffset`.
  var pixels = Data()

  var pixelOffset: Int { isBig ? 16 : 8 }

  /// Grey of eight bits in one strip.
  init(width: Int, height: Int, isBig: Bool = false, pixels: Data = Data()) {
    self.isBig = isBig
    self.pixels = pixels
    fields = [:]
    fields = [
      256: .longs([width]), 257: .longs([height]), 258: .shorts([8]), 259: .shorts([1]), 262: .shorts([1]),
      273: .longs([pixelOffset]), 277: .shorts([1]), 278: .longs([height]), 279: .longs([pixels.count]),
    ]
  }

  var data: Data {
    let header =
      isBig
      ? number(43, 2) + number(8, 2) + number(0, 2) + number(pixelOffset + pixels.count, 8)
      : number(42, 2) + number(pixelOffset + pixels.count, 4)
    let word = isBig ? 8 : 4
    var entries = Data()
    var values = Data()
    let start = pixelOffset + pixels.count + (isBig ? 8 : 2) + fields.count * (4 + 2 * word) + word
    for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
      let (kind, count, content) = encoded(field)
      entries += number(tag, 2) + number(kind, 2) + number(count, word)
      if content.count <= word {
        entries += content + Data(count: word - content.count)
      } else {
        entries += number(start + values.count, word)
        values += content
      }
    }
    let mark = Data((isBigEndian ? "MM" : "II").utf8)
    return mark + header + pixels + number(fields.count, isBig ? 8 : 2) + entries + number(0, word) + values
  }

  private func encoded(_ values: Values) -> (kind: Int, count: Int, Data) {
    switch values {
    case .shorts(let all): (3, all.count, all.reduce(into: Data()) { $0 += number($1, 2) })
    case .longs(let all): (4, all.count, all.reduce(into: Data()) { $0 += number($1, 4) })
    case .longs8(let all): (16, all.count, all.reduce(into: Data()) { $0 += number($1, 8) })
    case .raw(let kind, let count, let data): (kind, count, data)
    }
  }

  private func number(_ value: Int, _ length: Int) -> Data {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return Data(isBigEndian ? bytes.reversed() : bytes)
  }
}
