import Foundation
import HTTPCaching
import Testing
import VignetteTesting

@Suite("The loader keeps ranges", .timeLimit(.minutes(5)))
struct RangeTests {
  let site = SiteStage()
  let body = RangedBody()

  private func part(_ first: Int, _ last: Int) async throws -> HTTPResult {
    let result = try await site.load("/a", ["Range": "bytes=\(first)-\(last)"])
    #expect(result.response.status == 206 && result.data == body.data[first...last])
    #expect(result.response.headers["Content-Range"] == "bytes \(first)-\(last)/100000")
    return result
  }

  @Test("a range that came answers itself and what lies within it, while it is fresh")
  func kept() async throws {
    site.serve(body)
    #expect(try await part(1000, 1999).cacheStatus.isStored)
    for (first, last) in [(1000, 1999), (1000, 1000), (1500, 1999)] {
      let result = try await part(first, last)
      #expect(result.origin == .memory && result.cacheStatus.isHit && result.entry == nil)
      #expect(result.freshUntil == site.clock.now + 60)
    }
    #expect(site.sent.count == 1)
    #expect(try await part(999, 1999).origin == .network)
    site.clock.advance(by: 60)
    #expect(try await part(1000, 1999).origin == .network)
    #expect(site.sent("If-Range") == nil && site.sent("If-None-Match") == nil)
  }

  @Test("what lies outside of the whole is answered from a part of it")
  func unsatisfiable() async throws {
    site.serve(body)
    _ = try await part(0, 9)
    let result = try await site.load("/a", ["Range": "bytes=100000-"])
    #expect(result.response.status == 416 && result.response.headers["Content-Range"] == "bytes */100000")
    #expect(result.data.isEmpty && site.sent.count == 1)
  }

  @Test("ranges combine, and once every byte is here the whole is a stored response")
  func combining() async throws {
    site.serve(body)
    for (first, last) in [(50_000, 99_999), (0, 29_999), (20_000, 54_999)] { _ = try await part(first, last) }
    #expect(site.sent.count == 3)
    let whole = try await site.load("/a")
    #expect(whole.origin == .memory && whole.response.status == 200 && whole.data == body.data)
    #expect(whole.response.headers["Content-Length"] == "100000" && whole.entry != nil)
    #expect(try await part(7, 77_777).origin == .memory)
    #expect(site.sent.count == 3)
    #expect(await site.loader.statistics().parts.entries == 0)
  }

  @Test("a range of another body does not mix with what was here")
  func changed() async throws {
    site.serve(body)
    _ = try await part(0, 49_999)
    var other = body
    other.tag = "\"2\""
    site.serve(other)
    _ = try await part(50_000, 99_999)
    #expect(try await site.load("/a").origin == .network)
  }

  @Test(
    "what is no single range of a body with a strong validator is passed on and not kept",
    arguments: [
      ["Content-Type": "multipart/byteranges; boundary=x", "Content-Range": ""], ["ETag": "W/\"1\""], ["ETag": ""],
      ["Content-Range": "bytes 0-9/*"], ["Content-Range": "bytes 0-8/100000"], ["Content-Range": "rubbish"],
      ["Content-Length": ""], ["Cache-Control": "no-store"], ["Content-Encoding": "gzip"], ["Vary": "*"],
    ])
  func passedOn(_ fields: [String: String]) async throws {
    var other = body
    other.fields = fields
    site.serve(other)
    for _ in 0..<2 {
      let result = try await site.load("/a", ["Range": "bytes=0-9"])
      #expect(result.response.status == 206 && result.data == body.data.prefix(10) && result.origin == .network)
      #expect(!result.cacheStatus.isStored)
    }
    #expect(await site.loader.statistics().parts.entries == 0)
  }

  @Test("a range of what is stored whole shows that it still holds")
  func confirming() async throws {
    site.serve(body)
    let whole = try await site.load("/a")
    site.clock.advance(by: 60)
    #expect(try await part(0, 9).origin == .network)
    let again = try await site.load("/a")
    #expect(again.origin == .memory && again.entry == whole.entry && site.sent.count == 2)
    // Of another body it shows nothing.
    site.clock.advance(by: 60)
    var other = body
    other.tag = "\"2\""
    site.serve(other)
    _ = try await part(0, 9)
    #expect(try await site.load("/a").origin == .network)
  }

  @Test("a beginning that was asked for is gone on with like one that broke off")
  func beginning() async throws {
    site.serve(body)
    _ = try await part(0, 16_382)
    #expect(try await site.load("/a").resumedBytes == 0)
    site.loader.removeAll()
    _ = try await part(0, 16_383)
    let whole = try await site.load("/a")
    #expect(whole.resumedBytes == 16_384 && whole.data == body.data)
  }

  @Test("a range that breaks off is kept as far as it came")
  func brokenOff() async throws {
    var cut = body
    cut.cut = (20_000, HTTPError(.reset, "cut"))
    site.serve(cut)
    await #expect(throws: HTTPError.self) { try await part(50_000, 79_999) }
    site.serve(body)
    #expect(try await part(50_000, 69_999).origin == .memory)
    #expect(try await part(50_000, 70_000).origin == .network)
  }

  @Test("only-if-cached is satisfied by a range that is here")
  func onlyIfCached() async throws {
    site.serve(body)
    _ = try await part(0, 9)
    let result = try await site.load("/a", ["Range": "bytes=5-9"], policy: .returnCacheDataDontLoad)
    #expect(result.data == body.data[5...9])
    await #expect(throws: HTTPError.self) {
      try await site.load("/a", ["Range": "bytes=5-10"], policy: .returnCacheDataDontLoad)
    }
  }
}
