/// The properties of the items of a HEIF file, and which item has which (ISO/IEC 23008-12, section 9.3).
struct HEIFProperties {
  private var all: [BoxReader.Box] = []
  private var associations: [HEIFAssociations] = []

  /// Indices of properties have 15 bits.
  private static let maximumCount = 1 << 15
  /// One for each width of numbers of items and of properties.
  private static let maximumTables = 4

  /// - Parameter content: of an `iprp` box.
  init(_ content: ByteReader, _ format: ImageFormat) throws {
    var boxes = BoxReader(content, format)
    while var box = try boxes.next() {
      if box.type == HEIFBoxType.propertyContainer {
        var inner = BoxReader(box.content, format)
        while all.count < Self.maximumCount, let property = try inner.next() { all.append(property) }
      } else if box.type == HEIFBoxType.associations, associations.count < Self.maximumTables {
        if let table = HEIFAssociations(&box) { associations.append(table) }
      }
    }
  }

  /// What the properties of each item say.
  func pictures(_ items: Set<UInt32>) -> [UInt32: HEIFPicture] {
    var pictures: [UInt32: HEIFPicture] = [:]
    for var table in associations {
      while var entry = table.next() {
        // An item has its properties named once.
        guard items.contains(entry.item), pictures[entry.item] == nil else { continue }
        var picture = HEIFPicture()
        while let index = entry.nextIndex() { if all.indices.contains(index) { picture.note(all[index]) } }
        pictures[entry.item] = picture
        if pictures.count == items.count { return pictures }
      }
    }
    return pictures
  }

  /// The items that are transparencies.
  var alphaItems: Set<UInt32> {
    let alphas = Set(all.indices.filter { HEIFPicture.isAlpha(all[$0]) })
    guard !alphas.isEmpty else { return [] }
    var items: Set<UInt32> = []
    for var table in associations {
      while var entry = table.next() {
        while let index = entry.nextIndex() { if alphas.contains(index) { items.insert(entry.item) } }
      }
    }
    return items
  }
}

/// A walk over `ipma`: which properties each item has.
private struct HEIFAssociations {
  struct Entry {
    var item: UInt32
    fileprivate var indices: ByteReader
    fileprivate var isWide: Bool

    /// Counted from 0; -1 for none.
    mutating func nextIndex() -> Int? {
      // The highest bit says that the property must be understood.
      let number = isWide ? indices.uint16(.big).map { Int($0 & 0x7FFF) } : indices.uint8().map { Int($0 & 0x7F) }
      return number.map { $0 - 1 }
    }
  }

  private var content: ByteReader
  private let isLong: Bool
  private let isWide: Bool

  init?(_ box: inout BoxReader.Box) {
    guard let (version, flags) = box.versionAndFlags(), box.content.skip(4) else { return nil }
    content = box.content
    isLong = version != 0
    isWide = flags & 1 == 1
  }

  mutating func next() -> Entry? {
    guard let item = content.itemID(isLong: isLong), let count = content.uint8() else { return nil }
    guard let indices = content.take(UInt32(count) * (isWide ? 2 : 1)) else { return nil }
    return Entry(item: item, indices: indices, isWide: isWide)
  }
}
