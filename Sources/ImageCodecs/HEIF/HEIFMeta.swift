import Pixels

/// The `meta` box of a HEIF file: its items, which of them is the picture, and how they depend on each other
/// (ISO/IEC 14496-12, section 8.11; ISO/IEC 23008-12).
///
/// A question is a walk over the table that answers it, so that little is allocated by what the file claims.
struct HEIFMeta {
  let format: ImageFormat
  /// The item that is the picture.
  let primary: UInt32
  let properties: HEIFProperties
  /// What kind each item is of, as a box.
  let items: BoxReader.Box?
  /// Where the data of each item are, as a box.
  let locations: BoxReader.Box?
  /// Data of items that are kept in the box itself.
  let inlineData: ByteReader?
  private let references: BoxReader.Box?

  init(_ content: ByteReader, _ format: ImageFormat) throws {
    var (primary, properties): (UInt32?, ByteReader?)
    var (items, locations, references): (BoxReader.Box?, BoxReader.Box?, BoxReader.Box?)
    var inlineData: ByteReader?
    var boxes = BoxReader(content, format)
    while var box = try boxes.next() {
      switch box.type {
      case HEIFBoxType.primaryItem:
        primary = box.versionAndFlags().flatMap { box.content.itemID(isLong: $0.version != 0) }
      case HEIFBoxType.items: items = box
      case HEIFBoxType.locations: locations = box
      case HEIFBoxType.inlineData: inlineData = box.content
      case HEIFBoxType.references: references = box
      case HEIFBoxType.properties: properties = box.content
      default: break
      }
    }
    guard let primary, let properties else { throw CodecError.corrupt(format, "no picture in it is the first one") }
    self.format = format
    self.primary = primary
    self.properties = try HEIFProperties(properties, format)
    self.items = items
    self.locations = locations
    self.references = references
    self.inlineData = inlineData
  }

  /// - Throws: also `image.tooManyCells`.
  func info(_ limits: DecodeLimits) throws -> ImageInfo {
    let sources = try sources(of: primary, limits)
    let pictures = properties.pictures(Set([primary] + sources.prefix(1)))
    let picture = picture(of: pictures, madeOf: sources)
    guard !picture.size.isEmpty else { throw CodecError.corrupt(format, "a picture without a size") }
    var info = picture.info(format)
    info.hasAlpha = try alpha(of: [primary] + sources) != nil
    return info
  }

  /// What the properties of the picture say; what they leave out of its colours, those of its first cell.
  func picture(of pictures: [UInt32: HEIFPicture], madeOf sources: [UInt32]) -> HEIFPicture {
    var picture = pictures[primary] ?? HEIFPicture()
    if let first = sources.first, let cell = pictures[first] { picture.complete(from: cell) }
    return picture
  }

  /// The items that one is put together from, in order: the cells of a grid.
  func sources(of item: UInt32, _ limits: DecodeLimits) throws -> [UInt32] {
    guard var references = HEIFReferences(references, format) else { return [] }
    while var reference = try references.next() {
      guard reference.kind == HEIFBoxType.derivedFrom, reference.from == item else { continue }
      try limits.checkCells(reference.count)
      var sources: [UInt32] = []
      while let source = reference.nextTarget() { sources.append(source) }
      return sources
    }
    return []
  }

  /// The item that is the transparency of one of `pictures`.
  func alpha(of pictures: [UInt32]) throws -> UInt32? {
    let candidates = properties.alphaItems
    guard !candidates.isEmpty, var references = HEIFReferences(references, format) else { return nil }
    let pictures = Set(pictures)
    while var reference = try references.next() {
      guard reference.kind == HEIFBoxType.auxiliaryTo, candidates.contains(reference.from) else { continue }
      while let target = reference.nextTarget() { if pictures.contains(target) { return reference.from } }
    }
    return nil
  }

  /// Whether the colours of an item are multiplied by an alpha already.
  func isPremultiplied(_ item: UInt32) throws -> Bool {
    guard var references = HEIFReferences(references, format) else { return false }
    while let reference = try references.next() {
      if reference.kind == HEIFBoxType.premultipliedBy, reference.from == item { return true }
    }
    return false
  }
}
