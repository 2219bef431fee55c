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

@Suite("An interrupted transfer is gone on with", .timeLimit(.minutes(5)))
struct ResumedTransferTests {
  /// A picture that does not compress, from a server that serves ranges of it. Its first answer stops half way.
  private final class Page: Sendable {
    let pixels: [UInt8]
    let picture: Data
    let transport: ScriptedTransport
    let loader: HTTPLoader
    let pipeline: ImagePipeline
    let request = ImageRequest("http://pictures.test/one")

    /// - Parameter failure: how the first answer ends; `nil` for one that waits for ever.
    init(_ failure: (any Error)?) throws {
      let size = PixelSize(width: 200, height: 100)
      var random = SeededRandom(seed: 7)
      let pixels = (0..<size.width * size.height * 4).map {
        $0 % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
      }
      self.pixels = pixels
      let picture = try ImageEncoder.png(Bitmap(size: size, isOpaque: true) { $0.copyBytes(from: pixels) })
      self.picture = picture
      let half = picture.count / 2
      transport = ScriptedTransport { request in
        var reply = ScriptedTransport.Reply()
        reply.headers = ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Cache-Control": "max-age=60"]
        if request.value(forHTTPHeaderField: "Range") == "bytes=\(half)-" {
          reply.status = 206
          reply.headers["Content-Range"] = "bytes \(half)-\(picture.count - 1)/\(picture.count)"
          reply.headers["Content-Length"] = "\(picture.count - half)"
          reply.chunks = [.init(Data(picture[half...]))]
        } else {
          reply.headers["Content-Length"] = "\(picture.count)"
          reply.chunks = [.init(Data(picture[..<half]))]
          if let failure { reply.failure = failure } else { reply.chunks.append(.init(Data(), heldBy: Gate())) }
        }
        return reply
      }
      loader = HTTPLoader(transport: transport)
      var configuration = ImagePipeline.Configuration(loader: .http(loader))
      configuration.clock = .manual { Date(timeIntervalSince1970: 1_000_000) }
      configuration.memoryPressure = .none
      pipeline = ImagePipeline(configuration: configuration)
    }

    /// What a pipeline does that received half of the picture a moment ago, and the rest now.
    func expectResumed(_ response: ImageResponse) {
      let half = picture.count / 2
      #expect(response.bitmap.withUnsafeBytes { Array($0) } == pixels && response.origin == .network)
      let counters = pipeline.counters
      #expect(counters.resumed == 1 && counters.networkLoads == 1 && counters.networkBytes == picture.count - half)
    }
  }

  @Test("a picture that is scrolled away and comes back is not fetched from the beginning")
  func cancelled() async throws {
    let page = try Page(nil)
    let (steps, told) = AsyncStream.makeStream(of: HTTPProgress.self)
    let first = page.pipeline.task(for: page.request) { told.yield($0) }
    for await progress in steps where progress.received == page.picture.count / 2 { break }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.response }
    while await page.loader.statistics().parts.entries == 0 { await Task.yield() }
    let events = page.pipeline.events()
    let (again, heard) = AsyncStream.makeStream(of: HTTPProgress.self)
    page.expectResumed(try await page.pipeline.task(for: page.request) { heard.yield($0) }.response)
    heard.finish()
    let progress = await again.first { _ in true }
    #expect(progress == HTTPProgress(received: page.picture.count / 2, expected: page.picture.count))
    let half = page.picture.count / 2
    let resumed = await events.first { event in
      if case .resumed = event.kind { true } else { false }
    }
    #expect(resumed?.kind == .resumed(bytes: half))
  }

  @Test("a load that is tried again asks for what is missing")
  func retried() async throws {
    let page = try Page(HTTPError(.reset, "cut"))
    page.expectResumed(try await page.pipeline.image(for: page.request))
    #expect(page.pipeline.counters.retried == 1 && page.transport.log.requests.count == 2)
  }
}
