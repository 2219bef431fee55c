import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Limits")
struct LimitTests {
  private let box = DecodeTarget.box(PixelSize(width: 40, height: 30), .fit)

  @Test(
    "a header that claims billions of pixels fails at once",
    arguments: ["bomb-50000.png", "bomb-65500-baseline.jpg", "bomb-65500-progressive.jpg"])
  func hugeHeader(file: String) throws {
    let data = try Files.fixture(file)
    for target in [DecodeTarget.full, box] {
      let error = codecError { _ = try ImageDecoder().decode(data, target: target) }
      #expect(error?.code == .tooManyPixels)
    }
    #expect(try ImageDecoder().probe(data) != nil)
  }

  @Test("a progressive JPEG with hundreds of scans is refused")
  func tooManyScans() throws {
    let data = try Files.fixture("bomb-scans.jpg")
    #expect(codecError { _ = try ImageDecoder().decode(data) }?.code == .tooManyScans)
    var limits = DecodeLimits()
    limits.maximumScans = 2000
    let bitmap = try ImageDecoder(limits: limits).decode(data).bitmap
    #expect(try bitmap.bytes == ImageDecoder().decode(Files.fixture("progressive.jpg")).bitmap.bytes)
  }

  @Test("a colour profile that unpacks to 200 MB is passed over")
  func profileBomb() throws {
    let bitmap = try ImageDecoder().decode(Files.fixture("bomb-profile.png")).bitmap
    #expect(try ExpectedPixels("rgb8-png.rgba").psnr(bitmap) == Fixture.exact)
  }

  @Test("a text chunk of many megabytes is passed over")
  func largeChunk() throws {
    let (before, chunk, after) = try #require(PNGChunks.split(Files.fixture("rgb8.png"), at: "IDAT"))
    let text = Data([0, 0x80, 0, 0]) + Data("tEXt".utf8) + Data(count: 0x80_0000) + Data(count: 4)
    let bitmap = try ImageDecoder().decode(before + text + chunk + after).bitmap
    #expect(try ExpectedPixels("rgb8-png.rgba").psnr(bitmap) == Fixture.exact)
  }

  @Test(
    "too large a source for full size still decodes into a box",
    arguments: ["rgb8.png", "420.jpg", "lossy.webp", "plain.gif", "rgb24.bmp"])
  func fullLimit(file: String) throws {
    var limits = DecodeLimits()
    limits.maximumFullPixels = 800
    let decoder = ImageDecoder(limits: limits)
    let data = try Files.fixture(file)
    #expect(codecError { _ = try decoder.decode(data) }?.code == .tooManyPixels)
    let small = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
    #expect(try decoder.decode(data, target: small).bitmap.size == PixelSize(width: 5, height: 3))
  }

  @Test(
    "a picture that must be held whole is bound by the full size at every target",
    arguments: [
      "rgb8-interlaced.png", "progressive.jpg", "lossless.webp", "lossy-alpha.webp", "interlaced.gif", "rle8.bmp",
    ])
  func heldWhole(file: String) throws {
    var limits = DecodeLimits()
    limits.maximumFullPixels = 800
    let data = try Files.fixture(file)
    let target = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
    let error = codecError { _ = try ImageDecoder(limits: limits).decode(data, target: target) }
    #expect(error?.code == .tooManyPixels)
  }

  @Test(
    "a picture whose time is over ends, whatever its format",
    arguments: [
      "rgb8.png", "rgb8-interlaced.png", "420.jpg", "progressive.jpg", "lossy.webp", "lossless.webp", "plain.gif",
      "rgb24.bmp",
    ])
  func time(file: String) throws {
    var limits = DecodeLimits()
    limits.maximumSeconds = 0
    let data = try Files.fixture(file)
    let decoder = ImageDecoder(limits: limits)
    #expect(codecError { _ = try decoder.decode(data) }?.code == .timedOut)
    let small = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
    #expect(codecError { _ = try decoder.decode(data, target: small) }?.code == .timedOut)
    #expect(throws: CancellationError.self) { try decoder.decode(data) { true } }
  }

  #if HEIC || canImport(Darwin)
    @Test("a HEIC whose time is over ends")
    func heicTime() throws {
      var limits = DecodeLimits()
      limits.maximumSeconds = 0
      let data = try Files.fixture("heic-grid.heic")
      #expect(codecError { _ = try ImageDecoder(limits: limits).decode(data) }?.code == .timedOut)
    }
  #endif

  @Test("frames have their time too")
  func frameTime() throws {
    var limits = DecodeLimits()
    limits.maximumSeconds = 0
    let decoder = try AnimationDecoder(Files.fixture("color-animated.webp"), limits: limits)
    #expect(codecError { _ = try decoder.frame(at: 1) }?.code == .timedOut)
  }

  @Test("a file longer than the limit is not looked at")
  func length() throws {
    let data = try Files.fixture("rgb8.png")
    var limits = DecodeLimits()
    limits.maximumEncodedBytes = data.count
    #expect(throws: Never.self) { try ImageDecoder(limits: limits).decode(data) }
    limits.maximumEncodedBytes -= 1
    #expect(codecError { _ = try ImageDecoder(limits: limits).decode(data) }?.code == .tooLarge)
    #expect(codecError { _ = try AnimationDecoder(data, limits: limits) }?.code == .tooLarge)
  }

  @Test("a limit is the number still allowed")
  func boundary() throws {
    let data = try Files.fixture("rgb8.png")
    #expect(throws: Never.self) { try ImageDecoder(limits: DecodeLimits(maximumSourcePixels: 37 * 23)).decode(data) }
    let error = codecError {
      _ = try ImageDecoder(limits: DecodeLimits(maximumSourcePixels: 37 * 23 - 1)).decode(data)
    }
    #expect(error?.code == .tooManyPixels)
  }
}
