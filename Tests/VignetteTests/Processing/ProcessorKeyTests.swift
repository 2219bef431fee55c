import Foundation
import Pixels
import Testing

@testable import Vignette

@Suite("Processors' keys")
struct ProcessorKeyTests {
  /// Each different from all others.
  private static let different: [ImageProcessor] = {
    let sizes = [(1, 23), (12, 3), (123, 1)].map { PixelSize(width: $0, height: $1) }
    var list: [ImageProcessor] = [.identity, .circle]
    for size in sizes {
      for mode in [ScalingMode.fit, .fill] {
        list += [false, true].map { .resize(to: size, mode: mode, upscales: $0) }
      }
      list += CropAnchor.allCases.map { .crop(to: size, anchor: $0) }
    }
    for radius in [0.1, 0.1 + 1e-17 + 2e-17, 1, 10, 100, 1e-300, 1e15] {
      list += [.roundedCorners(radius: radius), .blur(radius: min(radius, 9_999))]
    }
    let colors = [RGBA(red: 1, green: 0, blue: 0), RGBA(red: 1, green: 0, blue: 0, alpha: 0.5)]
    for color in colors { list += TintMode.allCases.map { .tint(color, mode: $0) } }
    let names = [
      "", "a", "custom:", "circle", "identity", "blur(1.0)", "e\u{301}", "\u{e9}", "a\u{323}\u{301}", "a\u{301}\u{323}",
      "\\u{e9}", "\0", "a,b", "1:a",
    ]
    return list + names.map { name in .custom(id: name) { bitmap, _ in bitmap } }
  }()

  @Test("different parameters have different ids, whoever made the processor")
  func ids() {
    #expect(Set(Self.different).count == Self.different.count)
    #expect(Self.different.allSatisfy { $0.id.utf8.allSatisfy { $0 < 128 } })
  }

  @Test("the same parameters have the same id")
  func equal() {
    let size = PixelSize(width: 3, height: 4)
    #expect(ImageProcessor.resize(to: size) == .resize(to: size, mode: .fit, upscales: false))
    #expect(ImageProcessor.blur(radius: 2) == .blur(radius: 4.0 / 2))
    let zero = RGBA(red: 0, green: 0, blue: 0, alpha: 1)
    #expect(ImageProcessor.tint(zero) == .tint(RGBA(red: -0.0, green: -3, blue: .nan, alpha: 7)))
    #expect(ImageProcessor.blur(radius: 1e9) == .blur(radius: ImageProcessor.maximumBlurRadius))
    #expect(ImageProcessor.custom(id: "x") { bitmap, _ in bitmap } == .custom(id: "x") { _, _ in throw Failure() })
  }

  private struct Failure: Error {}

  @Test(
    "parameters without a meaning change nothing",
    arguments: [0, -0.0, -1, .nan, .infinity, -.infinity, .signalingNaN])
  func meaningless(value: Double) {
    #expect(ImageProcessor.blur(radius: value) == .identity)
    #expect(ImageProcessor.roundedCorners(radius: value) == .identity)
    #expect(ImageProcessor.resize(to: PixelSize(width: 0, height: 9)) == .identity)
    #expect(ImageProcessor.crop(to: PixelSize(width: 9, height: -1)) == .identity)
  }

  @Test("lists collide only when they are equal, and keys of beginnings are beginnings of keys")
  func lists() {
    var random = SeededRandom()
    var keys: [String: [ImageProcessor]] = ["": []]
    for _ in 0..<2_000 {
      let list = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        Self.different.randomElement(using: &random)
      }
      let key = ImageProcessor.key(of: list)
      #expect(keys[key] ?? list == list, "seed \(random.seed)")
      keys[key] = list
      for count in 0..<list.count {
        #expect(key.hasPrefix(ImageProcessor.key(of: Array(list.prefix(count)))), "seed \(random.seed)")
      }
    }
  }

  @Test("an id cannot look like two")
  func forgery() {
    let one = ImageProcessor.custom(id: "a") { bitmap, _ in bitmap }
    let two = ImageProcessor.key(of: [one, .circle])
    let forged = ImageProcessor.custom(id: "a6:circle") { bitmap, _ in bitmap }
    #expect(ImageProcessor.key(of: [forged]) != two)
    #expect(two == "8:custom:a6:circle")
  }
}
