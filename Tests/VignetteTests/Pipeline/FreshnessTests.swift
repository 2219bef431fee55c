import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import Vignette
import VignetteTesting

@Suite("Decoded pictures follow the freshness of their source", .timeLimit(.minutes(5)))
struct FreshnessTests {
  let scripted = Scripted()
  let request = ImageRequest(Scripted.address)
  var pipeline: ImagePipeline { scripted.pipeline }

  private func reply(_ word: String, freshFor seconds: Double?, origin: ScriptedLoader.Reply.Origin = .network) {
    var reply = ScriptedLoader.Reply.data(ScriptedDecoder.picture(40, 30, word))
    reply.freshUntil = seconds.map { scripted.now + $0 }
    reply.origin = origin
    scripted.loader.reply(to: Scripted.address, reply)
  }

  @Test("a fresh picture is answered from memory with no work")
  func fresh() async throws {
    reply("old", freshFor: 60)
    let first = try await pipeline.image(for: request)
    let second = try await pipeline.image(for: request)
    #expect(second.origin == .memory)
    #expect(second.bytes == 0)
    #expect(second.bitmap.isIdentical(to: first.bitmap))
    #expect(pipeline.counters.memoryHits == 1)
    #expect(scripted.loader.counts.started == 1)
  }

  @Test("a stale picture still shows at once but is not served as fresh")
  func stale() async throws {
    reply("old", freshFor: 60)
    _ = try await pipeline.image(for: request)
    scripted.advance(61)
    let entry = try #require(pipeline.cachedImage(for: request))
    #expect(!entry.isFresh(at: scripted.now))
    reply("new", freshFor: 60)
    let response = try await pipeline.image(for: request)
    #expect(response.origin == .network)
    #expect(response.bitmap[0, 0].red == UInt8(ascii: "n"))
    #expect(pipeline.cachedImage(for: request)?.image.bitmap[0, 0].red == UInt8(ascii: "n"))
  }

  @Test("a picture is stale from the very moment its freshness ends")
  func boundary() async throws {
    reply("old", freshFor: 60)
    _ = try await pipeline.image(for: request)
    scripted.advance(59.5)
    #expect(try await pipeline.image(for: request).origin == .memory)
    scripted.advance(0.5)
    #expect(try await pipeline.image(for: request).origin == .network)
  }

  @Test("revalidation that gives the same bytes keeps the decoded picture and makes it fresh")
  func sameBytes() async throws {
    reply("old", freshFor: 60)
    let first = try await pipeline.image(for: request)
    scripted.advance(61)
    reply("old", freshFor: 60, origin: .revalidated)
    let second = try await pipeline.image(for: request)
    #expect(second.origin == .revalidated)
    #expect(second.bitmap.isIdentical(to: first.bitmap))
    #expect(scripted.decoder.started == 1)
    #expect(try await pipeline.image(for: request).origin == .memory)
  }

  @Test("new bytes replace every size of the old picture")
  func newBytes() async throws {
    reply("old", freshFor: 60)
    _ = try await pipeline.image(for: request)
    scripted.advance(61)
    reply("new", freshFor: 60)
    _ = try await pipeline.image(for: request.with(target: .box(4, 3)))
    #expect(pipeline.memory.count == 1)
    #expect(pipeline.cachedImage(for: request)?.image.bitmap.size == PixelSize(width: 4, height: 3))
  }

  @Test("a stale picture survives a failed revalidation")
  func failedRevalidation() async throws {
    reply("old", freshFor: 60)
    _ = try await pipeline.image(for: request)
    scripted.advance(61)
    scripted.loader.reply(to: Scripted.address, .status(500))
    #expect(await failureCode(pipeline, request) == "http.500")
    #expect(pipeline.cachedImage(for: request) != nil)
  }

  @Test("what must not be stored is not kept, and takes the place of what was")
  func noStore() async throws {
    reply("old", freshFor: 0)
    _ = try await pipeline.image(for: request)
    #expect(pipeline.memory.count == 1)
    var reply = ScriptedLoader.Reply.data(ScriptedDecoder.picture(40, 30, "secret"))
    reply.mayBeStored = false
    scripted.loader.reply(to: Scripted.address, reply)
    #expect(try await pipeline.image(for: request).bitmap[0, 0].red == UInt8(ascii: "s"))
    #expect(pipeline.memory.count == 0)
    #expect(pipeline.cachedImage(for: request) == nil)
  }

  @Test("bytes that are no picture are forgotten, so that a retry asks the server")
  func forget() async throws {
    scripted.loader.reply(to: Scripted.address, .text("<html>"))
    #expect(await failureCode(pipeline, request) == "image.notAnImage")
    #expect(scripted.loader.forgotten == [Scripted.address])
    reply("good", freshFor: 60)
    #expect(try await pipeline.image(for: request).origin == .network)
    #expect(scripted.loader.forgotten.count == 1)
  }

  @Test("a larger picture in memory serves a smaller request; a smaller one does not serve a larger")
  func variants() async throws {
    reply("old", freshFor: 60)
    _ = try await pipeline.image(for: request.with(target: .box(20, 15)))
    #expect(try await pipeline.image(for: request.with(target: .box(4, 3))).origin == .memory)
    #expect(try await pipeline.image(for: request).origin == .network)
    #expect(pipeline.cachedImage(for: request.with(target: .box(4, 3)))?.image.bitmap.size.width == 20)
  }
}

extension ScriptedLoader.Reply {
  typealias Origin = HTTPResult.Origin
}
