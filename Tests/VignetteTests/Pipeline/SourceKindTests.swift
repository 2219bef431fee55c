import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Where a picture's bytes come from", .timeLimit(.minutes(5)))
struct SourceKindTests {
  let scripted = Scripted()
  var pipeline: ImagePipeline { scripted.pipeline }

  @Test("a sequence of pieces makes one picture, and tells how far it is")
  func chunks() async throws {
    let whole = ScriptedDecoder.picture(40, 30)
    let seen = Locked<[Int]>([])
    let request = ImageRequest(id: "pieces") {
      AsyncStream<Data> { continuation in
        for byte in whole { continuation.yield(Data([byte])) }
        continuation.finish()
      }
    }
    let response = try await pipeline.image(for: request) { progress in seen.withLock { $0.append(progress.received) } }
    #expect(response.sourceSize == PixelSize(width: 40, height: 30))
    #expect(seen.withLock { $0 } == Array(1...whole.count))
  }

  @Test("an endless sequence ends at the limit")
  func endless() async throws {
    var request = ImageRequest(id: "endless") { AsyncStream<Data> { Data(repeating: 0, count: 1_000) } }
    request.transport.maximumBodyBytes = 10_000
    #expect(await failureCode(pipeline, request) == "body.tooLarge")
  }

  @Test("cancelling stops a sequence between pieces")
  func cancelChunks() async throws {
    let gate = Turnstile()
    let request = ImageRequest(id: "slow") {
      AsyncStream<Data> {
        do { try await gate.pass() } catch { return nil }
        return Data([0])
      }
    }
    let task = pipeline.task(for: request)
    await gate.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.response }
    await eventually { [pipeline] in pipeline.activeWork == 0 }
  }

  @Test("a closure that answers without waiting is a request like any other")
  func synchronous() async throws {
    let request = ImageRequest(id: "now") { ScriptedDecoder.picture(4, 3) }
    for _ in 0..<100 {
      pipeline.memory.removeAll()
      #expect(try await pipeline.image(for: request).sourceSize == PixelSize(width: 4, height: 3))
    }
    #expect(pipeline.activeWork == 0)
  }

  @Test("bytes that turn out to be no picture fail, are forgotten, and are asked for again")
  func validationAfterData() async throws {
    scripted.loader.reply(to: Scripted.address, .text("<html>"))
    #expect(await failureCode(pipeline, ImageRequest(Scripted.address)) == "image.notAnImage")
    #expect(scripted.loader.forgotten == [Scripted.address])
    scripted.loader.reply(to: Scripted.address, .data(ScriptedDecoder.picture(4, 3)))
    #expect(try await pipeline.image(for: ImageRequest(Scripted.address)).origin == .network)
  }

  // MARK: Alternatives

  private func request(alternatives: [String]) -> ImageRequest {
    var request = ImageRequest(Scripted.address)
    request.alternatives = alternatives.compactMap { URL(string: $0).map { URLRequest(url: $0) } }
    return request
  }

  @Test("alternatives are tried in order until one is a picture", arguments: [404, 200])
  func alternatives(_ firstStatus: Int) async throws {
    var first = ScriptedLoader.Reply.text("no picture")
    first.status = firstStatus
    scripted.loader.reply(to: Scripted.address, first)
    scripted.loader.reply(to: "http://mirror.test/2", .data(ScriptedDecoder.picture(8, 6)))
    let request = request(alternatives: ["http://mirror.test/1", "http://mirror.test/2", "http://mirror.test/3"])
    let response = try await pipeline.image(for: request)
    #expect(response.sourceSize == PixelSize(width: 8, height: 6))
    #expect(
      scripted.loader.requests.map { $0.url?.absoluteString } == [
        Scripted.address, "http://mirror.test/1", "http://mirror.test/2",
      ])
    #expect(pipeline.counters.alternatives == 2)
  }

  @Test("what an alternative gave shows at once and is not taken for the picture itself")
  func alternativeIsStale() async throws {
    scripted.loader.reply(to: Scripted.address, .status(404))
    scripted.loader.reply(to: "http://mirror.test/1", .data(ScriptedDecoder.picture(8, 6)))
    let request = request(alternatives: ["http://mirror.test/1"])
    _ = try await pipeline.image(for: request)
    #expect(pipeline.cachedImage(for: request) != nil)
    scripted.advance(60)
    scripted.loader.reply(to: Scripted.address, .data(ScriptedDecoder.picture(40, 30)))
    #expect(try await pipeline.image(for: request).sourceSize == PixelSize(width: 40, height: 30))
  }

  @Test("when all fail, the error is the first one's")
  func allFail() async {
    scripted.loader.reply(to: Scripted.address, .status(403))
    #expect(await failureCode(pipeline, request(alternatives: ["http://mirror.test/1"])) == "http.403")
  }

  @Test("in Low Data Mode the smaller alternative is fetched, and the picture itself when that fails")
  func lowData() async throws {
    let isConstrained = Locked(true)
    let scripted = Scripted { configuration in
      configuration.network.isConstrained = { isConstrained.withLock { $0 } }
    }
    scripted.loader.reply(to: "http://small.test/", .data(ScriptedDecoder.picture(8, 6)))
    var request = ImageRequest(Scripted.address)
    request.lowDataAlternative = URL(string: "http://small.test/").map { URLRequest(url: $0) }
    #expect(try await scripted.pipeline.image(for: request).sourceSize.width == 8)
    isConstrained.withLock { $0 = false }
    #expect(try await scripted.pipeline.image(for: request).sourceSize.width == 40)
    isConstrained.withLock { $0 = true }
    scripted.loader.reply(to: "http://small.test/", .status(500))
    scripted.pipeline.memory.removeAll()
    #expect(try await scripted.pipeline.image(for: request).sourceSize.width == 40)
  }

  // MARK: Signing

  @Test("the request is signed each time it is sent, and the signature is no part of the key")
  func signing() async throws {
    let count = Locked(0)
    var request = ImageRequest(Scripted.address)
    request.prepare = { original in
      var signed = original
      signed.setValue("key \(count.withLock { $0 += 1; return $0 })", forHTTPHeaderField: "Authorization")
      return signed
    }
    scripted.loader.reply(to: Scripted.address, .status(503))
    _ = await failureCode(pipeline, request)
    #expect(
      scripted.loader.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [
        "key 1", "key 2", "key 3",
      ])
    #expect(request.key == ImageRequest(Scripted.address).key)
  }

  @Test("cancelling while the request is being signed ends it, and nothing is sent")
  func cancelSigning() async throws {
    let gate = Turnstile()
    var request = ImageRequest(Scripted.address)
    request.prepare = { original in
      try await gate.pass()
      return original
    }
    let task = pipeline.task(for: request)
    await gate.arrived(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.response }
    await eventually { [pipeline] in pipeline.activeWork == 0 && pipeline.coordinator.isIdle }
    #expect(scripted.loader.counts.started == 0)
  }

  @Test("a hook that fails, gives up or leaves no web address fails the request with a code", arguments: [0, 1, 2])
  func badHook(_ kind: Int) async {
    struct NoKey: Error {}
    var request = ImageRequest(Scripted.address)
    request.prepare = { original in
      if kind == 0 { throw NoKey() }
      if kind == 1 { throw CancellationError() }
      var changed = original
      changed.url = URL(string: "file:///etc/passwd")
      return changed
    }
    #expect(await failureCode(pipeline, request) == (kind == 2 ? "url.invalid" : "source.failed"))
  }

  // MARK: Identity

  @Test("signed addresses of one picture are one picture")
  func ignoringQueryItems() async throws {
    func request(_ signature: String) -> ImageRequest {
      let address = "http://store.test/a.jpg?w=1&X-Amz-Signature=\(signature)&X-Amz-Date=2&v=3#top"
      scripted.loader.reply(to: address, .data(ScriptedDecoder.picture(40, 30)))
      guard let url = URL(string: address) else { return ImageRequest(address) }
      return ImageRequest(url: url, identity: .ignoringQueryItems(RequestIdentity.signatureQueryItems))
    }
    #expect(request("a").key == request("b").key)
    #expect(request("a").cacheName == "http://store.test/a.jpg?w=1&v=3")
    _ = try await pipeline.image(for: request("a"))
    #expect(try await pipeline.image(for: request("b")).origin == .memory)
  }

  @Test("a key of one's own stands for the address, and not for the headers")
  func ownKey() throws {
    var first = URLRequest(url: try #require(URL(string: "http://a.test/1")))
    let second = URLRequest(url: try #require(URL(string: "http://b.test/2")))
    #expect(ImageRequest(first, identity: .key("x")).key == ImageRequest(second, identity: .key("x")).key)
    #expect(ImageRequest(first, identity: .key("x")).key != ImageRequest(first, identity: .key("y")).key)
    first.setValue("ann", forHTTPHeaderField: "Authorization")
    #expect(ImageRequest(first, identity: .key("x")).key != ImageRequest(second, identity: .key("x")).key)
  }

  @Test(
    "filters leave the rest of an address as it is",
    arguments: [
      ("http://a.test/", "http://a.test/"), ("http://a.test/?sig=1", "http://a.test/"),
      ("http://a.test/?a=1&sig=2", "http://a.test/?a=1"), ("http://a.test/?sig&b", "http://a.test/?b"),
      ("http://a.test/?sign=1", "http://a.test/?sign=1"), ("http://a.test/?", "http://a.test/?"),
      ("http://a.test/?a=&&b=1&sig=x", "http://a.test/?a=&&b=1"),
    ])
  func filter(_ pair: (String, String)) {
    #expect(RequestIdentity.ignoringQueryItems(["sig"]).name(of: pair.0) == pair.1)
  }
}
