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

@Suite("Requests through sessions of the application", .timeLimit(.minutes(5)))
struct SessionTests {
  /// A server whose picture is as many pixels wide as the user's name has letters; one pixel for nobody.
  private final class Page: Sendable {
    let server: ScriptedServer
    let pipeline = ImagePipeline(
      configuration: ImagePipeline.Configuration(loader: .http(HTTPLoader(transport: PlatformTransport.shared))))

    init(failing: String? = nil) throws {
      server = try ScriptedServer { request in
        if request.path == failing { return .status(404) }
        let width = max(1, request.headers["X-User"]?.utf8.count ?? 0)
        let bitmap = Bitmap(size: PixelSize(width: width, height: 1), isOpaque: true) { _ in }
        guard let data = try? ImageEncoder.png(bitmap) else { return .status(500) }
        return .data(data, type: "image/png").cacheControl("max-age=60")
      }
    }

    deinit { server.stop() }

    func width(_ request: ImageRequest) async throws -> Int {
      try await pipeline.image(for: request).bitmap.size.width
    }
  }

  private func session(_ user: String) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-User": user]
    return URLSession(configuration: configuration)
  }

  @Test("two sessions, and none, never share a picture or a response")
  func neverShared() async throws {
    let page = try Page()
    let request = ImageRequest(url: page.server.url("/a.png"))
    let (one, other) = (session("bo"), session("alice"))
    for _ in 0..<2 {
      #expect(try await page.width(request) == 1)
      #expect(try await page.width(request.with(session: one)) == 2)
      #expect(try await page.width(request.with(session: other)) == 5)
    }
    #expect(page.server.log.count(of: "/a.png") == 3)
    page.pipeline.memory.removeAll()
    #expect(try await page.width(request.with(session: one)) == 2)
    #expect(try await page.width(request) == 1)
    #expect(page.server.log.count(of: "/a.png") == 3, "each has a response of its own")
  }

  @Test("at the same time they do not join either")
  func neverJoined() async throws {
    let page = try Page()
    let request = ImageRequest(url: page.server.url("/a.png"))
    let (one, other) = (session("bo"), session("alice"))
    async let first = page.width(request.with(session: one))
    async let second = page.width(request.with(session: other))
    async let third = page.width(request)
    let widths = try await [first, second, third]
    #expect(widths == [2, 5, 1])
  }

  @Test("what is fetched in place of the picture is the session's too")
  func alternatives() async throws {
    let page = try Page(failing: "/a.png")
    var request = ImageRequest(url: page.server.url("/a.png"))
    request.alternatives = [URLRequest(url: page.server.url("/b.png"))]
    let small = ImageRequest(
      SizedSource(original: page.server.url("/c.png")) { [server = page.server] _ in server.url("/small.png") },
      target: .box(PixelSize(width: 64, height: 64), .fit))
    let (one, other) = (session("bo"), session("alice"))
    let requests = [request.with(session: one), request.with(session: other)]
    async let first = page.width(requests[0])
    async let second = page.width(requests[1])
    let widths = try await [first, second]
    #expect(widths == [2, 5])
    #expect(try await page.width(small.with(session: one)) == 2)
    #expect(try await page.width(small.with(session: other)) == 5)
    #expect(try await page.width(small) == 1)
  }

  @Test("a request keeps its session through other targets and processors, and gives it up for nil")
  func kept() throws {
    let plain = ImageRequest(url: try #require(URL(string: "https://example.com/a.png")))
    let (one, other) = (session("bo"), session("alice"))
    let request = plain.with(session: one)
    #expect(request.key != plain.key)
    #expect(request.with(target: .box(PixelSize(width: 8, height: 8), .fill)).session === one)
    #expect(request.with(processors: [.circle]).key.source == request.key.source)
    #expect(request.with(session: one).key == request.key)
    #expect(plain.with(session: one).key == request.key)
    #expect(request.with(session: other).key == plain.with(session: other).key)
    #expect(request.with(session: nil).key == plain.key)
    #expect(request.with(session: nil).session == nil)
  }

  @Test("a session is let go of, and its number is never another's")
  func numbers() {
    var numbers = Set<UInt64>()
    for _ in 0..<50 {
      let session = session("bo")
      #expect(SessionLoader.of(session) === SessionLoader.of(session))
      numbers.insert(SessionLoader.of(session).number)
      session.invalidateAndCancel()
    }
    #expect(numbers.count == 50)
  }

  @Test("a file is the same file in every session")
  func files() {
    let file = ImageRequest(url: URL(fileURLWithPath: "/picture.png"))
    #expect(file.with(session: session("bo")).key == file.key)
    #expect(file.with(session: session("bo")).session == nil)
  }

  @Test("the session's failures have the codes of every other load")
  func failures() async throws {
    let page = try Page(failing: "/a.png")
    let request = ImageRequest(url: page.server.url("/a.png")).with(session: session("bo"))
    let error = await #expect(throws: ImageLoadingError.self) { _ = try await page.width(request) }
    #expect(error?.code.rawValue == "http.404")
  }
}
