#if AVIF || canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// An AVIF sequence and what it must decode to: `Fixtures/make-avif.py`.
  struct AVIFSequence: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var width: Int
    var height: Int
    var hasAlpha: Bool
    /// Premultiplied.
    var frames: [Data]
    /// Of each frame, in seconds.
    var durations: [Double]

    static let all: [AVIFSequence] = {
      do {
        return try JSONDecoder().decode([AVIFSequence].self, from: Files.fixture("avif-sequences.json"))
      } catch {
        Issue.record("The list of AVIF sequences cannot be read: \(error)")
        return []
      }
    }()

    var data: Data { get throws { try Files.fixture(file) } }
    var testDescription: String { file }
  }

  @Suite("AVIF sequences", .timeLimit(.minutes(5)))
  struct AVIFSequenceTests {
    private func difference(_ bitmap: Bitmap, _ expected: Data) -> Int {
      let bytes = bitmap.bytes
      guard bytes.count == expected.count else { return 255 }
      return zip(bytes, expected).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    @Test("the header says what they are", arguments: AVIFSequence.all)
    func header(sequence: AVIFSequence) throws {
      let info = try #require(try ImageDecoder().probe(sequence.data))
      #expect(info.format == .avif && info.hasAlpha == sequence.hasAlpha)
      #expect(info.size == PixelSize(width: sequence.width, height: sequence.height))
      #expect(info.animation == AnimationInfo(loopCount: 0, frameCount: sequence.frames.count))
    }

    @Test(
      "every frame is the reference's, in order, backwards and at random", arguments: AVIFSequence.all, [0, 1 << 20])
    func frames(sequence: AVIFSequence, keptBytes: Int) throws {
      let decoder = try AnimationDecoder(sequence.data, maximumKeptBytes: keptBytes)
      #expect(try decoder.frameCount() == sequence.frames.count)
      var random = SeededRandom(state: 5)
      let numbers = Array(sequence.frames.indices)
      for number in numbers + numbers.reversed() + numbers.shuffled(using: &random) {
        let frame = try #require(try decoder.frame(at: number))
        #expect(difference(frame.bitmap, sequence.frames[number]) <= 2, "frame \(number)")
        #expect(frame.bitmap.isOpaque == !sequence.hasAlpha)
        #expect(abs(frame.duration - sequence.durations[number]) < 1e-6, "frame \(number)")
      }
      #expect(try decoder.frame(at: sequence.frames.count) == nil)
    }

    @Test("a beginning says what the whole says, or that it is too little", arguments: AVIFSequence.all)
    func beginnings(sequence: AVIFSequence) throws {
      let data = try sequence.data
      let whole = try #require(try ImageDecoder().probe(data))
      for count in 1..<data.count {
        let info = try ImageDecoder().probe(data.prefix(count))
        #expect(info == nil || info == whole, "\(count) bytes")
      }
    }

    @Test("the header of a still that calls itself a sequence too is that of a still")
    func brandAlone() throws {
      let plain = try Files.fixture("avif-444.avif")
      var data = plain
      let brand = try #require(data.firstRange(of: Data("miaf".utf8)))
      data.replaceSubrange(brand, with: Data("avis".utf8))
      #expect(try ImageDecoder().probe(data) == ImageDecoder().probe(plain))
    }

    @Test("a still of one is its first frame", arguments: AVIFSequence.all)
    func still(sequence: AVIFSequence) throws {
      #expect(difference(try ImageDecoder().decode(sequence.data).bitmap, sequence.frames[0]) <= 2)
    }

    @Test("frames are scaled into the box", arguments: AVIFSequence.all)
    func scaled(sequence: AVIFSequence) throws {
      let target = DecodeTarget.box(PixelSize(width: 20, height: 20), .fit)
      let decoder = try AnimationDecoder(sequence.data, target: target)
      let small = try #require(try decoder.frame(at: 3)).bitmap
      #expect(
        small.size
          == PixelSize(width: sequence.width, height: sequence.height).scaled(
            into: PixelSize(width: 20, height: 20), mode: .fit))
    }

    @Test("more frames than the limit are refused", arguments: AVIFSequence.all)
    func limit(sequence: AVIFSequence) throws {
      var limits = DecodeLimits()
      limits.maximumFrames = sequence.frames.count - 1
      #expect(codecError { _ = try AnimationDecoder(sequence.data, limits: limits) }?.code == .tooManyFrames)
    }

    @Test("of a file that is cut the picture beside the frames is not shown either", arguments: AVIFSequence.all)
    func truncatedStill(sequence: AVIFSequence) throws {
      let data = try sequence.data
      for length in stride(from: data.count - 1, to: data.count / 2, by: -7) {
        for damage in [DamagePolicy.strict, .lenient] {
          let error = codecError { _ = try ImageDecoder(damage: damage).decode(data.prefix(length)) }
          #expect(error?.code == .truncated, "cut to \(length)")
        }
      }
    }

    @Test("a file that is cut is an error, and the frames before the cut are right", arguments: AVIFSequence.all)
    func truncated(sequence: AVIFSequence) throws {
      let data = try sequence.data
      for length in stride(from: 1, to: data.count, by: 7) {
        var shown = 0
        let error = codecError {
          let decoder = try AnimationDecoder(data.prefix(length))
          while let frame = try decoder.frame(at: shown) {
            #expect(difference(frame.bitmap, sequence.frames[shown]) <= 2, "frame \(shown) cut to \(length)")
            shown += 1
          }
        }
        #expect(error?.code == .truncated, "cut to \(length)")
      }
    }

    @Test("flipped bits give frames of the right size or an error", arguments: AVIFSequence.all)
    func damage(sequence: AVIFSequence) throws {
      var random = SeededRandom(state: 104_729)
      var limits = DecodeLimits()
      limits.maximumFullPixels = 1 << 20
      for round in 0..<300 {
        var data = try sequence.data
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
