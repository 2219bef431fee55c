import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Headers of TIFF")
struct TIFFHeaderTests {
  /// A directory in each byte order and of each size of offsets.
  enum Form: String, CaseIterable, Sendable {
    case littleEndian, bigEndian, bigLittleEndian, bigBigEndian

    func file(width: Int = 37, height: Int = 23, pixels: Data = Data(count: 37 * 23)) -> TIFFFile {
      var file = TIFFFile(
        width: width, height: height, isBig: self == .bigLittleEndian || self == .bigBigEndian, pixels: pixels)
      file.isBigEndian = self == .bigEndian || self == .bigBigEndian
      return file
    }
  }

  private func info(_ file: TIFFFile) throws -> ImageInfo? { try ImageDecoder().probe(file.data) }

  @Test("size, depth and orientation are read in every byte order", arguments: Form.allCases)
  func fields(form: Form) throws {
    var file = form.file()
    file.fields[258] = .shorts([16])
    file.fields[274] = .shorts([6])
    let info = try #require(try info(file))
    #expect(info.format == .tiff)
    #expect(info.storedSize == PixelSize(width: 37, height: 23))
    #expect(info.orientation == .right)
    #expect(info.bitDepth == 16)
    #expect(info.colorModel == .grey)
    #expect(info.colorSpace == .untagged)
    #expect(!info.hasAlpha && !info.isAnimated)
  }

  @Test("until the whole directory and its values are there, more bytes are needed", arguments: Form.allCases)
  func waits(form: Form) throws {
    var file = form.file()
    file.fields[258] = .shorts([5, 6, 5, 6, 5])
    file.fields[277] = .shorts([5])
    let data = file.data
    for count in 4..<data.count { #expect(try ImageDecoder().probe(data.prefix(count)) == nil, "\(count)") }
    #expect(try ImageDecoder().probe(data)?.bitDepth == 6)
    #expect(codecError { _ = try ImageDecoder().decode(data.dropLast()) }?.code == .truncated)
  }

  @Test(
    "the colour model follows the photometric interpretation",
    arguments: [
      (0, ColorModel.grey), (1, .grey), (2, .rgb), (3, .indexed), (4, .grey), (5, .cmyk), (6, .rgb), (8, .rgb),
      (77, .rgb),
    ])
  func model(photometric: Int, model: ColorModel) throws {
    var file = Form.littleEndian.file()
    file.fields[262] = .shorts([photometric])
    let info = try #require(try info(file))
    #expect(info.colorModel == model)
    #expect(info.bitDepth == (model == .indexed ? 16 : 8))
  }

  @Test(
    "alpha is an extra sample that says so",
    arguments: [([1], true), ([2], true), ([0], false), ([0, 2], true), ([], false), ([2, 2, 2], false)])
  func alpha(extra: [Int], hasAlpha: Bool) throws {
    var file = Form.bigEndian.file()
    file.fields[262] = .shorts([2])
    file.fields[277] = .shorts([5])
    file.fields[338] = extra.isEmpty ? nil : .shorts(extra)
    #expect(try info(file)?.hasAlpha == hasAlpha)
  }

  @Test("a profile is named by its own description")
  func profile() throws {
    let description = Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 5] + Array("Wide\0".utf8)
    let tag = Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, 17]
    let content: [UInt8] = [0, 0, 0, 1] + tag + description
    let profile = Data(count: 128) + Data(content)
    var file = Form.littleEndian.file()
    file.fields[34675] = .raw(kind: 7, count: profile.count, profile)
    #expect(try info(file)?.colorSpace == .profile(name: "Wide"))
    file.fields[34675] = .raw(kind: 7, count: 3, Data([1, 2, 3]))
    #expect(try info(file)?.colorSpace == .profile(name: nil))
  }

  @Test("of a tag that is there twice the first counts, and one of an unknown kind does not")
  func ambiguous() throws {
    var file = Form.littleEndian.file()
    file.fields[274] = .shorts([6])
    file.fields[275] = .shorts([3])
    var data = file.data
    let entry = try #require(data.firstRange(of: Data([0x13, 1, 3, 0])))
    data[entry.lowerBound] = 0x12
    #expect(try ImageDecoder().probe(data)?.orientation == .right)
    file.fields[275] = nil
    file.fields[274] = .raw(kind: 99, count: 1, Data([6, 0]))
    #expect(try info(file)?.orientation == .up)
    file.fields[274] = .shorts([9])
    #expect(try info(file)?.orientation == .up)
  }

  @Test("a directory that cannot be is damage")
  func damage() throws {
    func code(_ change: (inout TIFFFile) -> Void) -> CodecError.Code? {
      var file = Form.littleEndian.file()
      change(&file)
      return codecError { _ = try ImageDecoder().probe(file.data) }?.code
    }
    #expect(code { $0.fields[256] = .longs([0]) } == .corrupt)
    #expect(code { $0.fields[257] = nil } == .corrupt)
    #expect(code { $0.fields[256] = .raw(kind: 2, count: 2, Data([65, 0])) } == .corrupt)
    #expect(code { $0.fields[256] = .longs([]) } == .corrupt)
    #expect(code { $0.fields[258] = .shorts([0]) } == .corrupt)
    #expect(code { $0.fields[258] = .shorts([65]) } == .corrupt)
    #expect(code { $0.fields[277] = .shorts([0]) } == .corrupt)
    #expect(code { file in for tag in 1_000..<2_100 { file.fields[tag] = .shorts([1]) } } == .corrupt)
    for start in UInt8(0)..<8 {
      let data = Data("II*\0".utf8) + [start, 0, 0, 0] + Data(count: 100)
      #expect(codecError { _ = try ImageDecoder().probe(data) }?.code == .corrupt)
    }
    let empty = Data("MM\0*".utf8) + [0, 0, 0, 8, 0, 0] + Data(count: 100)
    #expect(codecError { _ = try ImageDecoder().probe(empty) }?.code == .corrupt)
    let offsets = Data("II+\0".utf8) + [4, 0, 0, 0] + Data(count: 100)
    #expect(codecError { _ = try ImageDecoder().probe(offsets) }?.code == .corrupt)
  }

  @Test("numbers beyond every length neither trap nor are waited for in memory", arguments: [false, true])
  func huge(isBigEndian: Bool) throws {
    var file = TIFFFile(width: 9, height: 9, isBig: true)
    file.isBigEndian = isBigEndian
    file.fields[256] = .longs8([-1])
    #expect(codecError { _ = try ImageDecoder().probe(file.data) }?.code == .corrupt)
    file.fields[256] = .longs([9])
    for count in [1 << 40, 1 << 61, -1] {
      // Too long for its place, so that the place is an offset.
      file.fields[258] = .raw(kind: 3, count: count, Data(repeating: 255, count: 8))
      var info: ImageInfo?
      let error = codecError { info = try ImageDecoder().probe(file.data) }
      #expect(info == nil)
      #expect(error == nil || error?.code == .corrupt)
    }
    let directory = Data([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    let claimed = Data("II+\0".utf8) + [8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0] + directory
    #expect(codecError { _ = try ImageDecoder().probe(claimed) }?.code == .tooMuchMetadata)
    #expect(try ImageDecoder().probe(Data("II+\0".utf8) + [8, 0, 0, 0] + directory) == nil)
  }

  @Test("fields count as metadata")
  func metadata() throws {
    var limits = DecodeLimits()
    let data = Form.littleEndian.file().data
    limits.maximumMetadataBytes = 9 * 12
    #expect(try ImageDecoder(limits: limits).probe(data) != nil)
    limits.maximumMetadataBytes -= 1
    #expect(codecError { _ = try ImageDecoder(limits: limits).probe(data) }?.code == .tooMuchMetadata)
  }

  #if !TIFF && !canImport(Darwin)
    @Test("without the trait the error says how to get a decoder")
    func leftOut() {
      let error = codecError { _ = try ImageDecoder().decode(Form.littleEndian.file().data) }
      #expect(error?.code == .unsupportedFormat)
      #expect(error?.message.contains("trait TIFF") == true)
    }
  #endif
}
