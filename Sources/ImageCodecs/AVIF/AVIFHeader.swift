import Pixels

/// The `meta` box of an AVIF file: which item is the picture, and its properties (AVIF 1.1; ISO/IEC 23008-12).
enum AVIFHeader {
  private enum BoxType {
    static let meta: UInt32 = 0x6D65_7461
    static let primaryItem: UInt32 = 0x7069_746D  // pitm
    static let references: UInt32 = 0x6972_6566  // iref
    static let derivedFrom: UInt32 = 0x6469_6D67  // dimg
    static let properties: UInt32 = 0x6970_7270  // iprp
    static let propertyContainer: UInt32 = 0x6970_636F  // ipco
    static let associations: UInt32 = 0x6970_6D61  // ipma
    static let extents: UInt32 = 0x6973_7065  // ispe
    static let channels: UInt32 = 0x7069_7869  // pixi
    static let rotation: UInt32 = 0x6972_6F74  // irot
    static let mirror: UInt32 = 0x696D_6972  // imir
    static let color: UInt32 = 0x636F_6C72  // colr
    static let auxiliary: UInt32 = 0x6175_7843  // auxC
    static let data: UInt32 = 0x6D64_6174  // mdat
    static let movie: UInt32 = 0x6D6F_6F76  // moov
    static let fileType: UInt32 = 0x6674_7970  // ftyp
    /// From a movie to the sizes of a track's samples: trak, mdia, minf, stbl, stsz.
    static let sampleSizes: [UInt32] = [0x7472_616B, 0x6D64_6961, 0x6D69_6E66, 0x7374_626C, 0x7374_737A]
  }

  static func read(_ file: ByteReader, limits: DecodeLimits) throws -> ImageInfo? {
    var boxes = BoxReader(file)
    var isSequence = false
    var info: ImageInfo?
    var isAtEnd = false
    while var box = try boxes.next() {
      switch box.type {
      case BoxType.fileType: isSequence = namesSequence(box.content)
      case BoxType.movie:
        // Of a sequence without a still picture beside it nothing is decoded.
        guard info != nil else { throw CodecError.unsupported("AVIF sequence") }
        try limits.checkMetadata(box.length)
        guard box.isWhole else { return nil }
        info?.animation = try sampleCount(box.content).map { AnimationInfo(loopCount: 0, frameCount: $0) }
        return info
      case BoxType.meta where info == nil:
        try limits.checkMetadata(box.length)
        guard box.isWhole else { return nil }
        _ = box.versionAndFlags()
        info = try picture(box.content, limits)
        if !isSequence { return info }
      default: break
      }
      guard box.isWhole else { return nil }
      isAtEnd = box.type == BoxType.data && boxes.remaining == 0
    }
    // The brand alone makes no sequence; whether there is one is known at the end.
    return isAtEnd ? info : nil
  }

  /// Whether one of the brands is that of sequences.
  private static func namesSequence(_ content: ByteReader) -> Bool {
    var reader = content
    while let brand = reader.uint32(.big) {
      if brand == 0x6176_6973 { return true }
    }
    return false
  }

  /// How many pictures the first track has that says so; `nil` for less than two.
  private static func sampleCount(_ movie: ByteReader) throws -> Int? {
    var content = movie
    for type in BoxType.sampleSizes {
      var boxes = BoxReader(content)
      var found: ByteReader?
      while found == nil, let box = try boxes.next() { if box.type == type { found = box.content } }
      guard let found else { return nil }
      content = found
    }
    // A full box: version and flags, the one size of all or 0, and their number.
    guard content.skip(8), let count = content.uint32(.big), count > 1 else { return nil }
    return Int(count)
  }

  /// Whether the file has a box of data and does not end within a box.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var boxes = BoxReader(ByteReader(bytes))
    var (hasData, remaining) = (false, bytes.count)
    while let box = try? boxes.next() {
      guard box.isWhole else { return false }
      hasData = hasData || box.type == BoxType.data
      remaining = boxes.remaining
    }
    return hasData && remaining == 0
  }

  private static func picture(_ content: ByteReader, _ limits: DecodeLimits) throws -> ImageInfo {
    var primary: UInt32?
    var properties: ByteReader?
    var references: BoxReader.Box?
    var boxes = BoxReader(content)
    while var box = try boxes.next() {
      switch box.type {
      case BoxType.primaryItem: primary = itemID(&box)
      case BoxType.references: references = box
      case BoxType.properties: properties = box.content
      default: break
      }
    }
    guard let primary, let properties else { throw CodecError.corrupt(.avif, "no picture in it is the first one") }
    if let references { try limits.checkCells(cells(of: primary, in: references)) }
    return try describe(primary, properties)
  }

  private static func itemID(_ box: inout BoxReader.Box) -> UInt32? {
    guard let (version, _) = box.versionAndFlags() else { return nil }
    return version == 0 ? box.content.uint16(.big).map(UInt32.init) : box.content.uint32(.big)
  }

  /// How many pictures an item is put together from (ISO/IEC 14496-12, section 8.11.12): the cells of a grid.
  private static func cells(of item: UInt32, in references: BoxReader.Box) throws -> Int {
    var references = references
    guard let (version, _) = references.versionAndFlags() else { return 0 }
    var boxes = BoxReader(references.content)
    while var box = try boxes.next() {
      let from = version == 0 ? box.content.uint16(.big).map(UInt32.init) : box.content.uint32(.big)
      if box.type == BoxType.derivedFrom, from == item { return box.content.uint16(.big).map(Int.init) ?? 0 }
    }
    return 0
  }

  /// Indices of properties have 15 bits (ISO/IEC 23008-12, section 9.3.1).
  private static let maximumProperties = 1 << 15

  private static func describe(_ item: UInt32, _ content: ByteReader) throws -> ImageInfo {
    var all: [BoxReader.Box] = []
    var indices: [Int] = []
    var boxes = BoxReader(content)
    while var box = try boxes.next() {
      if box.type == BoxType.propertyContainer {
        var inner = BoxReader(box.content)
        while all.count < maximumProperties, let property = try inner.next() { all.append(property) }
      } else if box.type == BoxType.associations, indices.isEmpty {
        indices = associations(of: item, in: &box)
      }
    }
    var info = ImageInfo(format: .avif, storedSize: .zero)
    var turn = Turn()
    // Indices count from 1; 0 stands for none.
    for index in indices where all.indices.contains(index - 1) { note(all[index - 1], &info, &turn) }
    info.hasAlpha = all.contains { isAlpha($0) }
    info.orientation = turn.orientation
    guard !info.storedSize.isEmpty else { throw CodecError.corrupt(.avif, "a picture without a size") }
    return info
  }

  /// ISO/IEC 23008-12, section 9.3.1.
  private static func associations(of item: UInt32, in box: inout BoxReader.Box) -> [Int] {
    guard let (version, flags) = box.versionAndFlags(), let count = box.content.uint32(.big) else { return [] }
    var indices: [Int] = []
    for _ in 0..<count {
      let id = version == 0 ? box.content.uint16(.big).map(UInt32.init) : box.content.uint32(.big)
      guard let id, let associated = box.content.uint8() else { break }
      for _ in 0..<associated {
        // The highest bit says that the property must be understood.
        let isWide = flags & 1 == 1
        let index =
          isWide ? box.content.uint16(.big).map { Int($0 & 0x7FFF) } : box.content.uint8().map { Int($0 & 0x7F) }
        guard let index else { return indices }
        if id == item { indices.append(index) }
      }
      // An item has its properties named once.
      if id == item { return indices }
    }
    return indices
  }

  private static func note(_ property: BoxReader.Box, _ info: inout ImageInfo, _ turn: inout Turn) {
    var box = property
    switch box.type {
    case BoxType.extents:
      guard box.versionAndFlags() != nil, let width = box.content.uint32(.big), let height = box.content.uint32(.big)
      else { return }
      info.storedSize = PixelSize(width: Int(width), height: Int(height))
    case BoxType.channels:
      guard box.versionAndFlags() != nil, let count = box.content.uint8(), let depth = box.content.uint8() else {
        return
      }
      info.bitDepth = Int(depth)
      if count == 1 { info.colorModel = .grey }
    case BoxType.rotation: turn.quarters = Int((box.content.uint8() ?? 0) & 3)
    case BoxType.mirror: turn.mirror = box.content.uint8().map { $0 & 1 == 0 ? .topAndBottom : .leftAndRight }
    case BoxType.color: info.colorSpace = AVIFColor.summary(box.content)
    default: break
    }
  }

  private static func isAlpha(_ property: BoxReader.Box) -> Bool {
    var box = property
    guard box.type == BoxType.auxiliary, box.versionAndFlags() != nil else { return false }
    return box.content.starts(with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
      || box.content.starts(with: "urn:mpeg:hevc:2015:auxid:1")
  }

  /// ISO/IEC 23008-12, sections 6.5.10 and 6.5.12: first turned, then mirrored.
  private struct Turn {
    enum Mirror {
      case topAndBottom, leftAndRight
    }

    /// Against the clock.
    var quarters = 0
    var mirror: Mirror?

    var orientation: Orientation {
      switch (quarters, mirror) {
      case (0, nil): .up
      case (0, .topAndBottom), (2, .leftAndRight): .downMirrored
      case (0, .leftAndRight), (2, .topAndBottom): .upMirrored
      case (1, nil): .left
      case (1, .topAndBottom), (3, .leftAndRight): .leftMirrored
      case (1, .leftAndRight), (3, .topAndBottom): .rightMirrored
      case (2, nil): .down
      default: .right
      }
    }
  }
}
