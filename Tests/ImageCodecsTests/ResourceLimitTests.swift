import Foundation
import ImageCodecs
import Pixels
import Testing

/// What a decode may take beside the file and the result. Sizes are those of the fixtures: 37x23, AVIF 45x38.
@Suite("Limits of sides, metadata and working memory")
struct ResourceLimitTests {
  private static let targets = [DecodeTarget.full, .box(PixelSize(width: 5, height: 5), .fit)]

  private func code(
    _ data: Data, _ target: DecodeTarget = .full, change: (inout DecodeLimits) -> Void
  ) -> CodecError.Code? {
    var limits = DecodeLimits()
    change(&limits)
    return codecError { _ = try ImageDecoder(limits: limits).decode(data, target: target) }?.code
  }

  // MARK: Sides

  @Test(
    "a side longer than the limit is refused at every target, and one as long is not",
    arguments: ["rgb8.png", "420.jpg", "lossy.webp", "plain.gif", "rgb24.bmp", "mask24.ico"], targets)
  func side(file: String, target: DecodeTarget) throws {
    let data = try Files.fixture(file)
    let size = try #require(try ImageDecoder().probe(data)).storedSize
    let longest = max(size.width, size.height)
    #expect(code(data, target) { $0.maximumSide = longest } == nil)
    #expect(code(data, target) { $0.maximumSide = longest - 1 } == .tooManyPixels)
  }

  @Test("no limit allows sides beyond a million")
  func longestSide() throws {
    let data = Data([0, 0, 0, 9]) + Data("IDAT".utf8)
    let long = PNGChunks.header(width: 1_000_001, height: 1) + data
    #expect(code(long, Self.targets[1]) { $0.maximumSide = .max } == .tooManyPixels)
    let longest = PNGChunks.header(width: 1_000_000, height: 1) + data
    #expect(code(longest, Self.targets[1]) { $0.maximumSide = .max } == .truncated)
  }

  // MARK: Working memory

  @Test(
    "a picture that comes row by row takes no memory that counts",
    arguments: ["rgb8.png", "420.jpg", "lossy.webp", "plain.gif", "rgb24.bmp", "mask24.ico"])
  func streaming(file: String) throws {
    #expect(code(try Files.fixture(file)) { $0.maximumWorkingBytes = 0 } == nil)
  }

  #if canImport(Darwin)
    static let held = [("interlaced.gif", 37 * 23), ("rle8.bmp", 37 * 23)]
  #else
    static let held = [
      ("interlaced.gif", 37 * 23), ("rle8.bmp", 37 * 23), ("rgb8-interlaced.png", 37 * 23 * 4),
      // Lossless pixels once more inside libwebp when they are not scaled, twice when they are.
      ("lossless.webp", 37 * 23 * 4),
      // Blocks of 64 coefficients of two bytes: 5x3 of luminance, 3x2 of each chroma.
      ("progressive.jpg", (5 * 3 + 2 * 3 * 2) * 128), ("grey-progressive.jpg", 5 * 3 * 128),
    ]
  #endif

  @Test("a picture that is held while it is decoded takes what its header says, and no less is enough", arguments: held)
  func heldBytes(file: String, bytes: Int) throws {
    let data = try Files.fixture(file)
    #expect(code(data) { $0.maximumWorkingBytes = bytes } == nil)
    for target in Self.targets {
      #expect(code(data, target) { $0.maximumWorkingBytes = bytes - 1 } == .tooMuchMemory)
    }
  }

  #if AVIF && !canImport(Darwin)
    @Test(
      "the planes of an AVIF count twice, two bytes a sample where there are more than eight bits",
      arguments: [("avif-420.avif", 6), ("avif-grey.avif", 2), ("avif-alpha.avif", 8), ("avif-alpha-depth10.avif", 16)])
    func planes(file: String, bytesPerPixel: Int) throws {
      let data = try Files.fixture(file)
      let bytes = 45 * 38 * bytesPerPixel
      #expect(code(data) { $0.maximumWorkingBytes = bytes } == nil)
      #expect(code(data) { $0.maximumWorkingBytes = bytes - 1 } == .tooMuchMemory)
    }
  #endif

  #if HEIC && !canImport(Darwin)
    @Test(
      "a HEIC's planes count once held and twice while a cell is decoded, beside two bytes a pixel",
      arguments: [
        // Of 46x38 pixels, coded as 48x40 in blocks of eight.
        ("heic-420.heic", 46 * 38 * 3 / 2 + 48 * 40 * (3 + 2)), ("heic-400.heic", 46 * 38 + 48 * 40 * (2 + 2)),
        ("heic-444-depth10.heic", 46 * 38 * 6 + 48 * 40 * (12 + 2)),
        ("heic-422-alpha.heic", 46 * 38 * 3 + 48 * 40 * (4 + 2)),
        // Two rows of three cells of 64x64 each.
        ("heic-grid.heic", 64 * 64 * 6 * 3 / 2 + 64 * 64 * (3 + 2)),
        ("heic-grid-alpha.heic", 64 * 64 * 6 * 5 / 2 + 64 * 64 * (3 + 2)),
      ])
    func heicSamples(file: String, bytes: Int) throws {
      let data = try Files.fixture(file)
      #expect(code(data) { $0.maximumWorkingBytes = bytes } == nil)
      for target in Self.targets {
        #expect(code(data, target) { $0.maximumWorkingBytes = bytes - 1 } == .tooMuchMemory)
      }
    }
  #endif

  #if JXL && !canImport(Darwin)
    /// Of 45x38; rows of four bytes a sample take 384 with what is between them, and the result is held, too.
    @Test(
      "the samples of a JPEG XL count by how they are stored",
      arguments: [
        ("jxl-rgb.jxl", 8), ("jxl-grey.jxl", 3), ("jxl-rgba.jxl", 8 + 3), ("jxl-lossy.jxl", 1),
        ("jxl-lossy-alpha.jxl", 1 + 3 + 2 * 4),
      ])
    func samples(file: String, channels: Int) throws {
      let data = try Files.fixture(file)
      let bytes = 384 * 38 * channels + 45 * 38 * 4
      #expect(code(data) { $0.maximumWorkingBytes = bytes } == nil)
      for target in Self.targets {
        #expect(code(data, target) { $0.maximumWorkingBytes = bytes - 1 } == .tooMuchMemory)
      }
    }
  #endif

  @Test(
    "an animation takes its canvas, what is under a frame, and a frame",
    arguments: ["animated-keep.gif", "animated-keep-over.png", "animated-keep-over.webp"])
  func canvas(file: String) throws {
    let data = try Files.fixture(file)
    let area = try #require(try ImageDecoder().probe(data)).storedSize.area
    var limits = DecodeLimits()
    limits.maximumWorkingBytes = area * 12
    #expect(throws: Never.self) { try AnimationDecoder(data, limits: limits).frame(at: 1) }
    limits.maximumWorkingBytes -= 1
    #expect(codecError { _ = try AnimationDecoder(data, limits: limits) }?.code == .tooMuchMemory)
  }

  #if !canImport(Darwin)
    @Test(
      "previews are bound by the same memory", arguments: ["progressive.jpg", "rgb8-interlaced.png", "lossless.webp"])
    func previews(file: String) throws {
      var limits = DecodeLimits()
      limits.maximumWorkingBytes = 1_000
      let decoder = ProgressiveDecoder(limits: limits)
      #expect(codecError { _ = try decoder.append(try Files.fixture(file)) }?.code == .tooMuchMemory)
    }
  #endif

  // MARK: Metadata

  private static let described: [String] = {
    var files = ["orientation6.jpg", "orientation6.png", "orientation6.webp"]
    #if AVIF || canImport(Darwin)
      files.append("avif-orientation6.avif")
    #endif
    #if TIFF || canImport(Darwin)
      files.append("tiff-orientation6.tiff")
    #endif
    return files
  }()

  @Test("metadata that are read count, and more than the limit are refused before the picture is", arguments: described)
  func metadata(file: String) throws {
    let data = try Files.fixture(file)
    #expect(code(data) { $0.maximumMetadataBytes = 1_000 } == nil)
    #expect(code(data) { $0.maximumMetadataBytes = 10 } == .tooMuchMetadata)
    var limits = DecodeLimits()
    limits.maximumMetadataBytes = 10
    #expect(codecError { _ = try ImageDecoder(limits: limits).probe(data) }?.code == .tooMuchMetadata)
    #expect(codecError { _ = try AnimationDecoder(data, limits: limits) }?.code == .tooMuchMetadata)
    #expect(codecError { _ = try ProgressiveDecoder(limits: limits).append(data) }?.code == .tooMuchMetadata)
  }

  @Test("text is passed over and does not count", arguments: ["tEXt", "zTXt", "iTXt", "abCd"])
  func text(kind: String) throws {
    let chunk = PNGChunks.chunk(kind, Data(count: 100_000))
    let data = PNGChunks.inserting(chunk, before: "IDAT", in: try Files.fixture("rgb8.png"))
    #expect(code(data) { $0.maximumMetadataBytes = 0 } == nil)
  }

  @Test("a file that claims more metadata than the limit is refused before they are there")
  func claimed() throws {
    let exif = PNGChunks.header(width: 9, height: 9) + Data([0x40, 0, 0, 0]) + Data("eXIf".utf8)
    #expect(code(exif) { _ in } == .tooMuchMetadata)
    #if AVIF || canImport(Darwin)
      let meta = try Files.fixture("avif-420.avif").prefix(32) + Data([0x40, 0, 0, 0]) + Data("meta".utf8)
      #expect(code(meta) { _ in } == .tooMuchMetadata)
    #endif
  }

  #if AVIF || canImport(Darwin)
    @Test("a grid of more cells than the limit is refused, and one of as many is not")
    func cells() throws {
      let data = try Files.fixture("avif-grid.avif")
      #expect(code(data) { $0.maximumCells = 4 } == nil)
      #expect(code(data) { $0.maximumCells = 3 } == .tooManyCells)
    }
  #endif

  @Test("a HEIC's grid of more cells than the limit is refused by its header")
  func heicCells() throws {
    let data = try Files.fixture("heic-grid.heic")
    func probeError(_ cells: Int) -> CodecError? {
      var limits = DecodeLimits()
      limits.maximumCells = cells
      return codecError { _ = try ImageDecoder(limits: limits).probe(data) }
    }
    #expect(probeError(6) == nil)
    #expect(probeError(5)?.code == .tooManyCells)
  }

  @Test("what every frame of an animated PNG repeats counts once")
  func repeated() throws {
    let data = try Files.fixture("animated-palette.png")
    var limits = DecodeLimits()
    limits.maximumMetadataBytes = 256 * 4
    #expect(throws: Never.self) { try AnimationDecoder(data, limits: limits).frame(at: 1) }
    limits.maximumMetadataBytes = 10
    #expect(codecError { _ = try AnimationDecoder(data, limits: limits).frame(at: 1) }?.code == .tooMuchMetadata)
  }
}
