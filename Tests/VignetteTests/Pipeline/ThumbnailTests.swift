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

@Suite("Thumbnails are kept with their source", .timeLimit(.minutes(5)))
struct ThumbnailTests {
  /// A server with one large picture, and pipelines that share its HTTP cache but not their memory, as two starts of an
  /// app do.
  private final class Page: Sendable {
    let clock = ManualClock()
    let server: ScriptedServer
    let loader: HTTPLoader
    let body = Locked(Data())

    init(etag: String = "\"1\"", maxAge: Int = 60) throws {
      let body = body
      body.withLock { $0 = Page.picture(7) }
      server = try ScriptedServer { request in
        if request.headers["If-None-Match"] == etag {
          return .status(304).header("ETag", etag).cacheControl("max-age=\(maxAge)")
        }
        return .data(body.withLock { $0 }, type: "image/jpeg").header("ETag", etag).cacheControl("max-age=\(maxAge)")
      }
      var caching = HTTPLoader.Configuration()
      caching.clock = clock.wall
      loader = HTTPLoader(transport: PlatformTransport.shared, configuration: caching)
    }

    deinit { server.stop() }

    static func picture(_ seed: Int) -> Data {
      let size = PixelSize(width: 800, height: 600)
      let bitmap = Bitmap(size: size, isOpaque: true) { bytes in
        for at in stride(from: 0, to: bytes.count, by: 4) {
          let value = at / 4 * (2 * seed + 1)
          bytes[at] = UInt8(truncatingIfNeeded: value >> 3)
          bytes[at + 1] = UInt8(truncatingIfNeeded: value >> 9)
          bytes[at + 2] = UInt8(truncatingIfNeeded: value)
          bytes[at + 3] = 255
        }
      }
      return (try? ImageEncoder.jpeg(bitmap, quality: 95)) ?? Data()
    }

    func start(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
      var configuration = ImagePipeline.Configuration(loader: .http(loader))
      configuration.now = { [clock] in clock.now }
      configuration.memoryPressure = .none
      configure(&configuration)
      return ImagePipeline(configuration: configuration)
    }

    func request(_ path: String = "/a.jpg", _ target: DecodeTarget = .box(80, 80)) -> ImageRequest {
      ImageRequest(url: server.url(path), target: target)
    }

    /// Loads a picture and waits until its thumbnail is stored.
    func prime(_ request: ImageRequest) async throws -> ImageResponse {
      let pipeline = start()
      let response = try await pipeline.image(for: request)
      await pipeline.flush()
      #expect(pipeline.counters.thumbnailsStored == 1)
      return response
    }
  }

  private static let name =
    Thumbnail.name(for: .box(PixelSize(width: 80, height: 80), .fit), colors: .platformDefault) ?? ""

  @Test("a second start decodes the thumbnail and neither asks the server nor decodes the source")
  func secondStart() async throws {
    let page = try Page()
    let first = try await page.prime(page.request())
    let pipeline = page.start()
    let second = try await pipeline.image(for: page.request())
    #expect(second.origin == .thumbnail)
    #expect(second.bitmap.size == PixelSize(width: 80, height: 60))
    #expect(second.sourceSize == first.sourceSize)
    #expect(second.bytes < Page.picture(7).count / 4)
    #expect(try #require(BitmapDifference(first.bitmap, second.bitmap)).mean < 3)
    #expect(pipeline.counters.decodes == 0 && pipeline.counters.thumbnailHits == 1)
    #expect(page.server.log.count(of: "/a.jpg") == 1)
    #expect(try await pipeline.image(for: page.request()).origin == .memory)
  }

  @Test("a thumbnail does not answer for a larger size")
  func otherSize() async throws {
    let page = try Page()
    _ = try await page.prime(page.request())
    let pipeline = page.start()
    _ = try await pipeline.image(for: page.request())
    let larger = try await pipeline.image(for: page.request("/a.jpg", .box(400, 400)))
    #expect(larger.bitmap.size == PixelSize(width: 400, height: 300))
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("a stale source is confirmed first, and then its thumbnail is good again")
  func revalidated() async throws {
    let page = try Page()
    _ = try await page.prime(page.request())
    page.clock.advance(by: 61)
    let pipeline = page.start()
    #expect(try await pipeline.image(for: page.request()).origin == .thumbnail)
    #expect(pipeline.counters.revalidatedLoads == 1 && pipeline.counters.decodes == 0)
    #expect(page.server.log.count(of: "/a.jpg") == 2)
  }

  @Test("a source that has changed takes its thumbnails with it")
  func changed() async throws {
    let page = try Page(etag: "")
    _ = try await page.prime(page.request())
    page.body.withLock { $0 = Page.picture(99) }
    page.clock.advance(by: 61)
    let pipeline = page.start()
    let response = try await pipeline.image(for: page.request())
    #expect(response.origin == .network)
    #expect(pipeline.counters.thumbnailHits == 0)
  }

  @Test("deleting the source deletes its thumbnails")
  func deleted() async throws {
    let page = try Page()
    _ = try await page.prime(page.request())
    page.loader.removeAll()
    #expect(try await page.start().image(for: page.request()).origin == .network)
  }

  @Test("one user's thumbnails are not another's")
  func twoUsers() async throws {
    let page = try Page()
    func request(_ user: String) -> ImageRequest {
      var request = URLRequest(url: page.server.url("/a.jpg"))
      request.setValue(user, forHTTPHeaderField: "Authorization")
      return ImageRequest(request, target: .box(80, 80))
    }
    _ = try await page.prime(request("ann"))
    #expect(try await page.start().image(for: request("bob")).origin == .network)
    #expect(try await page.start().image(for: request("ann")).origin == .thumbnail)
  }

  @Test("reload, no-store and pipelines that keep no thumbnails do without")
  func without() async throws {
    let page = try Page()
    var request = page.request()
    request.policy = .noStore
    let pipeline = page.start()
    _ = try await pipeline.image(for: request)
    _ = try await page.start { $0.storesThumbnails = false }.image(for: page.request("/b.jpg"))
    await pipeline.flush()
    #expect(
      await page.loader.attachment(named: Self.name, for: URLRequest(url: page.server.url("/b.jpg")))
        == nil)
    _ = try await page.prime(page.request())
    request.policy = .reload
    #expect(try await page.start().image(for: request).origin == .network)
  }

  @Test("a new response with the same bytes gets the thumbnail that memory has")
  func sameBytesAnew() async throws {
    let page = try Page()
    let pipeline = page.start()
    _ = try await pipeline.image(for: page.request())
    var again = page.request()
    again.policy = .reload
    #expect(try await pipeline.image(for: again).origin == .network)
    await pipeline.flush()
    #expect(pipeline.counters.decodes == 1 && pipeline.counters.thumbnailsStored == 2)
    #expect(try await page.start().image(for: page.request()).origin == .thumbnail)
  }

  @Test("a damaged thumbnail is no thumbnail", arguments: [0, 3, 31, 32, 40, 400])
  func damaged(_ length: Int) async throws {
    let page = try Page()
    _ = try await page.prime(page.request())
    let stored = try #require(
      await page.loader.attachment(named: Self.name, for: URLRequest(url: page.server.url("/a.jpg"))))
    await page.loader.attach(stored.data.prefix(length), named: Self.name, to: stored.entry)
    let response = try await page.start().image(for: page.request())
    #expect(response.origin == .memory || response.origin == .disk)
    #expect(response.bitmap.size == PixelSize(width: 80, height: 60))
  }

  @Test("what comes back from a thumbnail's bytes is what went in")
  func roundTrip() throws {
    let bitmap = Bitmap(size: PixelSize(width: 3, height: 2), isOpaque: true) { bytes in
      for at in bytes.indices { bytes[at] = at % 4 == 3 ? 255 : 90 }
    }
    let info = ImageInfo(
      format: .webp, storedSize: PixelSize(width: 4_000, height: 70_000), orientation: .left, hasAlpha: true)
    let contents = ContentID(count: 5_000_000_000, hash: 0xFEDC_BA98_7654_3210)
    let data = try Thumbnail(image: DecodedImage(bitmap: bitmap, info: info), contents: contents).encoded()
    let back = try #require(try Thumbnail(data, colors: .sRGB) { false })
    #expect(back.image.info == info && back.contents == contents)
    #expect(back.image.bitmap.size == bitmap.size)
  }

  @Test("every byte counts in a content's identity")
  func contentID() {
    let data = Data((0..<100).map { UInt8($0) })
    let id = ContentID(hashing: data)
    #expect(id == ContentID(hashing: Data(data)))
    for at in data.indices {
      var other = data
      other[at] ^= 1
      #expect(ContentID(hashing: other) != id)
    }
    #expect(ContentID(hashing: data.dropLast()) != id)
    #expect(ContentID(hashing: Data(count: 64)) != ContentID(hashing: Data(count: 96)))
  }
}
