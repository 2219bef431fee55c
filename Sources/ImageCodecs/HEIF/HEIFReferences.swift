/// A walk over `iref`: which items depend on which (ISO/IEC 14496-12, section 8.11.12).
struct HEIFReferences {
  struct Reference {
    var kind: UInt32
    var from: UInt32
    /// Of targets, as the file claims it.
    var count: Int
    fileprivate var targets: ByteReader
    fileprivate var isLong: Bool

    mutating func nextTarget() -> UInt32? { targets.itemID(isLong: isLong) }
  }

  private var boxes: BoxReader
  private let isLong: Bool

  /// - Returns: `nil` without the box.
  init?(_ box: BoxReader.Box?, _ format: ImageFormat) {
    guard var box, let (version, _) = box.versionAndFlags() else { return nil }
    isLong = version != 0
    boxes = BoxReader(box.content, format)
  }

  mutating func next() throws -> Reference? {
    guard var box = try boxes.next(), let from = box.content.itemID(isLong: isLong),
      let count = box.content.uint16(.big)
    else { return nil }
    let targets = box.content.prefix(Int(count) * (isLong ? 4 : 2))
    return Reference(kind: box.type, from: from, count: Int(count), targets: targets, isLong: isLong)
  }
}

extension ByteReader {
  /// The number of an item, which later versions of the boxes have of four bytes.
  mutating func itemID(isLong: Bool) -> UInt32? { isLong ? uint32(.big) : uint16(.big).map(UInt32.init) }
}
