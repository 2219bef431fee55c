import Foundation
import ImageCodecs

/// A file that claims, or unpacks to, far more than it is, and what becomes of it with the limits as they are.
struct Bomb: Sendable, CustomStringConvertible {
  enum Outcome: Hashable, Sendable {
    case refused(CodecError.Code)
    /// What is too much is passed over, and the picture is shown.
    case shown
  }

  var description: String
  var data: Data
  var outcome: Outcome
  /// Whether it is the frames that are too many; the first one alone can be had.
  var isAnimation: Bool

  /// - Parameter fixture: reads a file of the fixtures.
  static func all(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    try pngs(fixture) + jpegs(fixture) + gifs() + webPs() + bmps() + icons(fixture) + avifs(fixture) + heics(fixture)
      + tiffs(fixture) + jxls(fixture) + others()
  }

  private init(_ description: String, _ data: Data, _ outcome: Outcome, isAnimation: Bool = false) {
    self.description = description
    self.data = data
    self.outcome = outcome
    self.isAnimation = isAnimation
  }

  // MARK: PNG

  private static func pngs(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    let picture = try fixture("rgb8.png")
    let profile = try fixture("bomb-profile.png")
    let text = PNGChunks.split(profile, at: "iCCP").map { PNGChunks.chunk("zTXt", $0.1.dropFirst(8).dropLast(4)) }
    let manyProfiles = PNGChunks.split(profile, at: "iCCP").map { _, chunk, _ in
      Data((0..<40).lazy.flatMap { _ in chunk })
    }
    // Behind the name, of a letter, and the method.
    let zeros = PNGChunks.split(profile, at: "iCCP").map { $0.1.dropFirst(8 + 3).dropLast(4) }
    let onePixel =
      PNGChunks.header(width: 1, height: 1) + PNGChunks.chunk("IDAT", zeros ?? Data())
      + PNGChunks.chunk("IEND", Data())
    let animation = try fixture("animated-keep-over.png")
    let billions = PNGChunks.split(animation, at: "acTL").map { before, _, after in
      before + PNGChunks.chunk("acTL", Data([255, 255, 255, 255, 0, 0, 0, 0])) + after
    }
    let manyChunks = Data((0..<300_000).lazy.flatMap { _ in [0, 0, 0, 0] + Array("tEXt".utf8) + [0, 0, 0, 0] })
    let start = Data([0, 0, 0, 9]) + Data("IDAT".utf8)
    return [
      Bomb("PNG of 50,000 x 50,000 pixels of a bit", try fixture("bomb-50000.png"), .refused(.tooManyPixels)),
      Bomb("PNG with a profile that unpacks to 200 MB", profile, .shown),
      Bomb("PNG with a text that unpacks to 200 MB", inserting(text ?? Data(), picture), .shown),
      Bomb("PNG with forty profiles that unpack to 200 MB each", inserting(manyProfiles ?? Data(), picture), .shown),
      Bomb("PNG of a pixel whose data unpack to 200 MB", onePixel, .refused(.corrupt)),
      Bomb("PNG with 300,000 chunks of text", inserting(manyChunks, picture), .shown),
      Bomb(
        "PNG with a chunk that claims 2 GB",
        PNGChunks.header(width: 9, height: 9) + Data([0x7F, 0xFF, 0xFF, 0xFF]) + Data("tEXt".utf8) + Data(count: 99),
        .refused(.truncated)),
      Bomb(
        "PNG, interlaced, of 10,000 x 10,000 pixels without data",
        PNGChunks.header(width: 10_000, height: 10_000, interlaced: true) + start, .refused(.truncated)),
      Bomb(
        "PNG of two million pixels in a row", PNGChunks.header(width: 2_000_000, height: 1) + start,
        .refused(.tooManyPixels)),
      Bomb("PNG of 4,294,967,295 frames", billions ?? Data(), .refused(.tooManyFrames), isAnimation: true),
    ]
  }

  private static func inserting(_ chunks: Data, _ picture: Data) -> Data {
    PNGChunks.inserting(chunks, before: "IDAT", in: picture)
  }

  // MARK: JPEG

  private static func jpegs(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    let scans = try fixture("bomb-scans.jpg")
    let lastScan = scans.ranges(of: [0xFF, 0xDA]).last?.lowerBound ?? scans.startIndex
    let moreScans = Data((0..<2_800).lazy.flatMap { _ in scans[lastScan..<scans.count - 2] })
    let picture = try fixture("420.jpg")
    var large = try fixture("progressive.jpg")
    if let frame = large.firstRange(of: Data([0xFF, 0xC2])) {
      large.replaceSubrange(frame.upperBound + 3..<frame.upperBound + 7, with: [0x27, 0x10, 0x27, 0x10])
    }
    let segments = Data((0..<1_000_000).lazy.flatMap { _ in [0xFF, 0xE5, 0, 2] })
    return [
      Bomb("JPEG of 65,500 x 65,500 pixels", try fixture("bomb-65500-baseline.jpg"), .refused(.tooManyPixels)),
      Bomb(
        "JPEG, progressive, of 65,500 x 65,500 pixels", try fixture("bomb-65500-progressive.jpg"),
        .refused(.tooManyPixels)),
      Bomb("JPEG of 3,000 scans", scans.dropLast(2) + moreScans + [0xFF, 0xD9], .refused(.tooManyScans)),
      Bomb("JPEG, progressive, of 10,000 x 10,000 pixels with the data of 37 x 23", large, .refused(.corrupt)),
      Bomb("JPEG with a million segments", picture.prefix(2) + segments + picture.dropFirst(2), .shown),
    ]
  }

  // MARK: GIF

  private static func gifs() -> [Bomb] {
    /// A pixel of two colours: clear, 0, end.
    let pixel: [UInt8] = [2, 2, 0x44, 0x01, 0]
    func file(_ screen: [UInt8], _ rect: [UInt8], flags: UInt8 = 0) -> Data {
      Data(Array("GIF89a".utf8) + screen + [0, 0, 0, 0x2C, 0, 0, 0, 0] + rect + [flags] + pixel)
    }
    let (one, most): ([UInt8], [UInt8]) = ([1, 0, 1, 0], [255, 255, 255, 255])
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + pixel
    return [
      Bomb("GIF with a screen of 65,535 x 65,535 pixels", file(most, one), .refused(.tooManyPixels)),
      Bomb("GIF with an image of 65,535 x 65,535 pixels", file(one, most), .refused(.tooManyPixels)),
      Bomb(
        "GIF, interlaced, of 10,000 x 10,000 pixels with the data of one",
        file(one, [0x10, 0x27, 0x10, 0x27], flags: 0x40), .refused(.corrupt)),
      Bomb(
        "GIF of a million frames", file(one, one) + Data((0..<1_000_000).lazy.flatMap { _ in frame }),
        .refused(.tooManyFrames), isAnimation: true),
    ]
  }

  // MARK: WebP

  private static func webPs() -> [Bomb] {
    func file(_ chunks: Data) -> Data {
      Data("RIFF".utf8) + little(UInt32(chunks.count + 4)) + Data("WEBP".utf8) + chunks
    }
    let canvas = Data("VP8X".utf8) + little(10) + Data([0, 0, 0, 0] + [UInt8](repeating: 255, count: 6))
    // RFC 9649, section 3.4: a signature, then 14 bits for each side less one.
    let lossless = Data("VP8L".utf8) + little(6) + Data([0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0])
    return [
      Bomb("WebP with a canvas of 16,777,216 x 16,777,216 pixels", file(canvas + lossless), .refused(.tooManyPixels)),
      Bomb("WebP, lossless, of 16,384 x 16,384 pixels without data", file(lossless), .refused(.tooManyPixels)),
    ]
  }

  // MARK: BMP

  private static func bmps() -> [Bomb] {
    func file(_ width: UInt32, _ height: UInt32, depth: UInt8, compression: UInt32 = 0, _ pixels: Data) -> Data {
      let header = little(40) + little(width) + little(height) + Data([1, 0, depth, 0]) + little(compression)
      return Data("BM".utf8) + little(0) + little(0) + little(54) + header + Data(count: 20) + pixels
    }
    let endlessRow = Data((0..<4_000_000).lazy.flatMap { _ in [UInt8(255), 1] })
    return [
      Bomb(
        "BMP of 2,147,483,647 x 2,147,483,647 pixels", file(0x7FFF_FFFF, 0x7FFF_FFFF, depth: 24, Data(count: 9)),
        .refused(.tooManyPixels)),
      Bomb(
        "BMP of run lengths, of 20,000 x 20,000 pixels", file(20_000, 20_000, depth: 8, compression: 1, Data([0, 1])),
        .refused(.tooManyPixels)),
      Bomb(
        "BMP whose runs make a row of a billion pixels", file(4, 4, depth: 8, compression: 1, endlessRow),
        .refused(.truncated)),
    ]
  }

  // MARK: Icons

  private static func icons(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    func file(_ count: Int, offset: Int, length: Int, _ pictures: Data = Data()) -> Data {
      let place = Data([16, 16, 0, 0, 1, 0, 32, 0]) + little(UInt32(length)) + little(UInt32(offset))
      return Data([0, 0, 1, 0, UInt8(count), 0]) + Data((0..<count).lazy.flatMap { _ in place }) + pictures
    }
    let inside = try fixture("bomb-50000.png")
    let icon = file(1, offset: 22, length: 22)
    return [
      Bomb("icon whose picture is the icon", file(1, offset: 0, length: 22), .refused(.corrupt)),
      Bomb("icon in an icon in an icon", file(1, offset: 22, length: 44, icon + icon), .refused(.corrupt)),
      Bomb(
        "icon of 255 times the same PNG of 50,000 x 50,000 pixels",
        file(255, offset: 6 + 255 * 16, length: inside.count, inside), .refused(.tooManyPixels)),
    ]
  }

  // MARK: HEIF

  private static func avifs(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    #if AVIF || canImport(Darwin)
      return try heifs("AVIF", fixture("avif-444.avif"), HEIFGrid(avif: fixture("avif-grid.avif")))
    #else
      return []
    #endif
  }

  private static func heics(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    #if HEIC || canImport(Darwin)
      return try heifs("HEIC", fixture("heic-444.heic"), HEIFGrid(heic: fixture("heic-cell.heic"))) + [
        Bomb(
          "HEIC of 46 x 38 pixels whose data are 16,384 x 16,384, cropped", try fixture("bomb-heic-cropped.heic"),
          .refused(.tooManyPixels)),
        Bomb(
          "HEIC of 46 x 38 pixels whose data are 16,384 x 16,384", try fixture("bomb-heic-larger.heic"),
          .refused(.corrupt)),
      ]
    #else
      return []
    #endif
  }

  private static func heifs(_ name: String, _ picture: Data, _ grid: HEIFGrid) -> [Bomb] {
    var large = picture
    if let extents = large.firstRange(of: Data("ispe".utf8)) {
      large.replaceSubrange(
        extents.upperBound + 4..<extents.upperBound + 12, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    }
    let description = picture.firstRange(of: Data("meta".utf8))?.lowerBound ?? 0
    return [
      Bomb("\(name) of 65,535 x 65,535 pixels", large, .refused(.tooManyPixels)),
      Bomb(
        "\(name) that claims a gigabyte of description",
        picture.prefix(description - 4) + Data([0x40, 0, 0, 0]) + Data("meta".utf8), .refused(.tooMuchMetadata)),
      Bomb("\(name) with a million properties", grid.file(side: 2, properties: 1_000_000), .shown),
      Bomb(
        "\(name) of 10,000 cells of which four are there", grid.file(side: 2, claimedSide: 100), .refused(.corrupt)),
      Bomb("\(name) of 10,000 cells", grid.file(side: 100), .refused(.tooManyCells)),
      Bomb("\(name) of 900 cells", grid.file(side: 30), .shown),
    ]
  }

  // MARK: TIFF

  private static func tiffs(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    #if TIFF
      func file(_ width: Int, _ height: Int, _ change: (inout TIFFFile) -> Void) -> Data {
        var file = TIFFFile(width: width, height: height, pixels: Data(repeating: 0x5A, count: 100))
        change(&file)
        return file.data
      }
      func tile(side: Int, compression: Int) -> Data {
        file(9, 9) {
          $0.fields[259] = .shorts([compression])
          ($0.fields[322], $0.fields[323]) = (.longs([side]), .longs([side]))
          ($0.fields[324], $0.fields[325]) = (.longs([8]), .longs([100]))
        }
      }
      let zeros =
        PNGChunks.split(try fixture("bomb-profile.png"), at: "iCCP").map { $0.1.dropFirst(11).dropLast(4) } ?? Data()
      var onePixel = TIFFFile(width: 1, height: 1, pixels: zeros)
      onePixel.fields[259] = .shorts([8])
      // A bit, set, for each row of nothing but white.
      var white = TIFFFile(width: 3_000, height: 3_000, pixels: Data(repeating: 0xFF, count: 375))
      (white.fields[258], white.fields[259], white.fields[262]) = (.shorts([1]), .shorts([4]), .shorts([0]))
      return [
        Bomb(
          "TIFF of 4,294,967,295 x 4,294,967,295 pixels", file(0xFFFF_FFFF, 0xFFFF_FFFF) { _ in },
          .refused(.tooManyPixels)),
        Bomb("TIFF with a tile of a gigabyte", tile(side: 32_768, compression: 1), .refused(.truncated)),
        Bomb("TIFF with a tile of a gigabyte in 100 bytes", tile(side: 32_768, compression: 8), .refused(.corrupt)),
        Bomb(
          "TIFF with a tile of a gigabyte that could be in 100 bytes", tile(side: 32_768, compression: 50_000),
          .refused(.tooMuchMemory)),
        Bomb(
          "TIFF of a million strips, each of them the same bytes",
          file(1, 1_000_000) {
            $0.fields[278] = .shorts([1])
            ($0.fields[273], $0.fields[279]) = (.longs(Array(repeating: 8, count: 1_000_000)), nil)
          }, .refused(.tooMuchMetadata)),
        Bomb(
          "TIFF of half a million strips, each of them the same bytes",
          file(1, 500_000) {
            $0.fields[278] = .shorts([1])
            ($0.fields[273], $0.fields[279]) = (.longs(Array(repeating: 8, count: 500_000)), nil)
          }, .shown),
        Bomb(
          "TIFF of 65,535 samples a pixel",
          file(100, 100) { $0.fields[277] = .shorts([65_535]) }, .refused(.truncated)),
        Bomb("TIFF of a pixel whose strip unpacks to 200 MB", onePixel.data, .shown),
        Bomb("TIFF of nine million pixels in 375 bytes", white.data, .shown),
      ]
    #else
      return []
    #endif
  }

  // MARK: JPEG XL

  private static func jxls(_ fixture: (String) throws -> Data) throws -> [Bomb] {
    #if JXL
      let picture = try fixture("jxl-rgb.jxl")
      func box(_ type: String, _ content: Data) -> Data {
        PNGChunks.bigEndian(UInt32(content.count + 8)) + Data(type.utf8) + content
      }
      let signature = box("JXL ", Data([0x0D, 0x0A, 0x87, 0x0A])) + box("ftyp", Data("jxl \0\0\0\0jxl ".utf8))
      let emptyPart = box("jxlp", Data(count: 4))
      // Headers with nothing but a size, and frames of pixels that are predicted: `Fixtures/jxl_writer.py`.
      let (of40x30, of4000x4000, of8000x8000): ([UInt8], [UInt8], [UInt8]) = (
        [0xFF, 0x0A, 0xE8, 0x00, 0x4E, 0x0C], [0xFF, 0x0A, 0xFA, 0x7C, 0xE8, 0xF3, 0x0D],
        [0xFF, 0x0A, 0xFA, 0xF9, 0xE8, 0xE7, 0x0F]
      )
      let largest: [UInt8] = [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0xF1, 0xFF, 0xFF, 0xFF, 0x3F]
      let hiddenFrame: [UInt8] = [0x0C, 0x1F, 0x88, 0x58, 0, 0x18, 0x88, 0x58, 0, 0x08, 0x01, 0x04, 0, 0]
      let layer: [UInt8] = [0x08, 0x03, 0x21, 0, 0x04] + [UInt8](repeating: 0, count: 29)
      let profile: [UInt8] = [0xFF, 0x0A, 0xE8, 0, 0x4E, 0x80, 0x14, 0x0E, 0, 0x01, 0x02, 0x24, 0]
      let extended: [UInt8] = [
        0xFF, 0x0A, 0xE8, 0, 0x4E, 0x80, 0x1C, 0x0C, 0, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x04,
      ]
      // A header of 4,096 channels, 1,000 x 1,000, and a frame that is in everything as by default.
      let channels: [UInt8] =
        [0xFF, 0x0A, 0x3A, 0x1F, 0xE8, 0x7C, 0x80] + [UInt8](repeating: 0xFF, count: 514) + [0x04, 0x01]
        + [UInt8](repeating: 0, count: 29)
      return [
        Bomb("JPEG XL of 1,073,741,824 x 1,073,741,824 pixels", Data(largest), .refused(.tooManyPixels)),
        Bomb(
          "JPEG XL of 40 x 30 pixels with a hidden frame of 200,000 x 200,000", Data(of40x30 + hiddenFrame),
          .refused(.tooManyPixels)),
        Bomb(
          "JPEG XL of 64 million pixels that are predicted", Data(of8000x8000 + layer) + Data(count: 72),
          .refused(.tooMuchMemory)),
        Bomb(
          "JPEG XL of 16 million pixels in 20,000 layers",
          Data(of4000x4000) + Data((0..<20_000).lazy.flatMap { _ in layer }), .refused(.tooManyFrames)),
        Bomb("JPEG XL of 4,096 channels", Data(channels), .refused(.tooMuchMemory)),
        Bomb("JPEG XL with a profile of a gigabyte", Data(profile), .refused(.tooMuchMetadata)),
        Bomb("JPEG XL with an extension of an exabyte", Data(extended), .refused(.truncated)),
        Bomb(
          "JPEG XL behind 300,000 boxes with nothing in them",
          signature + Data((0..<300_000).lazy.flatMap { _ in box("free", Data()) }) + box("jxlc", picture), .shown),
        Bomb(
          "JPEG XL in 300,000 parts",
          signature + Data((0..<300_000).lazy.flatMap { _ in emptyPart })
            + box("jxlp", Data([0x80, 0, 0, 0]) + picture), .shown),
      ]
    #else
      return []
    #endif
  }

  // MARK: Others

  private static func others() -> [Bomb] {
    let levels = (1...20).map { level in
      "<g id=\"l\(level)\"><use href=\"#l\(level - 1)\"/><use href=\"#l\(level - 1)\"/></g>"
    }
    let entities = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let opening = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\">"
    let drawings = [
      ("uses within uses", "\(opening)<defs><rect id=\"l0\"/>\(levels.joined())</defs><use href=\"#l20\"/></svg>"),
      (
        "entities within entities",
        "<!DOCTYPE svg [<!ENTITY l0 \"ha\">\(entities.joined())]>\(opening)<text>&l9;</text></svg>"
      ),
      (
        "100,000 groups, each within another",
        opening + String(repeating: "<g>", count: 100_000) + String(repeating: "</g>", count: 100_000) + "</svg>"
      ),
    ]
    return drawings.map { Bomb("SVG of \($0)", Data($1.utf8), .refused(drawingCode)) }
  }

  #if SVG && !canImport(Darwin)
    private static let drawingCode = CodecError.Code.corrupt
  #else
    private static let drawingCode = CodecError.Code.unsupportedFormat
  #endif

  static func little(_ value: UInt32) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
}

/// A picture of equal cells (ISO/IEC 23008-12, section 6.6.2.3), made of one cell of another file that all of them are.
private struct HEIFGrid {
  private static let cellSide = 64
  private let fileType: Data
  private let kind: String
  private let codecConfiguration: Data
  private let cell: Data

  /// - Parameter file: a grid of cells of 64x64, with its data at the end.
  init(avif file: Data) {
    fileType = file.prefix(32)
    kind = "av01"
    let configuration = file.firstRange(of: Data("av1C".utf8))?.lowerBound ?? 4
    codecConfiguration = file.dropFirst(configuration - 4).prefix(12)
    // Behind the description of the grid, of eight bytes.
    let data = file.firstRange(of: Data("mdat".utf8))?.upperBound ?? 0
    cell = file.dropFirst(data + 8)
  }

  /// - Parameter file: a picture of 64x64, with its data at the end.
  init(heic file: Data) {
    fileType = file.prefix(Int(file[3]))
    kind = "hvc1"
    let configuration = file.firstRange(of: Data("hvcC".utf8))?.lowerBound ?? 4
    codecConfiguration = file.dropFirst(configuration - 4).prefix(Int(file[configuration - 1]))
    let data = file.firstRange(of: Data("mdat".utf8))?.upperBound ?? 0
    cell = file.dropFirst(data)
  }

  /// - Parameters:
  ///   - side: cells across and down that are there.
  ///   - claimedSide: those that the grid is said to have.
  ///   - properties: how many there are more, of which nothing depends.
  func file(side: Int, claimedSide: Int? = nil, properties: Int = 0) -> Data {
    let cells = 2..<2 + side * side
    let size = (claimedSide ?? side) * Self.cellSide
    let grid =
      Data([0, 0, UInt8((claimedSide ?? side) - 1), UInt8((claimedSide ?? side) - 1)]) + big16(size) + big16(size)
    func meta(dataOffset: Int) -> Data {
      let item = full("infe", 2, big16(1) + big16(0) + Data("grid".utf8) + [0])
      let items = cells.map { full("infe", 2, big16($0) + big16(0) + Data(kind.utf8) + [0]) }
      let places = [place(1, dataOffset, grid.count)] + cells.map { place($0, dataOffset + grid.count, cell.count) }
      let references = box("dimg", big16(1) + big16(cells.count) + joined(cells.map(big16)))
      let known =
        box("ispe", Data(count: 4) + big32(size) + big32(size)) + codecConfiguration
        + box("ispe", Data(count: 4) + big32(Self.cellSide) + big32(Self.cellSide))
      let more = Data((0..<properties).lazy.flatMap { _ in [0, 0, 0, 8] + Array("free".utf8) })
      let uses = big32(1 + cells.count) + big16(1) + [1, 1] + joined(cells.map { big16($0) + [2, 3, 0x82] })
      return full(
        "meta", 0,
        full("hdlr", 0, Data(count: 4) + Data("pict".utf8) + Data(count: 13)) + full("pitm", 0, big16(1))
          + full("iloc", 0, Data([0x44, 0]) + big16(1 + cells.count) + joined(places))
          + full("iinf", 0, big16(1 + cells.count) + item + joined(items)) + full("iref", 0, references)
          + box("iprp", box("ipco", known + more) + full("ipma", 0, uses)))
    }
    let length = fileType.count + meta(dataOffset: 0).count
    return fileType + meta(dataOffset: length + 8) + box("mdat", grid + cell)
  }

  /// An item's one piece of data.
  private func place(_ item: Int, _ offset: Int, _ count: Int) -> Data {
    big16(item) + big16(0) + big16(1) + big32(offset) + big32(count)
  }

  private func box(_ type: String, _ content: Data) -> Data { big32(8 + content.count) + Data(type.utf8) + content }

  private func full(_ type: String, _ version: UInt8, _ content: Data) -> Data {
    box(type, Data([version, 0, 0, 0]) + content)
  }

  private func joined(_ parts: [Data]) -> Data { parts.reduce(into: Data()) { $0.append($1) } }
  private func big16(_ value: Int) -> Data { Data([UInt8(value >> 8 & 255), UInt8(value & 255)]) }
  private func big32(_ value: Int) -> Data { PNGChunks.bigEndian(UInt32(value)) }
}

extension Data {
  fileprivate func ranges(of pattern: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = startIndex
    while let found = self[start...].firstRange(of: Data(pattern)) {
      ranges.append(found)
      start = found.upperBound
    }
    return ranges
  }
}
