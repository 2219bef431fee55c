import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("ICO and CUR")
struct ICOTests {
  /// One colour, as the PNG inside an icon.
  private func png(_ side: Int, _ red: UInt8) throws -> Data {
    let bitmap = Bitmap(size: PixelSize(width: side, height: side), isOpaque: true) { bytes in
      for at in bytes.indices { bytes[at] = at % 4 == 0 ? red : at % 4 == 3 ? 255 : 0 }
    }
    return try ImageEncoder.png(bitmap)
  }

  /// An icon of pictures, each with the side that the directory says, and with places of its own where asked for.
  private func icon(_ pictures: [(side: Int, data: Data)], offset: Int? = nil, length: Int? = nil) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    var directory: [UInt8] = [0, 0, 1, 0] + bytes(UInt16(pictures.count))
    var data = Data()
    for picture in pictures {
      let side = UInt8(truncatingIfNeeded: picture.side)
      let place = offset ?? 6 + 16 * pictures.count + data.count
      directory += [side, side, 0, 0, 1, 0, 32, 0]
      directory += bytes(UInt32(length ?? picture.data.count)) + bytes(UInt32(place))
      data += picture.data
    }
    return directory + data
  }

  @Test(
    "the smallest picture that need not be enlarged is decoded",
    arguments: [(8, 10), (16, 10), (17, 20), (32, 20), (33, 30), (48, 30), (500, 40)])
  func selection(box: Int, red: UInt8) throws {
    let data = icon([(32, try png(32, 20)), (256, try png(300, 40)), (16, try png(16, 10)), (48, try png(48, 30))])
    let image = try ImageDecoder().decode(data, target: .box(PixelSize(width: box, height: box), .fit))
    #expect(image.info.size == PixelSize(width: 300, height: 300))
    #expect(image.bitmap.size == PixelSize(width: min(box, 300), height: min(box, 300)))
    #expect(image.bitmap[3, 3].red == red)
  }

  @Test("a picture of another size than the directory's is passed over for the largest")
  func lies() throws {
    let data = icon([(64, try png(64, 50)), (32, try png(8, 10))])
    let image = try ImageDecoder().decode(data, target: .box(PixelSize(width: 30, height: 30), .fit))
    #expect(image.bitmap[3, 3].red == 50)
  }

  @Test("pictures may overlap, and may all be one")
  func overlap() throws {
    let data = icon([(16, try png(16, 70)), (16, Data()), (16, Data())], offset: 54, length: try png(16, 70).count)
    #expect(try ImageDecoder().decode(data).bitmap[0, 0].red == 70)
  }

  @Test("a directory that points at itself, or at nothing, is damage", arguments: [0, 6, 22])
  func loops(offset: Int) throws {
    let data = icon([(16, try png(16, 1))], offset: offset, length: 20)
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test("an icon inside an icon is damage")
  func nested() throws {
    let data = icon([(16, icon([(16, try png(16, 1))]))])
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test("pictures behind the end are truncation, and none at all is damage")
  func missing() throws {
    let far = icon([(16, try png(16, 1))], offset: 0x7FFF_FFFF, length: 0x7FFF_FFFF)
    #expect(codecError { _ = try ImageDecoder().decode(far) }?.code == .truncated)
    #expect(codecError { _ = try ImageDecoder().decode(Data([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])) }?.code == .corrupt)
    let second = icon([(16, try png(16, 1)), (32, try png(32, 1))]).dropLast()
    let small = DecodeTarget.box(PixelSize(width: 16, height: 16), .fit)
    #expect(codecError { _ = try ImageDecoder().decode(second, target: small) }?.code == .truncated)
  }

  @Test("where the best picture is cut another of its shape is shown, marked")
  func another() throws {
    let data = icon([(32, try png(32, 20)), (16, try png(16, 10))])
    let small = DecodeTarget.box(PixelSize(width: 16, height: 16), .fit)
    #expect(try ImageDecoder().decode(data, target: small).bitmap[0, 0].red == 10)
    let image = try ImageDecoder(damage: .lenient).decode(data.dropLast(30), target: small)
    #expect(image.isPartial && image.bitmap[0, 0].red == 20 && image.bitmap[15, 15].red == 20)
  }

  @Test("a picture that its length in the directory cuts is damage", arguments: [0, 3, 30, 60])
  func cutPicture(length: Int) throws {
    let data = icon([(16, try png(16, 1))], length: length)
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .corrupt)
  }

  @Test(
    "a picture of billions of pixels inside is refused",
    arguments: [DecodeTarget.full, .box(.init(width: 16, height: 16), .fit)])
  func bomb(target: DecodeTarget) throws {
    let inside = try Files.fixture("bomb-50000.png")
    for data in [icon([(16, inside)]), icon([(48, inside), (16, try png(16, 1))])] {
      #expect(codecError { _ = try ImageDecoder().decode(data, target: target) }?.code == .tooManyPixels)
    }
  }
}
