import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Decoded pictures follow what the server says", .timeLimit(.minutes(5)))
struct HTTPFreshnessTests {
  /// A server with one picture, and a pipeline whose HTTP cache and freshness share a clock.
  private final class Page: Sendable {
    let clock = ManualClock()
    let server: ScriptedServer
    let pipeline: ImagePipeline

    init(_ respond: @escaping @Sendable (Data) -> ScriptedServer.Response) throws {
      let size = PixelSize(width: 8, height: 6)
      let picture = try ImageEncoder.png(
        Bitmap(size: size, isOpaque: true) { $0.copyBytes(from: 0..<UInt8(8 * 6 * 4)) })
      server = try ScriptedServer { _ in respond(picture) }
      var caching = HTTPLoader.Configuration()
      caching.clock = clock.wall
      let loader = HTTPLoader(transport: PlatformTransport.shared, configuration: caching)
      var configuration = ImagePipeline.Configuration(loader: .http(loader))
      configuration.now = { [clock] in clock.now }
      pipeline = ImagePipeline(configuration: configuration)
    }

    deinit { server.stop() }

    var request: ImageRequest { ImageRequest(url: server.url("/a.png")) }

    func load(_ target: DecodeTarget = .full) async throws -> ImageResponse {
      try await pipeline.image(for: request.with(target: target))
    }
  }

  @Test("a fresh picture is not asked for again; a stale one is, and keeps its pixels when its bytes are the same")
  func maxAge() async throws {
    let page = try Page { .data($0, type: "image/png").cacheControl("max-age=60") }
    let first = try await page.load()
    page.clock.advance(by: 59)
    #expect(try await page.load().origin == .memory)
    page.clock.advance(by: 2)
    #expect(page.pipeline.cachedImage(for: page.request) != nil)
    let second = try await page.load()
    #expect(second.origin == .network)
    #expect(second.bitmap.isIdentical(to: first.bitmap))
    #expect(page.pipeline.counters.decodes == 1)
    #expect(try await page.load().origin == .memory)
    #expect(page.server.log.count(of: "/a.png") == 2)
  }

  @Test("another size of a fresh picture comes from the HTTP cache")
  func otherSize() async throws {
    let page = try Page { .data($0, type: "image/png").cacheControl("max-age=60") }
    #expect(try await page.load(.box(4, 3)).origin == .network)
    let full = try await page.load()
    #expect(full.origin == .memory)
    #expect(full.bytes > 0)
    #expect(page.pipeline.counters.cachedLoads == 1)
    #expect(page.server.log.count(of: "/a.png") == 1)
  }

  @Test("what must not be stored is loaded each time and kept nowhere", arguments: ["no-store", "private, no-store"])
  func noStore(_ directive: String) async throws {
    let page = try Page { .data($0, type: "image/png").cacheControl(directive) }
    #expect(try await page.load().origin == .network)
    #expect(page.pipeline.cachedImage(for: page.request) == nil)
    #expect(try await page.load().origin == .network)
    #expect(page.server.log.count(of: "/a.png") == 2)
  }

  @Test("what is not fresh at all shows at once and is asked for each time", arguments: ["no-cache", "max-age=0"])
  func noCache(_ directive: String) async throws {
    let page = try Page { .data($0, type: "image/png").cacheControl(directive) }
    _ = try await page.load()
    #expect(page.pipeline.cachedImage(for: page.request) != nil)
    #expect(try await page.load().origin == .network)
    #expect(page.pipeline.counters.decodes == 1)
  }
}
