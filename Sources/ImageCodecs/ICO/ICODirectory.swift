import Pixels

/// The pictures that an icon or cursor holds, as its directory lists them (Microsoft, "Icons", 1995).
///
/// All are of the same subject; one of them is decoded. Sizes here are what the directory says, up to 256 a side; what a
/// picture itself says counts.
struct ICODirectory {
  struct Entry {
    var size: PixelSize
    /// 0 where the directory does not say.
    var bitsPerPixel: Int
    /// The bytes of the file that are the picture; may lie behind its end.
    var bytes: Range<Int>
  }

  /// Not empty.
  let entries: [Entry]

  /// - Returns: `nil` when the bytes end within it.
  init?(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, at: 2)
    guard let kind = reader.uint16(.little), let count = reader.uint16(.little) else { return nil }
    guard count > 0 else { throw CodecError.corrupt(.ico, "it holds no picture") }
    var entries: [Entry] = []
    for _ in 0..<count {
      guard let entry = Self.entry(&reader, isIcon: kind == 1) else { return nil }
      entries.append(entry)
    }
    self.entries = entries
  }

  private static func entry(_ reader: inout ByteReader, isIcon: Bool) -> Entry? {
    guard let width = reader.uint8(), let height = reader.uint8(), reader.skip(4), let bits = reader.uint16(.little),
      let count = reader.uint32(.little), let offset = reader.uint32(.little)
    else { return nil }
    // 0 is 256, or more: then the picture is a PNG, which says how much.
    let size = PixelSize(width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
    // In a cursor there is a coordinate of the hot spot in the place of the depth.
    return Entry(size: size, bitsPerPixel: isIcon ? Int(bits) : 0, bytes: Int(offset)..<Int(offset) + Int(count))
  }

  /// The largest picture; of several the deepest, and of those the first.
  var largest: Entry { entries.dropFirst().reduce(entries[0]) { Self.rank($1) > Self.rank($0) ? $1 : $0 } }

  private static func rank(_ entry: Entry) -> (Int, Int) { (entry.size.area, entry.bitsPerPixel) }

  /// The pictures from which one of `size` can be made without enlarging, best first: the smallest, and of several the
  /// deepest. Only such as have the shape of the largest, at whose size `size` was worked out.
  func covering(_ size: PixelSize) -> [Entry] {
    let shape = largest.size
    return
      entries
      .filter { $0.size.width >= size.width && $0.size.height >= size.height }
      .filter { $0.size.width * shape.height == $0.size.height * shape.width }
      .sorted { ($0.size.area, -$0.bitsPerPixel) < ($1.size.area, -$1.bitsPerPixel) }
  }

  /// Throws unless every picture is there to its end, so that a cut file never passes for a smaller one.
  func checkWhole(_ bytes: UnsafeRawBufferPointer) throws {
    guard entries.allSatisfy({ $0.bytes.upperBound <= bytes.count }) else { throw CodecError.truncated(.ico) }
  }
}
