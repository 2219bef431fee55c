import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("What animations keep and read")
struct AnimationMemoryTests {
  /// How many of them are still in memory.
  private func alive(_ frames: [Bitmap.Weak]) -> Int { frames.filter { $0.bitmap != nil }.count }

  @Test("no more frames are in memory than the budget has room for", arguments: AnimationFixture.all, [0, 1, 2, 3])
  func budget(fixture: AnimationFixture, room: Int) throws {
    let size = try fixture.frames[0].size
    let decoder = try AnimationDecoder(fixture.data, maximumKeptBytes: room * size.area * 4 + 3)
    var frames: [Bitmap.Weak] = []
    for showing in 0..<3 {
      for number in fixture.durations.indices {
        do {
          let bitmap = try #require(try decoder.frame(at: number)).bitmap
          let isKnown = frames.contains { $0.bitmap?.isIdentical(to: bitmap) == true }
          if !isKnown { frames.append(Bitmap.Weak(bitmap)) }
        }
        #expect(alive(frames) <= room, "frame \(number) of showing \(showing)")
      }
    }
    #expect(alive(frames) > 0 || room == 0)
  }

  @Test("the frames last shown are the same memory when they are asked for again", arguments: AnimationFixture.all)
  func goingBack(fixture: AnimationFixture) throws {
    let size = try fixture.frames[0].size
    let decoder = try AnimationDecoder(fixture.data, maximumKeptBytes: 2 * size.area * 4)
    var last: Bitmap?
    for number in fixture.durations.indices {
      let frame = try #require(try decoder.frame(at: number)).bitmap
      if let last {
        #expect(try #require(try decoder.frame(at: number - 1)).bitmap.isIdentical(to: last))
      }
      #expect(try #require(try decoder.frame(at: number)).bitmap.isIdentical(to: frame))
      last = frame
    }
  }

  @Test("every step backwards shows the right frame", arguments: AnimationFixture.all, [0, 2])
  func backwards(fixture: AnimationFixture, room: Int) throws {
    let frames = try fixture.frames
    let decoder = try AnimationDecoder(fixture.data, maximumKeptBytes: room * frames[0].size.area * 4)
    for number in fixture.durations.indices.reversed() {
      let frame = try #require(try decoder.frame(at: number))
      #expect(frames[number].psnr(frame.bitmap) >= fixture.psnr, "frame \(number)")
    }
  }

  /// A WebP that has an orientation has it at its end.
  private static let withoutExif = AnimationFixture.all.filter { $0.file != "animated-chunks.webp" }

  @Test("the first frame needs no byte behind it, at any size", arguments: withoutExif)
  func firstFrame(fixture: AnimationFixture) throws {
    let data = try fixture.data
    let part = data.prefix(try #require(FirstFrame.end(in: [UInt8](data))))
    #expect(part.count < data.count)
    for target in [DecodeTarget.full, .box(PixelSize(width: 9, height: 9), .fit)] {
      let expected = try #require(try AnimationDecoder(data, target: target).frame(at: 0))
      let decoder = try AnimationDecoder(part, target: target)
      let first = try #require(try decoder.frame(at: 0))
      #expect(first.bitmap.bytes == expected.bitmap.bytes)
      #expect(first.duration == expected.duration)
    }
  }

  @Test("of a first frame that is cut nothing is shown", arguments: AnimationFixture.all)
  func cutFirstFrame(fixture: AnimationFixture) throws {
    let data = try fixture.data
    let end = try #require(FirstFrame.end(in: [UInt8](data)))
    // Before what ends the frame's data in each format: a sub-block of no length, a byte of padding, a checksum.
    for length in [end - 6, end - 20] where length > 0 {
      let error = codecError { _ = try AnimationDecoder(data.prefix(length)).frame(at: 0) }
      #expect(error?.code == .truncated, "cut to \(length) of \(end)")
    }
  }
}

/// Where the bytes of an animation's first frame end, by the formats' specifications and none of this package's parsers.
private enum FirstFrame {
  static func end(in bytes: [UInt8]) -> Int? {
    switch bytes[0] {
    case 0x47: gif(bytes)
    case 0x89: png(bytes)
    default: webP(bytes)
    }
  }

  private static func gif(_ bytes: [UInt8]) -> Int? {
    func palette(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    func behindSubBlocks(_ start: Int) -> Int {
      var at = start
      while bytes[at] > 0 { at += Int(bytes[at]) + 1 }
      return at + 1
    }
    var at = 13 + palette(bytes[10])
    while bytes[at] == 0x21 { at = behindSubBlocks(at + 2) }
    guard bytes[at] == 0x2C else { return nil }
    return behindSubBlocks(at + 10 + palette(bytes[at + 9]) + 1)
  }

  /// Behind the last data chunk before the second frame control, or before the end.
  private static func png(_ bytes: [UInt8]) -> Int? {
    var (at, controls, end) = (8, 0, Int?.none)
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      at += length + 12
      if kind == "fcTL" { controls += 1 }
      if controls == 2 { break }
      if controls == 1, kind == "IDAT" || kind == "fdAT" { end = at }
    }
    return end
  }

  private static func webP(_ bytes: [UInt8]) -> Int? {
    var at = 12
    while at + 8 <= bytes.count {
      let length = bytes[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: bytes[at..<at + 4], as: UTF8.self)
      at += 8 + length
      if kind == "ANMF" { return at }
      at += length & 1
    }
    return nil
  }
}
