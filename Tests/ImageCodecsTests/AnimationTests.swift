import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing

@Suite("Animations")
struct AnimationTests {
  @Test("are composed as browsers do, frame by frame", arguments: AnimationFixture.all)
  func frames(fixture: AnimationFixture) throws {
    let decoder = try AnimationDecoder(fixture.data)
    for (number, expected) in try fixture.frames.enumerated() {
      let frame = try #require(try decoder.frame(at: number))
      #expect(expected.psnr(frame.bitmap) >= fixture.psnr, "frame \(number)")
      #expect(abs(frame.duration - fixture.durations[number]) < 1e-9, "frame \(number)")
      #expect(try decoder.duration(of: number) == frame.duration)
    }
    #expect(try decoder.frame(at: fixture.durations.count) == nil)
    #expect(try decoder.duration(of: fixture.durations.count) == nil)
    #expect(try decoder.frameCount() == fixture.durations.count)
    #expect(decoder.loopCount == fixture.loopCount)
  }

  @Test("come out the same in every order, kept or not", arguments: AnimationFixture.all, [0, 1 << 20])
  func anyOrder(fixture: AnimationFixture, keptBytes: Int) throws {
    let decoder = try AnimationDecoder(fixture.data, maximumKeptBytes: keptBytes)
    let frames = try fixture.frames
    var random = SeededRandom(state: 11)
    for _ in 0..<40 {
      let number = Int.random(in: frames.indices, using: &random)
      let frame = try #require(try decoder.frame(at: number))
      #expect(frames[number].psnr(frame.bitmap) >= fixture.psnr, "frame \(number)")
    }
  }

  @Test("the header says how often they are shown", arguments: AnimationFixture.all)
  func header(fixture: AnimationFixture) throws {
    let info = try #require(try ImageDecoder().probe(fixture.data))
    #expect(info.isAnimated)
    #expect(info.animation?.loopCount == fixture.loopCount)
    #expect(info.animation?.frameCount.map { $0 == fixture.durations.count } ?? true)
  }

  @Test(
    "the first frame is what a decode of the file gives",
    arguments: AnimationFixture.all.filter { $0.file != "animated-hidden-default.png" })
  func still(fixture: AnimationFixture) throws {
    let bitmap = try ImageDecoder().decode(fixture.data).bitmap
    #expect(try fixture.frames[0].psnr(bitmap) >= fixture.psnr)
  }

  @Test("frames are scaled into the box, each like a still of the same pixels", arguments: AnimationFixture.all)
  func scaled(fixture: AnimationFixture) throws {
    let target = DecodeTarget.box(PixelSize(width: 11, height: 11), .fit)
    let (small, full) = (try AnimationDecoder(fixture.data, target: target), try AnimationDecoder(fixture.data))
    for number in fixture.durations.indices {
      let bitmap = try #require(try small.frame(at: number)).bitmap
      #expect(bitmap.size == small.size && max(bitmap.size.width, bitmap.size.height) == 11)
      let whole = try ImageEncoder.png(try #require(try full.frame(at: number)).bitmap)
      let expected = try ImageDecoder().decode(whole, target: target).bitmap
      // A PNG keeps straight colours, which costs a little precision where alpha is low.
      #expect(Quality.psnr(bitmap.bytes, expected.bytes) > 40, "frame \(number)")
    }
  }

  @Test("an opaque frame is known to be opaque, and only an opaque one", arguments: AnimationFixture.all)
  func opacity(fixture: AnimationFixture) throws {
    let decoder = try AnimationDecoder(fixture.data)
    for (number, expected) in try fixture.frames.enumerated() {
      guard let bitmap = try decoder.frame(at: number)?.bitmap, bitmap.isOpaque else { continue }
      let alphas = stride(from: 3, to: expected.bytes.count, by: 4)
      #expect(alphas.allSatisfy { expected.bytes[$0] == 255 }, "frame \(number)")
    }
  }

  @Test("a still is an animation of one frame", arguments: ["rgba8.png", "420.jpg", "lossy.webp", "plain.gif"])
  func stillPicture(file: String) throws {
    let data = try Files.fixture(file)
    let decoder = try AnimationDecoder(data)
    #expect(try decoder.frame(at: 0)?.bitmap.bytes == ImageDecoder().decode(data).bitmap.bytes)
    #expect(try decoder.frame(at: 1) == nil)
    #expect(try decoder.frame(at: -1) == nil)
    #expect(try decoder.frameCount() == 1)
    #expect(decoder.loopCount == 1)
  }

  @Test("a cancelled frame leaves the next call right", arguments: AnimationFixture.all)
  func cancellation(fixture: AnimationFixture) throws {
    let decoder = try AnimationDecoder(fixture.data, maximumKeptBytes: 0)
    for (number, expected) in try fixture.frames.enumerated() {
      let asked = Locked(0)
      #expect(throws: CancellationError.self) {
        try decoder.frame(at: number) {
          asked.withLock {
            $0 += 1
            return $0 > 3
          }
        }
      }
      let bitmap = try #require(try decoder.frame(at: number)).bitmap
      #expect(expected.psnr(bitmap) >= fixture.psnr, "frame \(number)")
    }
  }

  @Test("a cut file shows the frames before the cut and says that it is cut", arguments: AnimationFixture.all)
  func truncation(fixture: AnimationFixture) throws {
    let data = try fixture.data
    let frames = try fixture.frames
    for length in stride(from: data.count - 20, to: 20, by: -23) {
      var shown = 0
      let error = codecError {
        let decoder = try AnimationDecoder(data.prefix(length))
        while let frame = try decoder.frame(at: shown) {
          #expect(frames[shown].psnr(frame.bitmap) >= fixture.psnr, "frame \(shown) cut to \(length)")
          shown += 1
        }
      }
      // A GIF cut between two of its frames is a whole GIF of fewer frames.
      #expect(error?.code == .truncated || error == nil && fixture.file.hasSuffix(".gif"), "cut to \(length)")
      // What is missing of a PNG may be its end alone.
      #expect(shown < frames.count || fixture.file.hasSuffix(".png"))
    }
  }
}
