import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What a request may be answered from", .timeLimit(.minutes(5)))
struct PolicyTests {
  let scripted = Scripted()
  var pipeline: ImagePipeline { scripted.pipeline }

  private func request(_ policy: ImageCachePolicy) -> ImageRequest {
    var request = ImageRequest(Scripted.address)
    request.policy = policy
    return request
  }

  @Test("reload asks the source though memory has the picture, and replaces it")
  func reload() async throws {
    _ = try await pipeline.image(for: request(.standard))
    scripted.loader.reply(to: Scripted.address, .data(ScriptedDecoder.picture(40, 30, "new")))
    let response = try await pipeline.image(for: request(.reload))
    #expect(response.origin == .network)
    #expect(scripted.loader.requests.last?.cachePolicy == .reloadIgnoringLocalCacheData)
    #expect(pipeline.cachedImage(for: request(.standard))?.image.bitmap[0, 0].red == UInt8(ascii: "n"))
    #expect(pipeline.cachedImage(for: request(.reload)) == nil)
  }

  @Test("a reload does not join a load that may be answered from a cache")
  func reloadDoesNotJoin() async throws {
    scripted.loader.gate.close()
    let first = pipeline.task(for: request(.standard))
    await scripted.loader.gate.arrived(1)
    let second = pipeline.task(for: request(.reload))
    await scripted.loader.gate.arrived(2)
    scripted.loader.gate.open()
    _ = try await (first.response, second.response)
    #expect(scripted.loader.counts.started == 2)
  }

  @Test("offline takes a stale picture from memory and never the network")
  func offline() async throws {
    var reply = ScriptedLoader.Reply.data(ScriptedDecoder.picture(40, 30))
    reply.freshUntil = scripted.now + 1
    scripted.loader.reply(to: Scripted.address, reply)
    _ = try await pipeline.image(for: request(.standard))
    scripted.advance(100)
    #expect(try await pipeline.image(for: request(.offline)).origin == .memory)
    pipeline.memory.removeAll()
    scripted.loader.reply(to: Scripted.address, .failure(HTTPError(.cacheMiss, "Nothing is stored.")))
    #expect(await failureCode(pipeline, request(.offline)) == "cache.miss")
    #expect(scripted.loader.requests.last?.cachePolicy == .returnCacheDataDontLoad)
    // One look: what is not stored is not stored the next moment either.
    #expect(pipeline.counters.retried == 0)
  }

  @Test("no-store leaves nothing behind and says so to the caches on the way")
  func noStore() async throws {
    let response = try await pipeline.image(for: request(.noStore))
    #expect(response.origin == .network)
    #expect(pipeline.memory.count == 0)
    #expect(scripted.loader.requests.last?.value(forHTTPHeaderField: "Cache-Control") == "no-store")
  }

  @Test("memory only answers from memory or with cache.miss")
  func memoryOnly() async throws {
    #expect(await failureCode(pipeline, request(.memoryOnly)) == "cache.miss")
    #expect(scripted.loader.counts.started == 0)
    _ = try await pipeline.image(for: request(.standard))
    #expect(try await pipeline.image(for: request(.memoryOnly)).origin == .memory)
  }

  @Test(
    "a URLRequest's own cache policy is kept",
    arguments: [
      (URLRequest.CachePolicy.reloadIgnoringLocalCacheData, ImageCachePolicy.reload),
      (.reloadRevalidatingCacheData, .reload), (.returnCacheDataDontLoad, .offline),
      (.useProtocolCachePolicy, .standard),
    ])
  func urlRequestPolicy(_ pair: (URLRequest.CachePolicy, ImageCachePolicy)) throws {
    let url = try #require(URL(string: Scripted.address))
    #expect(ImageRequest(URLRequest(url: url, cachePolicy: pair.0)).policy == pair.1)
  }

  @Test("a cancelled requester is not served from memory and does not keep a picture there")
  func cancelledRequester() async throws {
    _ = try await pipeline.image(for: request(.standard))
    let hits = pipeline.counters.memoryHits
    let gate = Turnstile()
    let task = Task { [pipeline] in
      try? await gate.pass()
      return try await pipeline.image(for: request(.standard))
    }
    await gate.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(pipeline.counters.memoryHits == hits)
  }
}
