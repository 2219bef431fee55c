import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Two pipelines may share one cache directory", .timeLimit(.minutes(5)))
struct SharedDirectoryTests {
  /// A server of thirty pictures and a directory, in which every pipeline has a store of its own, as two processes do.
  private final class Place: Sendable {
    static let count = 30
    let folder = TemporaryFolder()
    let server: ScriptedServer

    init() throws {
      let pictures = try (0..<Self.count).map(Self.picture)
      server = try ScriptedServer { request in
        guard let number = Int(request.path.dropFirst()), pictures.indices.contains(number) else { return .status(404) }
        return .data(pictures[number], type: "image/png").cacheControl("max-age=3600")
      }
    }

    deinit { server.stop() }

    /// Noise, so that it is worth a thumbnail; its width and red tell which it is.
    private static func picture(_ number: Int) throws -> Data {
      var random = SeededRandom(seed: UInt64(number))
      let bitmap = Bitmap(size: PixelSize(width: 150 + number, height: 120), isOpaque: true) { bytes in
        for at in stride(from: 0, to: bytes.count, by: 4) {
          bytes[at] = UInt8(number)
          bytes[at + 1] = .random(in: 0...255, using: &random)
          bytes[at + 2] = .random(in: 0...255, using: &random)
          bytes[at + 3] = 255
        }
      }
      return try ImageEncoder.png(bitmap)
    }

    func start() -> (pipeline: ImagePipeline, store: DiskStore?) {
      var caching = HTTPLoader.Configuration()
      // The disk alone can answer what another has loaded.
      caching.memoryBudget = 0
      caching.disk = DiskStore.Configuration(directory: folder.url)
      let loader = HTTPLoader(transport: PlatformTransport.shared, configuration: caching)
      var configuration = ImagePipeline.Configuration(loader: .http(loader))
      configuration.memoryPressure = .none
      return (ImagePipeline(configuration: configuration), loader.disk)
    }

    func request(_ number: Int, _ target: DecodeTarget = .full) -> ImageRequest {
      ImageRequest(url: server.url("/\(number)"), target: target)
    }
  }

  @Test("what one has loaded the other has without the network, thumbnail included")
  func handOver() async throws {
    let place = try Place()
    let one = place.start()
    let other = place.start()
    #expect(try await one.pipeline.image(for: place.request(3, .box(40, 40))).origin == .network)
    await one.pipeline.flush()
    #expect(try await other.pipeline.image(for: place.request(3, .box(40, 40))).origin == .thumbnail)
    #expect(try await other.pipeline.image(for: place.request(3)).origin == .disk)
    #expect(place.server.log.totalRequests == 1)
  }

  @Test("both load everything at once: every picture is itself, and all is stored whole")
  func together() async throws {
    let place = try Place()
    let starts = [place.start(), place.start()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (pipeline, _) in starts {
        for number in 0..<Place.count {
          group.addTask {
            let response = try await pipeline.image(for: place.request(number))
            #expect(response.sourceSize.width == 150 + number && response.bitmap[0, 0].red == UInt8(number))
          }
        }
      }
      try await group.waitForAll()
    }
    for (pipeline, _) in starts { await pipeline.flush() }
    let third = place.start()
    for number in 0..<Place.count {
      var request = place.request(number)
      request.policy = .offline
      let response = try await third.pipeline.image(for: request)
      #expect(response.origin == .disk && response.bitmap[149 + number, 119].red == UInt8(number))
    }
    let verification = try #require(try await third.store?.verify())
    #expect(verification.whole == Place.count && verification.damaged == 0 && verification.totalsWereRight)
  }
}
