import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("GIF")
struct GIFTests {
  private let box = DecodeTarget.box(PixelSize(width: 40, height: 30), .fit)

  /// A GIF of one frame: screen, rectangle, and the bytes behind the descriptor.
  private func gif(screen: [Int], rect: [Int], data: [UInt8], blocks: [UInt8] = []) -> Data {
    let header = Array("GIF89a".utf8) + screen.flatMap(Self.uint16) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    return Data(header + blocks + [0x2C] + rect.flatMap(Self.uint16) + [0] + data)
  }

  private static func uint16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

  /// Code size 2: clear, 1, 1 and 1 in three bits each, 1 and end in four.
  private let fourPixels: [UInt8] = [2, 3, 0b0100_1100, 0b0001_0010, 0b0000_0101, 0, 0x3B]

  @Test("codes are read as the specification says")
  func codes() throws {
    let bitmap = try ImageDecoder().decode(gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels)).bitmap
    #expect(bitmap.bytes == [UInt8](repeating: 255, count: 16))
  }

  @Test(
    "a code of no meaning is damage",
    arguments: [
      [2, 1, 0b0011_0100, 0, 0x3B],  // clear, 6: behind a clear code only the literals have a meaning
      [2, 2, 0b1100_1100, 0b0000_0001, 0, 0x3B],  // clear, 1, 7: 6 is the next that may come
      [0, 1, 0, 0, 0x3B], [9, 1, 0, 0, 0x3B], [255, 1, 0, 0, 0x3B],  // code sizes
    ] as [[UInt8]])
  func badCodes(data: [UInt8]) {
    let file = gif(screen: [4, 1], rect: [0, 0, 4, 1], data: data)
    #expect(codecError { _ = try ImageDecoder().decode(file) }?.code == .corrupt)
  }

  @Test("image data that end before the image are damage, whatever the size asked for", arguments: [false, true])
  func tooFewPixels(isScaled: Bool) {
    let file = gif(screen: [100, 99], rect: [0, 0, 100, 99], data: fourPixels)
    #expect(codecError { _ = try ImageDecoder().decode(file, target: isScaled ? box : .full) }?.code == .corrupt)
  }

  @Test("a file without an image is damaged, and a cut one is cut")
  func noImage() {
    let header = Array("GIF89a".utf8) + [4, 0, 4, 0, 0, 0, 0]
    #expect(codecError { _ = try ImageDecoder().decode(Data(header + [0x3B])) }?.code == .corrupt)
    #expect(codecError { _ = try ImageDecoder().decode(Data(header)) }?.code == .truncated)
    let empty = gif(screen: [0, 0], rect: [0, 0, 0, 0], data: fourPixels)
    #expect(codecError { _ = try ImageDecoder().decode(empty) }?.code == .corrupt)
  }

  @Test(
    "billions of pixels on the screen, in a frame or beyond the screen are refused at once",
    arguments: [
      ([65535, 65535], [0, 0, 4, 1]), ([4, 1], [0, 0, 65535, 65535]), ([4, 1], [65535, 65535, 4, 1]),
      ([0, 0], [0, 0, 65535, 65535]), ([65535, 65535], [0, 0, 0, 0]),
    ])
  func huge(screen: [Int], rect: [Int]) {
    let file = gif(screen: screen, rect: rect, data: fourPixels)
    for target in [DecodeTarget.full, box] {
      #expect(codecError { _ = try ImageDecoder().decode(file, target: target) }?.code == .tooManyPixels)
    }
    #expect(codecError { _ = try AnimationDecoder(file, target: box).frame(at: 0) }?.code == .tooManyPixels)
  }

  @Test("a later frame of billions of pixels is refused, and the first one is shown")
  func hugeLaterFrame() throws {
    let first = gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels.dropLast())
    let later: [UInt8] = [0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0x40] + fourPixels
    let decoder = try AnimationDecoder(first + Data(later))
    #expect(try decoder.frame(at: 0)?.bitmap.size == PixelSize(width: 4, height: 1))
    #expect(codecError { _ = try decoder.frame(at: 1) }?.code == .tooManyPixels)
    #expect(try decoder.frame(at: 0) != nil)
  }

  @Test("more frames, or more pixels in all of them, than the limits are an error where they begin")
  func tooManyFrames() throws {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 1, 0, 0] + fourPixels.dropLast()
    var data = gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels.dropLast())
    for _ in 0..<30 { data += frame }
    var (byCount, byPixels) = (DecodeLimits(), DecodeLimits())
    byCount.maximumFrames = 10
    byPixels.maximumAnimationPixels = 43
    for limits in [byCount, byPixels] {
      let decoder = try AnimationDecoder(data, limits: limits)
      for _ in 0..<2 {
        #expect(codecError { _ = try decoder.frameCount() }?.code == .tooManyFrames)
        #expect(try decoder.frame(at: 9) != nil)
        #expect(codecError { _ = try decoder.frame(at: 10) }?.code == .tooManyFrames)
      }
    }
    #expect(try AnimationDecoder(data).frameCount() == 31)
  }

  @Test("a million empty frames are counted or refused within a moment", .timeLimit(.minutes(1)))
  func frameBomb() throws {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
    var data = gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels.dropLast())
    data.append(Data((0..<1_000_000).lazy.flatMap { _ in frame }))
    #expect(codecError { _ = try AnimationDecoder(data).frameCount() }?.code == .tooManyFrames)
    #expect(try ImageDecoder().decode(data).bitmap.size == PixelSize(width: 4, height: 1))
  }

  @Test("an animation is declared by a loop extension or by a delay of the first frame")
  func declaration() throws {
    let delay: [UInt8] = [0x21, 0xF9, 4, 0, 5, 0, 0, 0]
    let noDelay: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
    func info(_ blocks: [UInt8]) throws -> ImageInfo? {
      try ImageDecoder().probe(gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels, blocks: blocks))
    }
    func loop(_ name: String) -> [UInt8] { [0x21, 0xFF, 11] + Array(name.utf8) + [3, 1, 4, 0, 0] }
    #expect(try info([])?.animation == nil)
    #expect(try info(noDelay)?.animation == nil)
    #expect(try info(delay)?.animation == AnimationInfo(loopCount: 1))
    #expect(try info(loop("NETSCAPE2.0"))?.animation == AnimationInfo(loopCount: 5))
    #expect(try info(loop("ANIMEXTS1.0") + noDelay)?.animation == AnimationInfo(loopCount: 5))
    #expect(try info(loop("XMP DataXMP"))?.animation == nil)
  }

  @Test("a transparent pixel has no colour, and only a frame that leaves something open has alpha")
  func transparency() throws {
    let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 1, 0]
    let image = try ImageDecoder().decode(
      gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels, blocks: control))
    #expect(image.bitmap.bytes == [UInt8](repeating: 0, count: 16))
    #expect(image.info.hasAlpha && !image.bitmap.isOpaque)
    let opaque = try ImageDecoder().decode(gif(screen: [4, 1], rect: [0, 0, 4, 1], data: fourPixels))
    #expect(!opaque.info.hasAlpha && opaque.bitmap.isOpaque)
    #expect(opaque.info.colorModel == .indexed && opaque.info.bitDepth == 8)
  }
}
