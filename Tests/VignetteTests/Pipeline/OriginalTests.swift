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

@Suite("What is stored is the original, whole and as it came", .timeLimit(.minutes(5)))
struct OriginalTests {
  /// A server that answers one path, and pipelines that share its HTTP cache.
  private final class Page: Sendable {
    let server: ScriptedServer
    let loader: HTTPLoader
    let answer: Locked<ScriptedServer.Response>

    init(_ first: ScriptedServer.Response) throws {
      let answer = Locked(first)
      self.answer = answer
      server = try ScriptedServer { _ in answer.withLock { $0 } }
      loader = HTTPLoader(transport: PlatformTransport.shared)
    }

    deinit { server.stop() }

    func start() -> ImagePipeline {
      var configuration = ImagePipeline.Configuration(loader: .http(loader))
      configuration.memoryPressure = .none
      configuration.retry = .never
      return ImagePipeline(configuration: configuration)
    }

    func request(_ target: DecodeTarget) -> ImageRequest { ImageRequest(url: server.url("/a"), target: target) }

    /// The stored bytes; `nil` when nothing is stored.
    func stored() async throws -> Data? {
      var request = URLRequest(url: server.url("/a"))
      request.cachePolicy = .returnCacheDataDontLoad
      do { return try await loader.data(for: request).data } catch let error as HTTPError {
        #expect(error.code == .cacheMiss)
        return nil
      }
    }

    func thumbnail(_ target: DecodeTarget) async -> Data? {
      guard let name = Thumbnail.name(for: target, colors: .platformDefault) else { return nil }
      var request = URLRequest(url: server.url("/a"))
      request.cachePolicy = .returnCacheDataDontLoad
      return await loader.attachment(named: name, for: request)?.data
    }
  }

  private static func animation() throws -> Data {
    let url = try #require(
      Bundle.module.url(forResource: "animated", withExtension: "webp", subdirectory: "Fixtures"))
    return try Data(contentsOf: url)
  }

  /// Large enough to be worth a thumbnail.
  private static func noise() throws -> Data {
    var random = SeededRandom(seed: 1)
    let bitmap = Bitmap(size: PixelSize(width: 160, height: 120), isOpaque: true) { bytes in
      for at in bytes.indices { bytes[at] = at % 4 == 3 ? 255 : .random(in: 0...255, using: &random) }
    }
    return try ImageEncoder.png(bitmap)
  }

  private static let small = DecodeTarget.box(40, 40)

  /// How a transfer ends before its end.
  enum Cut: String, CaseIterable, CustomTestStringConvertible {
    case closed, reset, declaredLonger, chunkedWithoutEnd

    var testDescription: String { rawValue }

    func cut(_ response: ScriptedServer.Response) -> ScriptedServer.Response {
      // Far enough that a decoder has rows to show.
      let most = response.body.count * 9 / 10
      return switch self {
      case .closed: response.cut(after: most, .close)
      case .reset: response.cut(after: most, .reset)
      case .declaredLonger: response.declaringLength(response.body.count + 1)
      case .chunkedWithoutEnd: response.chunked(by: 1_000, terminated: false)
      }
    }
  }

  @Test("a transfer that is cut short leaves nothing anywhere, and the next one is whole", arguments: Cut.allCases)
  func cutShort(_ cut: Cut) async throws {
    let picture = try Self.noise()
    let whole = ScriptedServer.Response.data(picture, type: "image/png").cacheControl("max-age=60")
    let page = try Page(cut.cut(whole))
    let pipeline = page.start()
    for target in [Self.small, .full] {
      let code = await failureCode(pipeline, page.request(target))
      #expect(code == "body.truncated" || (cut == .reset && code == "transport.reset"))
    }
    #expect(pipeline.memory.count == 0)
    #expect(pipeline.cachedImage(for: page.request(Self.small)) == nil)
    #expect(pipeline.counters.decodes == 0 && pipeline.counters.thumbnailsStored == 0)
    #expect(pipeline.storing.count == 0)
    #expect(try await page.stored() == nil)
    #expect(await page.thumbnail(Self.small) == nil)

    page.answer.withLock { $0 = whole }
    #expect(try await pipeline.image(for: page.request(Self.small)).origin == .network)
    #expect(try await page.stored() == picture)
  }

  #if !canImport(Darwin)  // Apple's systems before iOS 14 have no WebP.
    @Test("an animation is stored byte for byte, and no still takes its place")
    func animated() async throws {
      let animation = try Self.animation()
      let page = try Page(.data(animation, type: "image/webp").cacheControl("max-age=60"))
      let first = page.start()
      let small = try await first.image(for: page.request(Self.small))
      // The first frame: its red is 200, that of the second is 0.
      #expect(small.bitmap.size == PixelSize(width: 40, height: 30) && small.bitmap[20, 15].red > 180)
      await first.flush()
      #expect(first.counters.thumbnailsStored == 0)
      #expect(await page.thumbnail(Self.small) == nil)
      #expect(try await page.stored() == animation)

      let second = page.start()
      // The stored source, in memory or on disk.
      let again = try await second.image(for: page.request(Self.small))
      #expect(again.origin == .memory || again.origin == .disk)
      #expect(try await second.sourceBytes(for: page.request(Self.small)) == animation)
      let full = try await second.image(for: page.request(.full))
      #expect(full.bitmap.size == PixelSize(width: 160, height: 120) && full.bytes == animation.count)
      #expect(page.server.log.count(of: "/a") == 1)
    }
  #endif
}
