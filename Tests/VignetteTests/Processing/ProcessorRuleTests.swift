import Foundation
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Processors' rules")
struct ProcessorRuleTests {
  private static let box = PixelSize(width: 7, height: 5)
  private static let color = RGBA(red: 0.2, green: 0.4, blue: 0.6)

  static let builtIn: [ImageProcessor] =
    [
      .resize(to: box), .resize(to: box, mode: .fill, upscales: true), .crop(to: box), .roundedCorners(radius: 3),
      .circle, .blur(radius: 1.5), .blur(radius: 30),
    ] + TintMode.allCases.map { .tint(color, mode: $0) }

  @Test("a picture without pixels is handed back", arguments: builtIn)
  func empty(processor: ImageProcessor) throws {
    #expect(try processor(Bitmap(size: .zero) { _ in }).size == .zero)
  }

  @Test(
    "every shape of picture is processed and stays premultiplied", arguments: builtIn,
    [(1, 1), (1, 40), (40, 1), (2, 3), (33, 32)])
  func shapes(processor: ImageProcessor, size: (Int, Int)) throws {
    for color in [[90, 40, 120, 130], [255, 255, 255, 255], [0, 0, 0, 0]] as [[UInt8]] {
      let result = try processor(ProcessorPictures.even(size.0, size.1, color))
      #expect(!result.size.isEmpty)
      #expect(result.isPremultiplied)
    }
  }

  @Test("an even colour stays even when resized or blurred", arguments: [0.2, 1, 5, 6, 7, 20, 9_999])
  func even(deviation: Double) throws {
    let picture = ProcessorPictures.even(31, 17)
    #expect(try ImageProcessor.blur(radius: deviation)(picture).bytes == picture.bytes)
    let side = Int(deviation.rounded(.up))
    let box = PixelSize(width: min(side * 3, 200), height: min(side * 3, 200))
    let resized = try ImageProcessor.resize(to: box, upscales: true)(picture)
    #expect(resized.bytes.indices.allSatisfy { resized.bytes[$0] == picture.bytes[$0 % 4] })
  }

  @Test("cancelled work stops, between any two rows", arguments: builtIn)
  func cancellation(processor: ImageProcessor) {
    let questions = Locked(0)
    for limit in [0, 1, 4] {
      questions.withLock { $0 = 0 }
      let context = ProcessorContext(sourceSize: Self.box) {
        questions.withLock { count in
          count += 1
          return count > limit
        }
      }
      #expect(
        loadingCode { _ = try processor.process(ProcessorPictures.even(64, 64), context) } == "cancelled")
    }
  }

  @Test("a picture smaller than the box is enlarged only when asked")
  func upscaling() throws {
    let picture = ProcessorPictures.even(30, 20)
    let box = PixelSize(width: 90, height: 90)
    #expect(try ImageProcessor.resize(to: box)(picture).size == picture.size)
    #expect(try ImageProcessor.resize(to: box, upscales: true)(picture).size == PixelSize(width: 90, height: 60))
    let fill = ImageProcessor.resize(to: box, mode: .fill, upscales: true)
    #expect(try fill(picture).size == PixelSize(width: 135, height: 90))
    let thin = ImageProcessor.resize(to: PixelSize(width: 2, height: 2))
    #expect(try thin(ProcessorPictures.even(1, 900)).size == PixelSize(width: 1, height: 2))
  }

  @Test(
    "results beyond the limit fail before anything is allocated",
    arguments: [
      (PixelSize(width: 20_000, height: 20_000), ScalingMode.fit), (PixelSize(width: Int.max, height: 1), .fill),
      (PixelSize(width: Int.max, height: Int.max), .fit), (PixelSize(width: 1 << 52, height: 1), .fill),
    ])
  func tooLarge(box: PixelSize, mode: ScalingMode) {
    let resize = ImageProcessor.resize(to: box, mode: mode, upscales: true)
    #expect(loadingCode { _ = try resize(ProcessorPictures.even(3, 3)) } == "image.tooManyPixels")
  }

  @Test("a side longer than tables are made for fails")
  func tooLong() {
    let resize = ImageProcessor.resize(to: PixelSize(width: 2_000_000, height: 2_000_000), upscales: true)
    #expect(loadingCode { _ = try resize(ProcessorPictures.even(1, 100_000)) } == "image.tooManyPixels")
    let crop = ImageProcessor.crop(to: PixelSize(width: Int.max, height: Int.max))
    #expect(throws: Never.self) { try crop(ProcessorPictures.even(2, 2)) }
  }

  private struct Failure: Error {}

  @Test("what a custom processor throws gets a code, unless it has one")
  func failures() {
    let picture = ProcessorPictures.even(2, 2)
    let plain = ImageProcessor.custom(id: "a") { _, _ in throw Failure() }
    #expect(loadingCode { _ = try plain(picture) } == "process.failed")
    let typed = ImageProcessor.custom(id: "b") { _, _ in throw ImageLoadingError(.cacheMiss, "no") }
    #expect(loadingCode { _ = try typed(picture) } == "cache.miss")
    let none = ImageProcessor.custom(id: "c") { _, _ in Bitmap(size: .zero) { _ in } }
    #expect(loadingCode { _ = try none(picture) } == "process.failed")
  }

  @Test("a cancellation that nobody asked for is a failure, not a cancellation")
  func strayCancellation() {
    let stray = ImageProcessor.custom(id: "d") { _, _ in throw CancellationError() }
    #expect(loadingCode { _ = try stray(ProcessorPictures.even(2, 2)) } == "process.failed")
  }

  @Test("a custom processor sees picture and context")
  func custom() throws {
    let processor = ImageProcessor.custom(id: "e") { bitmap, context in
      ProcessorPictures.even(bitmap.size.width, context.sourceSize.height)
    }
    let context = ProcessorContext(sourceSize: PixelSize(width: 400, height: 9))
    let result = try processor.process(ProcessorPictures.even(4, 3), context)
    #expect(result.size == PixelSize(width: 4, height: 9))
  }

  @Test("a list applies its processors in order and ends at the first failure")
  func chain() throws {
    let list: [ImageProcessor] = [.crop(to: PixelSize(width: 10, height: 4)), .circle]
    let picture = ProcessorPictures.even(20, 20)
    let context = ProcessorContext(sourceSize: picture.size)
    let result = try ImageProcessor.process(picture, by: list, context)
    #expect(result.size == PixelSize(width: 4, height: 4))
    #expect(try result.bytes == list[1](list[0](picture)).bytes)
    #expect(try ImageProcessor.process(picture, by: [], context).isIdentical(to: picture))
    let failing = ImageProcessor.custom(id: "f") { _, _ in throw Failure() }
    #expect(loadingCode { _ = try ImageProcessor.process(picture, by: [failing] + list, context) } == "process.failed")
  }
}
