import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Damaged animations")
struct AnimationDamageTests {
  /// How many frames can be had in order, and what stops the next.
  private func play(_ data: Data, limits: DecodeLimits = DecodeLimits()) -> (frames: Int, code: CodecError.Code?) {
    var count = 0
    let error = codecError {
      let decoder = try AnimationDecoder(data, limits: limits)
      while try decoder.frame(at: count) != nil { count += 1 }
    }
    return (count, error?.code)
  }

  /// A PNG with the contents of one chunk changed, and its checksum put right where asked for.
  private func png(
    _ file: String, chunk kind: String, number: Int = 0, checksum: Bool = true, change: (inout Data) -> Void
  ) throws -> Data {
    let data = try Files.fixture(file)
    var at = 8
    var seen = 0
    while at + 8 <= data.count {
      let length = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = at + 12 + length
      if data[at + 4..<at + 8] == Data(kind.utf8) {
        if seen == number {
          var content = Data(data[at + 8..<at + 8 + length])
          change(&content)
          var chunk = PNGChunks.chunk(kind, content)
          if !checksum { chunk.replaceSubrange((chunk.count - 4)..., with: data[end - 4..<end]) }
          return data[..<at] + chunk + data[end...]
        }
        seen += 1
      }
      at = end
    }
    Issue.record("\(file) has no chunk \(kind) \(number)")
    return data
  }

  @Test("a PNG that claims four billion frames is refused at once, and shown as a still")
  func frameCount() throws {
    let data = try png("animated-keep-over.png", chunk: "acTL") {
      $0.replaceSubrange(0..<4, with: [255, 255, 255, 255])
    }
    #expect(play(data).code == .tooManyFrames)
    #expect(try ImageDecoder().probe(data)?.animation?.frameCount == 0xFFFF_FFFF)
    #expect(try ImageDecoder().decode(data).bitmap.size == PixelSize(width: 37, height: 23))
  }

  @Test("no frames are no animation, fewer are fewer, and more than there are is what there is")
  func otherCounts() throws {
    func counted(_ count: UInt8) throws -> Data {
      try png("animated-keep-over.png", chunk: "acTL") { $0[3] = count }
    }
    #expect(try ImageDecoder().probe(counted(0))?.isAnimated == false)
    #expect(try AnimationDecoder(counted(0)).frameCount() == 1)
    #expect(try AnimationDecoder(counted(2)).frameCount() == 2)
    #expect(try AnimationDecoder(counted(9)).frameCount() == 5)
  }

  @Test("a PNG frame outside the picture is damage, and those before it can be had", arguments: [4, 8, 12, 16])
  func outside(offset: Int) throws {
    let data = try png("animated-keep-over.png", chunk: "fcTL", number: 2) { $0[offset] = 0x40 }
    #expect(play(data) == (2, .corrupt))
    let empty = try png("animated-keep-over.png", chunk: "fcTL", number: 2) {
      $0.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    }
    #expect(play(empty) == (2, .corrupt))
  }

  @Test("unknown ways to dispose or blend, and a description that is too short, are damage")
  func badControl() throws {
    #expect(play(try png("animated-keep-over.png", chunk: "fcTL", number: 1) { $0[24] = 3 }) == (1, .corrupt))
    #expect(play(try png("animated-keep-over.png", chunk: "fcTL", number: 1) { $0[25] = 2 }) == (1, .corrupt))
    #expect(play(try png("animated-keep-over.png", chunk: "fcTL", number: 1) { $0 = $0.prefix(20) }) == (1, .corrupt))
  }

  @Test("frames out of order, damaged data and missing data are damage")
  func badData() throws {
    #expect(play(try png("animated-keep-over.png", chunk: "fdAT", number: 0) { $0[3] += 1 }) == (1, .corrupt))
    #expect(play(try png("animated-keep-over.png", chunk: "fcTL", number: 2) { $0[3] += 1 }) == (2, .corrupt))
    let flipped = try png("animated-keep-over.png", chunk: "fdAT", checksum: false) { $0[20] ^= 1 }
    #expect(play(flipped) == (1, .corrupt))
    let short = try png("animated-grey.png", chunk: "fdAT", number: 2) { $0 = $0.prefix(6) }
    #expect(play(short) == (1, .corrupt))
    #expect(play(try png("animated-grey.png", chunk: "fdAT", number: 1) { $0 = $0.prefix(3) }).code == .corrupt)
  }

  @Test("a WebP frame outside the picture, without a picture or of another size is damage")
  func webp() throws {
    let data = try Files.fixture("animated-keep-over.webp")
    let frames = data.ranges(of: Data("ANMF".utf8))
    let second = frames[1].upperBound + 4
    func changed(_ offset: Int, _ value: UInt8) -> Data {
      var changed = data
      changed[second + offset] = value
      return changed
    }
    #expect(play(data) == (5, nil))
    #expect(play(changed(0, 200)) == (1, .corrupt))
    #expect(play(changed(6, 200)) == (1, .corrupt))
    #expect(play(changed(6, 5)) == (1, .corrupt))
    #expect(play(changed(16, 0x58)) == (1, .corrupt))
  }

  @Test("the canvas counts against the limits at every target")
  func canvas() throws {
    var limits = DecodeLimits()
    limits.maximumFullPixels = 800
    let target = DecodeTarget.box(PixelSize(width: 5, height: 5), .fit)
    for file in ["animated-keep.gif", "animated-keep-over.png", "animated-keep-over.webp"] {
      let error = codecError { _ = try AnimationDecoder(Files.fixture(file), target: target, limits: limits) }
      #expect(error?.code == .tooManyPixels)
    }
  }
}

extension Data {
  fileprivate func ranges(of pattern: Data) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = startIndex
    while let found = self[start...].firstRange(of: pattern) {
      ranges.append(found)
      start = found.upperBound
    }
    return ranges
  }
}
