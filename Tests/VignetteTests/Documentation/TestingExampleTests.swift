import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import Vignette
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples in the documentation of `VignetteTesting` and in the README's section on testing, run.
///
/// Invariant: every line of those examples is a line of this file, in the same order; the last test sees to it.
@Suite("The examples for testing one's own image code do what they say", .timeLimit(.minutes(5)))
struct TestingExampleTests {
  private let png: Data
  private let request: ImageRequest

  init() throws {
    let size = PixelSize(width: 40, height: 30)
    png = try ImageEncoder.png(
      Bitmap(size: size, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 255) })
    request = ImageRequest(url: try #require(URL(string: "https://example.com/a.png")))
  }

  @Test("a server on the loopback interface")
  func server() async throws {
    let server = try ScriptedServer { [png] request in
      request.path == "/photo.png" ? .data(png, type: "image/png").cacheControl("max-age=60") : .status(404)
    }
    let loader = HTTPLoader(transport: PlatformTransport.shared)
    let pipeline = ImagePipeline(configuration: .init(loader: .http(loader)))
    let request = ImageRequest(url: server.url("/photo.png"))
    #expect(try await pipeline.image(for: request).origin == .network)
    #expect(try await pipeline.image(for: request).origin == .memory)
    #expect(server.log.count(of: "/photo.png") == 1)
  }

  @Test("a server that answers when a gate opens")
  func gate() async throws {
    let pipeline = ImagePipeline(
      configuration: .init(loader: .http(HTTPLoader(transport: PlatformTransport.shared))))
    let gate = Gate()
    let server = try ScriptedServer(routes: ["/slow.png": .data(png, type: "image/png").held(by: gate)])
    let task = pipeline.task(for: ImageRequest(url: server.url("/slow.png")))
    try await server.requests(for: "/slow.png")  // asked for, not answered
    gate.open()
    #expect(try await task.response.sourceSize == PixelSize(width: 40, height: 30))
  }

  @Test("a loader without sockets, a decoder without pictures and a clock that stands still")
  func scripted() async throws {
    let loader = ScriptedLoader()
    var configuration = ImagePipeline.Configuration(loader: loader.dataLoader)
    loader.reply(to: "https://example.com/a.png", .status(503))
    let decoder = ScriptedDecoder()
    configuration.decoder = decoder.decoder
    let clock = ManualClock()
    configuration.clock = clock.pipeline
    let task = ImagePipeline(configuration: configuration).task(for: request)
    await clock.sleeping(1)  // the load has failed once and waits for its second try
    loader.reply(to: "https://example.com/a.png", .data(ScriptedDecoder.picture(4_000, 3_000, "blue")))
    clock.advance(by: 30)
    #expect(try await task.response.sourceSize.width == 4_000)
    #expect(loader.counts.started == 2 && decoder.finished == 1)
  }

  @Test("a load that is held while it is cancelled")
  func held() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline(configuration: .init(loader: loader.dataLoader))
    loader.gate.close()
    let task = pipeline.task(for: request)
    await loader.gate.arrived(1)  // the load is under way, and stays so
    task.cancel()
    loader.gate.open()
    await #expect(throws: CancellationError.self) { try await task.response }
  }

  @Test("a transport without sockets")
  func transport() async throws {
    let jpeg = Data([1, 2, 3])
    let gate = Gate()
    let transport = ScriptedTransport { request in .data(jpeg, type: "image/jpeg").held(by: gate) }
    let loader = HTTPLoader(transport: transport)
    gate.open()
    #expect(try await loader.data(for: URLRequest(url: try #require(request.url))).data == jpeg)
    #expect(transport.log.requests.count == 1)
  }

  @Test("two pictures compared")
  func comparison() throws {
    let folder = TemporaryFolder()
    let reference = folder.url.appendingPathComponent("photo.png")
    try png.write(to: reference)
    let expected = try ImageDecoder().decode(png).bitmap
    let result = try ImageDecoder().decode(png).bitmap
    let difference = try #require(BitmapDifference(result, expected))
    #expect(difference.maximum <= 2 && difference.psnr > 40)
    let failure = try SnapshotComparison.failure(of: result, reference: reference, name: "photo")
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test("every example in the documentation is one of these")
  func isComplete() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = (0..<4).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
    let code = Set(try Self.lines(of: file))
    let sources = root.appendingPathComponent("Sources/VignetteTesting")
    let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var blocks = try names.filter { $0.hasSuffix(".swift") }.flatMap {
      try Self.examples(in: Self.lines(of: sources.appendingPathComponent($0)))
    }
    #expect(blocks.count >= 9)
    let readme = try Self.lines(of: root.appendingPathComponent("README.md"))
    let section = readme.drop { $0 != "## Testing your own image code" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    let shown = Self.examples(in: Array(section))
    #expect(shown.count == 2)
    blocks += shown
    for line in blocks.joined() { #expect(code.contains(line), "not run: \(line)") }
  }

  /// Without what surrounds them: white space, comment signs, remarks at the end, and capture lists, which documentation
  /// leaves out.
  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").map { line in
      var line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("///") { line = line.dropFirst(3).trimmingCharacters(in: .whitespaces) }
      if let remark = line.range(of: "  // ") { line = line[..<remark.lowerBound].trimmingCharacters(in: .whitespaces) }
      return line.replacingOccurrences(of: "{ [png] request in", with: "{ request in")
    }
  }

  private static func examples(in lines: [String]) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for line in lines {
      switch (line, block) {
      case ("```swift", _): block = []
      case ("```", let ended?):
        blocks.append(ended)
        block = nil
      default: block?.append(line)
      }
    }
    return blocks
  }
}
