import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

/// Every bad input with the code it fails with, through the real transport and decoders; after each, the pipeline loads
/// a good picture.
@Suite("Bad inputs", .timeLimit(.minutes(2)))
struct ErrorTableTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var code: String
    /// The address, given the base URL of the server.
    var address: @Sendable (String) -> String

    var testDescription: String { name }

    init(_ name: String, _ code: String, path: String) {
      self.init(name, code) { $0 + path }
    }

    init(_ name: String, _ code: String, address: @escaping @Sendable (String) -> String) {
      self.name = name
      self.code = code
      self.address = address
    }
  }

  static let badInputs = [
    Case("unknown host", "transport.hostNotFound") { _ in "http://nothing.invalid/a.png" },
    Case("refused", "transport.refused") { _ in "http://127.0.0.1:\(Self.closedPort)/a.png" },
    Case("not found", "http.404", path: "/404"),
    Case("gone", "http.410", path: "/410"),
    Case("server error", "http.500", path: "/500"),
    Case("a page of HTML with status 200", "image.notAnImage", path: "/html"),
    Case("HTML that says it is a PNG", "image.notAnImage", path: "/disguised"),
    Case("no image", "image.notAnImage", path: "/noise"),
    Case("a format that is not read", "image.unsupportedFormat", path: "/psd"),
    Case("empty body", "body.empty", path: "/empty"),
    Case("no content", "body.empty", path: "/204"),
    Case("a body the connection cuts off", "body.truncated", path: "/cut"),
    Case("a chunked body without its end", "body.truncated", path: "/unterminated"),
    Case("half a picture of the right length", "body.truncated", path: "/half"),
    Case("a body longer than allowed", "body.tooLarge", path: "/endless"),
    Case("50,000 x 50,000 pixels", "image.tooManyPixels", path: "/bomb"),
    Case("redirect loop", "redirect.tooMany", path: "/loop"),
    Case("redirect to a file", "redirect.target", path: "/to-file"),
    Case("stalled server", "transport.timedOut", path: "/stall"),
    Case("connection closed without an answer", "transport.reset", path: "/closed"),
    Case("connection reset", "transport.reset", path: "/reset"),
    Case("no HTTP", "transport.protocol", path: "/garbage"),
    Case("missing file", "file.notFound") { _ in "file:///nothing/here.png" },
    Case("directory", "file.unreadable") { _ in "file:///" },
    Case("device", "file.unreadable") { _ in "file:///dev/zero" },
    Case("unsupported scheme", "url.unsupportedScheme") { _ in "gopher://example.com/a.png" },
    Case("no scheme", "url.invalid") { _ in "pictures/a.png" },
    Case("no host", "url.invalid") { _ in "http:///a.png" },
    Case("damaged data URL", "url.invalid") { _ in "data:image/png;base64" },
  ]

  @Test("fail with their own code, and the pipeline goes on", arguments: badInputs)
  func fails(_ bad: Case) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let base = String(server.url("/").absoluteString.dropLast())
    let pipeline = ImagePipeline(configuration: Self.configuration)
    var request = ImageRequest(url: try #require(URL(string: bad.address(base))))
    request.transport.idleTimeout = bad.code == "transport.timedOut" ? 0.1 : 20
    request.transport.maximumBodyBytes = 1 << 20

    let error = await #expect(throws: ImageLoadingError.self) { try await pipeline.image(for: request) }
    #expect(error?.code.rawValue == bad.code, "\(error?.message ?? "")")
    #expect(error?.url == request.url)
    #expect(error?.message.isEmpty == false)
    #expect(pipeline.memory.count == 0)

    let good = ImageRequest(url: server.url("/good"))
    #expect(try await pipeline.image(for: good).sourceSize == PixelSize(width: 8, height: 6))
    #expect(pipeline.activeWork == 0)
    #expect(pipeline.counters.failures == 1)
  }

  @Test("a retry after a broken body reaches the server")
  func retry() async throws {
    let good = try Self.picture()
    let server = try ScriptedServer { request in
      let body = request.number == 1 ? Data("<html>".utf8) : good
      return .data(body, type: "image/png").cacheControl("max-age=1000")
    }
    defer { server.stop() }
    let pipeline = ImagePipeline(configuration: Self.configuration)
    let request = ImageRequest(url: server.url("/a"))
    #expect(await failureCode(pipeline, request) == "image.notAnImage")
    #expect(try await pipeline.image(for: request).origin == .network)
    #expect(server.log.count(of: "/a") == 2)
  }

  private static var configuration: ImagePipeline.Configuration {
    var configuration = ImagePipeline.Configuration(loader: .http(HTTPLoader(transport: PlatformTransport.shared)))
    configuration.retry = .never
    return configuration
  }

  private static func picture() throws -> Data {
    let size = PixelSize(width: 8, height: 6)
    return try ImageEncoder.png(Bitmap(size: size, isOpaque: true) { $0.copyBytes(from: 0..<UInt8(8 * 6 * 4)) })
  }

  private static func server() throws -> ScriptedServer {
    let good = try picture()
    let photo = try ImageEncoder.jpeg(
      Bitmap(size: PixelSize(width: 200, height: 200), isOpaque: true) { bytes in
        for at in bytes.indices { bytes[at] = UInt8(truncatingIfNeeded: at &* 31) }
      })
    let bomb = try #require(
      Bundle.module.url(forResource: "bomb-50000", withExtension: "png", subdirectory: "Fixtures"))
    return try ScriptedServer(routes: [
      "/good": .data(good, type: "image/png"),
      "/404": .status(404), "/410": .status(410), "/500": .status(500),
      "/html": .data(Data("<!doctype html><title>Log in</title>".utf8), type: "text/html"),
      "/disguised": .data(Data("<html><body>Log in".utf8), type: "image/png"),
      "/noise": .data(Data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }), type: "image/png"),
      "/psd": .data(Data("8BPS\0\u{1}\0\0\0\0\0\0\0".utf8), type: "image/png"),
      "/empty": .data(Data(), type: "image/png"), "/204": .init(status: 204),
      "/cut": .data(photo, type: "image/jpeg").cut(after: photo.count / 2, .close),
      "/unterminated": .data(photo, type: "image/jpeg").chunked(by: 1_000, terminated: false),
      "/half": .data(photo.prefix(photo.count / 2), type: "image/jpeg"),
      "/endless": .endlessBody, "/bomb": .file(bomb), "/loop": .redirect(to: "/loop"),
      "/to-file": .redirect(to: "file:///etc/hostname"), "/stall": .stall,
      "/closed": .closeBeforeHeaders, "/reset": .resetBeforeHeaders, "/garbage": .garbage,
    ])
  }

  /// A port that was free a moment ago and to which nobody listens.
  private static let closedPort: UInt16 = {
    let server = try? ScriptedServer(routes: [:])
    server?.stop()
    return server?.port ?? 9
  }()
}
