import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Processed pictures", .timeLimit(.minutes(5)))
struct ProcessingTests {
  let scripted = Scripted()
  let log = Locked<[String]>([])
  var pipeline: ImagePipeline { scripted.pipeline }

  /// Writes its name into the first byte and into the log.
  private func stamp(_ name: String) -> ImageProcessor {
    let log = log
    return .custom(id: name) { bitmap, _ in
      log.withLock { $0.append(name) }
      return Bitmap(size: bitmap.size) { $0[0] = name.utf8.first ?? 0 }
    }
  }

  private func request(_ names: String...) -> ImageRequest {
    ImageRequest(Scripted.address).with(processors: names.map(stamp))
  }

  @Test("processors run in order on the decoded picture")
  func order() async throws {
    let response = try await pipeline.image(for: request("a", "b"))
    #expect(log.withLock { $0 } == ["a", "b"])
    #expect(response.bitmap[0, 0].red == UInt8(ascii: "b"))
    #expect(response.sourceSize == PixelSize(width: 40, height: 30))
    #expect(pipeline.counters.processed == 2)
  }

  @Test("chains that begin alike share their beginning, its decode and its download")
  func prefixes() async throws {
    scripted.loader.gate.close()
    let requests = [request("a", "b"), request("a", "c"), request("a"), ImageRequest(Scripted.address)]
    let tasks = requests.map { pipeline.task(for: $0) }
    await eventually { [pipeline] in pipeline.counters.coalesced == 3 }
    scripted.loader.gate.open()
    var first: [UInt8] = []
    for task in tasks { first.append(try await task.response.bitmap[0, 0].red) }
    #expect(first == Array("bcap".utf8))
    #expect(log.withLock { $0.sorted() } == ["a", "b", "c"])
    #expect(scripted.decoder.started == 1 && scripted.loader.counts.started == 1)
  }

  @Test("each chain has its own place in memory")
  func memory() async throws {
    _ = try await pipeline.image(for: request("a"))
    #expect(try await pipeline.image(for: request("a")).origin == .memory)
    #expect(try await pipeline.image(for: request("a")).bitmap[0, 0].red == UInt8(ascii: "a"))
    #expect(try await pipeline.image(for: ImageRequest(Scripted.address)).bitmap[0, 0].red == UInt8(ascii: "p"))
    #expect(pipeline.cachedImage(for: request("b")) == nil)
    #expect(log.withLock { $0 } == ["a"])
  }

  @Test("a processor that changes the size answers for the size that was asked for")
  func resized() async throws {
    let crop = ImageProcessor.crop(to: PixelSize(width: 10, height: 10))
    let small = ImageRequest(Scripted.address, target: .box(20, 20)).with(processors: [crop])
    #expect(try await pipeline.image(for: small).bitmap.size == PixelSize(width: 10, height: 10))
    #expect(try await pipeline.image(for: small).origin == .memory)
    #expect(try await pipeline.image(for: small.with(target: .box(10, 10))).origin == .memory)
    #expect(try await pipeline.image(for: small.with(target: .full)).origin != .memory)
  }

  @Test("a processor that fails fails its request with a code, and only that")
  func failure() async throws {
    struct Broken: Error {}
    let broken = ImageProcessor.custom(id: "broken") { _, _ in throw Broken() }
    #expect(await failureCode(pipeline, ImageRequest(Scripted.address).with(processors: [broken])) == "process.failed")
    #expect(try await pipeline.image(for: request("a")).origin == .network || pipeline.counters.decodes == 1)
    #expect(pipeline.activeWork == 0)
  }

  @Test("different processors always mean a different key")
  func keys() {
    let chains: [[String]] = [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"], ["a", ""], ["", "a"], ["1:a"]]
    #expect(
      Set(chains.map { ImageRequest(Scripted.address).with(processors: $0.map(stamp)).key }).count == chains.count)
    #expect(request("a").with(processors: []).key == ImageRequest(Scripted.address).key)
    #expect(request("a").with(processors: []).processors.isEmpty)
    #expect(request("a").with(target: .box(4, 3)).processors.count == 1)
  }

  @Test("cancelling stops between processors")
  func cancel() async throws {
    let isHeld = Locked(true)
    let started = Locked(false)
    let slow = ImageProcessor.custom(id: "slow") { bitmap, context in
      started.withLock { $0 = true }
      while isHeld.withLock({ $0 }) {
        try context.checkCancellation()
        sched_yield()
      }
      return bitmap
    }
    let task = pipeline.task(for: ImageRequest(Scripted.address).with(processors: [slow, stamp("never")]))
    await eventually { started.withLock { $0 } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.response }
    await eventually { [pipeline] in pipeline.coordinator.isIdle }
    #expect(log.withLock { $0 }.isEmpty)
    #expect(pipeline.counters.processed == 0)
  }
}

@Suite("Pictures that come in sizes", .timeLimit(.minutes(5)))
struct SizedPictureTests {
  let scripted = Scripted()
  var pipeline: ImagePipeline { scripted.pipeline }

  /// A service that answers with the size it was asked for.
  private func sized() throws -> SizedSource {
    for side in [64, 128, 192, 256, 320, 384] {
      scripted.loader.reply(to: "http://service.test/\(side)", .data(ScriptedDecoder.picture(side, side, "s\(side)")))
    }
    scripted.loader.reply(to: "http://pictures.test/original", .data(ScriptedDecoder.picture(4_000, 4_000, "original")))
    return SizedSource(original: try #require(URL(string: "http://pictures.test/original"))) { size in
      URL(string: "http://service.test/\(size.width)")
    }
  }

  private var asked: [String] { scripted.loader.requests.map { $0.url?.absoluteString ?? "" } }

  @Test("the nearest size at or above what is wanted is fetched")
  func size() async throws {
    let response = try await pipeline.image(for: ImageRequest(try sized(), target: .box(100, 100)))
    #expect(asked == ["http://service.test/128"])
    #expect(response.bitmap.size == PixelSize(width: 100, height: 100))
  }

  @Test("a smaller size in memory shows at once, and is not taken for a larger one")
  func nearest() async throws {
    let source = try sized()
    // Decoded at every pixel the service sent: the pixels alone would say that there are no more.
    _ = try await pipeline.image(for: ImageRequest(source, target: .box(64, 64)))
    let large = ImageRequest(source, target: .box(256, 256))
    let shown = try #require(pipeline.cachedImage(for: large))
    #expect(shown.image.bitmap.size.width == 64)
    #expect(!shown.satisfies(large.target))
    #expect(try await pipeline.image(for: large).bitmap.size.width == 256)
    #expect(try await pipeline.image(for: ImageRequest(source, target: .box(64, 64))).origin == .memory)
    #expect(asked == ["http://service.test/64", "http://service.test/256"])
  }

  @Test("the full picture is the original")
  func full() async throws {
    _ = try await pipeline.image(for: ImageRequest(try sized(), target: .full))
    #expect(asked == ["http://pictures.test/original"])
  }

  @Test("when the service fails the original is used", arguments: [404, 500, 200])
  func fallback(_ status: Int) async throws {
    let source = try sized()
    var reply = ScriptedLoader.Reply.text("no picture")
    reply.status = status
    scripted.loader.reply(to: "http://service.test/128", reply)
    var request = ImageRequest(source, target: .box(100, 100))
    request.retry = .never
    let response = try await pipeline.image(for: request)
    #expect(response.sourceSize.width == 4_000)
    #expect(asked == ["http://service.test/128", "http://pictures.test/original"])
  }
}
