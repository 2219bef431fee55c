#if !canImport(Darwin) && HEIC
  import Pixels

  /// The items of a HEIC that are needed to decode its picture: of what kind they are, and where their data are.
  struct HEICItems {
    enum Kind {
      case coded, grid, identity
      case other
    }

    let kinds: [UInt32: Kind]
    let pictures: [UInt32: HEIFPicture]
    private let locations: [UInt32: HEICLocation]
    private let bytes: UnsafeRawBufferPointer
    private let inlineData: UnsafeRawBufferPointer?

    /// - Parameter needed: the numbers of the items.
    init(_ needed: Set<UInt32>, of meta: HEIFMeta, in bytes: UnsafeRawBufferPointer) throws {
      pictures = meta.properties.pictures(needed)
      kinds = try Self.kinds(of: needed, meta.items)
      locations = HEICLocation.read(needed, meta.locations)
      inlineData = meta.inlineData?.rest
      self.bytes = bytes
    }

    /// ISO/IEC 14496-12, section 8.11.6.
    private static func kinds(of needed: Set<UInt32>, _ table: BoxReader.Box?) throws -> [UInt32: Kind] {
      guard var table, let (version, _) = table.versionAndFlags(), table.content.skip(version == 0 ? 2 : 4) else {
        return [:]
      }
      var kinds: [UInt32: Kind] = [:]
      var boxes = BoxReader(table.content, .heic)
      while kinds.count < needed.count, var box = try boxes.next() {
        // Earlier versions of the box are not of pictures.
        guard box.type == HEIFBoxType.itemEntry, let (version, _) = box.versionAndFlags(), version >= 2,
          let item = box.content.itemID(isLong: version > 2), needed.contains(item), box.content.skip(2)
        else { continue }
        kinds[item] = kind(box.content)
      }
      return kinds
    }

    private static func kind(_ type: ByteReader) -> Kind {
      if type.starts(with: "hvc1") { return .coded }
      if type.starts(with: "grid") { return .grid }
      return type.starts(with: "iden") ? .identity : .other
    }

    /// Calls `body` with the data of an item.
    /// - Throws: `body.truncated` where they lie behind the end of the file.
    func withData<Result>(of item: UInt32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
      guard let location = locations[item] else { throw CodecError.corrupt(.heic, "an item without data") }
      let source = location.isInline ? inlineData ?? UnsafeRawBufferPointer(start: nil, count: 0) : bytes
      let parts = try location.extents.map { extent in
        guard let range = extent.range(in: source.count) else { throw CodecError.truncated(.heic) }
        return source.part(range)
      }
      if parts.count == 1 { return try body(parts[0]) }
      let count = parts.reduce(0) { $0 + $1.count }
      guard count <= source.count else { throw CodecError.corrupt(.heic, "an item of pieces that overlap") }
      let memory = try ScratchMemory<UInt8>(count: count)
      defer { withExtendedLifetime(memory) {} }
      let joined = UnsafeMutableRawBufferPointer(start: memory.start, count: memory.count)
      var end = 0
      for part in parts {
        UnsafeMutableRawBufferPointer(rebasing: joined[end...]).copyMemory(from: part)
        end += part.count
      }
      return try body(UnsafeRawBufferPointer(joined))
    }
  }

  /// Where the data of an item are (ISO/IEC 14496-12, section 8.11.3).
  struct HEICLocation {
    struct Extent {
      var offset: UInt64
      /// 0 for all that follows.
      var length: UInt64

      /// `nil` where it does not lie within `count` bytes.
      func range(in count: Int) -> Range<Int>? {
        let end = length == 0 ? (UInt64(count), false) : offset.addingReportingOverflow(length)
        guard !end.1, end.0 <= UInt64(count), offset <= end.0 else { return nil }
        return Int(offset)..<Int(end.0)
      }
    }

    /// Whether they are within the description itself.
    var isInline = false
    var extents: [Extent] = []

    /// Items of more pieces are in no file.
    private static let maximumExtents = 256

    /// Those of `needed` that can be found; a table that makes no sense ends the search.
    static func read(_ needed: Set<UInt32>, _ table: BoxReader.Box?) -> [UInt32: HEICLocation] {
      guard var table, let (version, _) = table.versionAndFlags(), let sizes = table.content.uint16(.big) else {
        return [:]
      }
      let layout = Layout(
        offset: Int(sizes >> 12), length: Int(sizes >> 8 & 15), base: Int(sizes >> 4 & 15),
        index: version == 0 ? 0 : Int(sizes & 15))
      var reader = table.content
      guard var count = reader.itemID(isLong: version > 1) else { return [:] }
      var locations: [UInt32: HEICLocation] = [:]
      while count > 0, locations.count < needed.count {
        guard let item = reader.itemID(isLong: version > 1) else { break }
        guard let location = entry(&reader, layout, hasMethod: version > 0, isNeeded: needed.contains(item)) else {
          break
        }
        if needed.contains(item) { locations[item] = location }
        count -= 1
      }
      return locations
    }

    /// Bytes of the numbers in the table.
    private struct Layout {
      var offset: Int
      var length: Int
      var base: Int
      var index: Int
    }

    private static func entry(
      _ reader: inout ByteReader, _ layout: Layout, hasMethod: Bool, isNeeded: Bool
    ) -> HEICLocation? {
      var location = HEICLocation()
      if hasMethod {
        // In the file, or in idat; what is in other items has no reader.
        guard let method = reader.uint16(.big), method & 15 <= 1 || !isNeeded else { return nil }
        location.isInline = method & 15 == 1
      }
      guard reader.skip(2), let base = reader.uint(layout.base), let count = reader.uint16(.big) else { return nil }
      guard isNeeded else {
        return reader.skip(UInt32(count) * UInt32(layout.index + layout.offset + layout.length)) ? location : nil
      }
      guard count <= maximumExtents else { return nil }
      for _ in 0..<count {
        guard reader.skip(UInt32(layout.index)), let offset = reader.uint(layout.offset),
          let length = reader.uint(layout.length)
        else { return nil }
        let (start, overflow) = base.addingReportingOverflow(offset)
        guard !overflow else { return nil }
        location.extents.append(Extent(offset: start, length: length))
      }
      return location
    }
  }

  extension ByteReader {
    /// A number of so many bytes, the first of which counts most; 0 for none.
    mutating func uint(_ count: Int) -> UInt64? {
      guard count <= 8 else { return nil }
      var value: UInt64 = 0
      for _ in 0..<count {
        guard let byte = uint8() else { return nil }
        value = value << 8 | UInt64(byte)
      }
      return value
    }
  }
#endif
