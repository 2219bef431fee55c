#if JXL && !canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// An animated JPEG XL and what is to be seen of it: `Fixtures/make-jxl.py`.
  struct JXLAnimation: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var width: Int
    var height: Int
    var hasAlpha: Bool
    /// Premultiplied, as shown.
    var frames: [Data]
    /// Of each frame, in seconds.
    var durations: [Double]

    static let all: [JXLAnimation] = {
      do {
        return try JSONDecoder().decode([JXLAnimation].self, from: Files.fixture("jxl-animations.json"))
      } catch {
        Issue.record("The list of animated JPEG XLs cannot be read: \(error)")
        return []
      }
    }()

    var data: Data { get throws { try Files.fixture(file) } }
    var size: PixelSize { PixelSize(width: width, height: height) }
    var testDescription: String { file }
  }

  @Suite("Animated JPEG XL", .timeLimit(.minutes(5)))
  struct JXLAnimationTests {
    private func isEqual(_ bitmap: Bitmap?, _ expected: Data) -> Bool {
      bitmap.map { $0.withUnsafeBytes { Data($0) == expected } } ?? false
    }

    @Test("the header says that they are animations", arguments: JXLAnimation.all)
    func header(animation: JXLAnimation) throws {
      let info = try #require(try ImageDecoder().probe(animation.data))
      #expect(info.format == .jxl && info.hasAlpha == animation.hasAlpha && info.size == animation.size)
      #expect(info.animation == AnimationInfo(loopCount: 0))
    }

    @Test(
      "every frame is the one that was written, in order, backwards and at random", arguments: JXLAnimation.all,
      [0, 1 << 20])
    func frames(animation: JXLAnimation, keptBytes: Int) throws {
      let decoder = try AnimationDecoder(animation.data, maximumKeptBytes: keptBytes)
      #expect(try decoder.frameCount() == animation.frames.count)
      #expect(decoder.loopCount == 0)
      var random = SeededRandom(state: 5)
      let numbers = Array(animation.frames.indices)
      for number in numbers + numbers.reversed() + numbers.shuffled(using: &random) {
        let frame = try #require(try decoder.frame(at: number))
        #expect(isEqual(frame.bitmap, animation.frames[number]), "frame \(number)")
        #expect(frame.bitmap.isOpaque == !animation.hasAlpha)
        #expect(abs(frame.duration - animation.durations[number]) < 1e-6, "frame \(number)")
      }
      #expect(try decoder.frame(at: animation.frames.count) == nil)
    }

    @Test("a still of one is its first frame", arguments: JXLAnimation.all)
    func still(animation: JXLAnimation) throws {
      #expect(isEqual(try ImageDecoder().decode(animation.data).bitmap, animation.frames[0]))
    }

    @Test("frames are scaled into the box", arguments: JXLAnimation.all)
    func scaled(animation: JXLAnimation) throws {
      let box = PixelSize(width: 20, height: 20)
      let decoder = try AnimationDecoder(animation.data, target: .box(box, .fit))
      #expect(try decoder.frame(at: 3)?.bitmap.size == animation.size.scaled(into: box, mode: .fit))
    }

    @Test("more frames than the limit are refused", arguments: JXLAnimation.all)
    func limit(animation: JXLAnimation) throws {
      var limits = DecodeLimits()
      limits.maximumFrames = animation.frames.count - 1
      let error = codecError { _ = try AnimationDecoder(animation.data, limits: limits).frameCount() }
      #expect(error?.code == .tooManyFrames)
    }

    @Test("a file that is cut is an error, and the frames before the cut are right", arguments: JXLAnimation.all)
    func truncated(animation: JXLAnimation) throws {
      let data = try animation.data
      for length in stride(from: 1, to: data.count, by: 7) {
        var shown = 0
        let error = codecError {
          let decoder = try AnimationDecoder(data.prefix(length))
          while let frame = try decoder.frame(at: shown) {
            #expect(isEqual(frame.bitmap, animation.frames[shown]), "frame \(shown) cut to \(length)")
            shown += 1
          }
        }
        #expect(error?.code == .truncated, "cut to \(length)")
        #expect(codecError { _ = try ImageDecoder().decode(data.prefix(length)) }?.code == .truncated)
      }
    }

    @Test("after a frame that was cancelled the next ones are right", arguments: JXLAnimation.all)
    func cancelled(animation: JXLAnimation) throws {
      let decoder = try AnimationDecoder(animation.data, maximumKeptBytes: 0)
      _ = try decoder.frame(at: 1)
      #expect(throws: CancellationError.self) { try decoder.frame(at: 4, isCancelled: { true }) }
      for number in [2, 5, 0] {
        #expect(isEqual(try decoder.frame(at: number)?.bitmap, animation.frames[number]))
      }
    }

    @Test("flipped bits give frames of the right size or an error", arguments: JXLAnimation.all)
    func damage(animation: JXLAnimation) throws {
      var random = SeededRandom(state: 104_729)
      var limits = DecodeLimits()
      limits.maximumFullPixels = 1 << 20
      for round in 0..<300 {
        var data = try animation.data
        for _ in 0..<3 {
          data[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        _ = codecError {
          let decoder = try AnimationDecoder(data, limits: limits)
          var number = 0
          while number < 20, let frame = try decoder.frame(at: number) {
            #expect(frame.bitmap.size == decoder.size, "round \(round)")
            number += 1
          }
        }
      }
    }
  }
#endif
