import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("What an app can put in place of the pipeline's own", .timeLimit(.minutes(5)))
struct ExtensionPointTests {
  private func decoder(_ red: UInt8) -> ImagePipeline.Decoder {
    ImagePipeline.Decoder { _, _, _ in
      let size = PixelSize(width: 1, height: 1)
      return DecodedImage(bitmap: Bitmap(size: size) { $0[0] = red }, info: ImageInfo(format: .png, storedSize: size))
    }
  }

  @Test("the first decoder that knows the bytes decodes them, and the library's own what none knows")
  func registry() async throws {
    let scripted = Scripted { configuration in
      configuration.decoder =
        DecoderRegistry(
          [
            DecoderRegistry.Entry(name: "one", signature: Array("one".utf8), decoder: decoder(1)),
            DecoderRegistry.Entry(name: "any o", matches: { $0.first == UInt8(ascii: "o") }, decoder: decoder(2)),
          ], fallback: configuration.decoder
        ).decoder
    }
    for (text, red) in [("one", 1), ("other", 2), ("picture 1x1 x", UInt8(ascii: "x"))] as [(String, UInt8)] {
      scripted.loader.reply(to: "http://pictures.test/\(text.prefix(3))", .text(text))
      let response = try await scripted.pipeline.image(for: ImageRequest("http://pictures.test/\(text.prefix(3))"))
      #expect(response.bitmap[0, 0].red == red)
    }
    scripted.loader.reply(to: "http://pictures.test/unknown", .text("unknown"))
    #expect(await failureCode(scripted.pipeline, ImageRequest("http://pictures.test/unknown")) == "image.notAnImage")
  }

  @Test("an observer sees every event, and a log has a line for each without the address")
  func observer() async throws {
    let lines = Locked<[String]>([])
    let kinds = Locked<[PipelineEvent.Kind]>([])
    let scripted = Scripted { configuration in
      configuration.observer = .all([
        .log { line in lines.withLock { $0.append(line) } },
        PipelineObserver { event in kinds.withLock { $0.append(event.kind) } },
      ])
    }
    _ = try await scripted.pipeline.image(for: ImageRequest(Scripted.address))
    _ = try await scripted.pipeline.image(for: ImageRequest(Scripted.address))
    var counters = PipelineCounters()
    for kind in kinds.withLock({ $0 }) { counters.add(kind) }
    #expect(counters == scripted.pipeline.counters)
    #expect(lines.withLock { $0.count } == kinds.withLock { $0.count })
    #expect(lines.withLock { $0 }.last == "succeeded from memory")
    #expect(!lines.withLock { $0 }.contains { $0.contains("pictures.test") })
  }

  @Test("a transfer is told when it is wanted sooner")
  func transferPriority() async throws {
    let priority = Locked<TransferPriority?>(nil)
    let gate = Turnstile()
    var configuration = ImagePipeline.Configuration(
      loader: DataLoader { call in
        try await call.admit()
        priority.withLock { $0 = call.options.priority }
        try await gate.pass()
        let url = call.request.url ?? URL(fileURLWithPath: "/")
        return HTTPResult(response: HTTPResponse(url: url, status: 200), data: Data(), origin: .network)
      })
    configuration.memoryPressure = .none
    let pipeline = ImagePipeline(configuration: configuration)
    var request = ImageRequest(Scripted.address)
    request.priority = .prefetch
    let task = pipeline.task(for: request)
    await gate.arrived(1)
    #expect(priority.withLock { $0 }?.value == 0)
    task.priority = .urgent
    #expect(priority.withLock { $0 }?.value == 1)
    task.priority = .visible
    #expect(priority.withLock { $0 }?.value == 0.75)
    task.cancel()
    gate.open()
    _ = await task.result
  }

  @Test("the summary is one line")
  func summary() async throws {
    let scripted = Scripted()
    _ = try await scripted.pipeline.image(for: ImageRequest(Scripted.address))
    let line = "\(scripted.pipeline.counters)"
    #expect(!line.contains("\n"))
    #expect(line.hasPrefix("requests 1 (ok 1, failed 0, cancelled 0)"))
  }
}

extension ImageTask {
  fileprivate var result: Result<ImageResponse, any Error> {
    get async {
      do { return .success(try await response) } catch { return .failure(error) }
    }
  }
}
