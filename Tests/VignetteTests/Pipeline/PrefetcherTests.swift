import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Prefetching", .timeLimit(.minutes(5)))
struct PrefetcherTests {
  let scripted = Scripted()

  private func requests(_ range: Range<Int>) -> [ImageRequest] {
    range.map { number in
      let address = "http://pictures.test/\(number)"
      scripted.loader.reply(to: address, .data(ScriptedDecoder.picture(40, 30)))
      return ImageRequest(address, target: .box(8, 6))
    }
  }

  private func finished(_ prefetcher: ImagePrefetcher) async { await eventually { prefetcher.progress.remaining == 0 } }

  @Test("what was prefetched is in memory when a view asks")
  func toMemory() async throws {
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline)
    let requests = requests(0..<20)
    prefetcher.start(requests)
    await finished(prefetcher)
    #expect(prefetcher.progress == ImagePrefetcher.Progress(finished: 20, failed: 0, remaining: 0))
    for request in requests { #expect(scripted.pipeline.cachedImage(for: request) != nil) }
  }

  @Test("what goes to disk alone is fetched and not decoded")
  func toDisk() async throws {
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline, destination: .disk)
    prefetcher.start(requests(0..<5))
    await finished(prefetcher)
    #expect(scripted.loader.counts.finished == 5)
    #expect(scripted.decoder.started == 0 && scripted.pipeline.memory.count == 0)
  }

  @Test("no more than the limit are under way, and what has not started can be taken back without a trace")
  func stopUnstarted() async throws {
    scripted.loader.gate.close()
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline, limit: 3)
    let requests = requests(0..<10)
    prefetcher.start(requests)
    await scripted.loader.gate.arrived(3)
    prefetcher.stop(Array(requests[3...]))
    #expect(prefetcher.progress.remaining == 3)
    scripted.loader.gate.open()
    await finished(prefetcher)
    #expect(scripted.loader.counts.started == 3)
    #expect(scripted.pipeline.counters.requests == 3)
  }

  @Test("stopping what is under way cancels it, unless somebody else waits for it")
  func stopStarted() async throws {
    scripted.loader.gate.close()
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline)
    let requests = requests(0..<2)
    prefetcher.start(requests)
    await scripted.loader.gate.arrived(2)
    let seen = scripted.pipeline.task(for: requests[0])
    await eventually { [scripted] in scripted.pipeline.counters.coalesced == 1 }
    prefetcher.stopAll()
    await eventually { [scripted] in scripted.loader.counts.cancelled == 1 }
    scripted.loader.gate.open()
    #expect(try await seen.response.origin == .network)
    #expect(scripted.loader.counts.finished == 1)
    #expect(prefetcher.progress.remaining == 0)
  }

  @Test("while paused nothing more starts")
  func pause() async throws {
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline)
    prefetcher.isPaused = true
    prefetcher.start(requests(0..<5))
    #expect(prefetcher.progress.remaining == 5)
    #expect(scripted.pipeline.counters.requests == 0)
    prefetcher.isPaused = false
    await finished(prefetcher)
    #expect(prefetcher.progress.finished == 5)
  }

  @Test("the same request twice is one item, and failures are counted")
  func progress() async throws {
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline)
    prefetcher.isPaused = true
    prefetcher.start(requests(0..<2) + requests(0..<2) + [ImageRequest("http://pictures.test/missing")])
    var seen: [ImagePrefetcher.Progress] = []
    prefetcher.isPaused = false
    for await progress in prefetcher.progressUpdates() {
      seen.append(progress)
      if progress.remaining == 0 { break }
    }
    #expect(seen.last == ImagePrefetcher.Progress(finished: 2, failed: 1, remaining: 0))
    #expect(seen.allSatisfy { $0.total == 3 })
  }

  @Test("letting go of a prefetcher stops it")
  func release() async throws {
    scripted.loader.gate.close()
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(pipeline: scripted.pipeline, limit: 2)
    prefetcher?.start(requests(0..<10))
    await scripted.loader.gate.arrived(2)
    prefetcher = nil
    await eventually { [scripted] in scripted.pipeline.coordinator.isIdle }
    #expect(prefetcher == nil)
    #expect(scripted.loader.counts.started == 2)
  }

  @Test(
    "a prefetch and a view of the same size have the same key",
    arguments: [(100.0, 75.0, 1.0), (33.3, 20.1, 2), (64, 64, 3)])
  func sameKey(_ view: (width: Double, height: Double, scale: Double)) throws {
    let url = try #require(URL(string: Scripted.address))
    let offered = DecodeTarget.covering(width: view.width * view.scale, height: view.height * view.scale)
    let prefetched = ImageRequest(
      url: url, target: .view(width: view.width, height: view.height, displayScale: view.scale))
    #expect(prefetched.key == ImageRequest(url: url).with(target: offered).key)
  }

  @Test("views without a sensible size ask for no less than a picture", arguments: [Double.nan, 0, -5, .infinity])
  func senseless(_ side: Double) {
    let target = DecodeTarget.view(width: side, height: side, displayScale: 2)
    #expect(target == .full || target == .box(64, 64, .fill))
    #expect(DecodeTarget.view(width: 100, height: 100, displayScale: side) != .box(0, 0))
  }

  @Test("random starts, stops and pauses leave nothing under way")
  func randomWalk() async throws {
    var random = SeededRandom()
    let prefetcher = ImagePrefetcher(pipeline: scripted.pipeline, limit: 3)
    let requests = requests(0..<30)
    for _ in 0..<500 {
      let some = Array(requests.shuffled(using: &random).prefix(3))
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: prefetcher.start(some)
      case 2: prefetcher.stop(some)
      case 3: prefetcher.isPaused.toggle()
      default: await Task.yield()
      }
    }
    prefetcher.isPaused = false
    await finished(prefetcher)
    let counters = scripted.pipeline.counters
    await eventually { [scripted] in scripted.pipeline.coordinator.isIdle }
    #expect(prefetcher.progress.failed == 0, "seed \(random.seed)")
    #expect(counters.requests >= counters.successes, "seed \(random.seed)")
  }
}
