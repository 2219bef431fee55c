import Foundation
import Testing
import VignetteTesting

@testable import Vignette

/// Sources are often quicker than decodes; what is asked for at once must not all come to lie in memory.
@Suite("Encoded bytes do not pile up before the decodes", .timeLimit(.minutes(5)))
struct PileUpTests {
  private let scripted = Scripted(concurrentDecodes: 1) {
    $0.concurrentDownloads = 3
    $0.concurrentDownloadsPerHost = 3
  }
  private var coordinator: Coordinator { scripted.pipeline.coordinator }

  private func address(_ index: Int) -> String { "http://pictures.test/\(index)" }

  private func load(_ requests: [ImageRequest]) -> [Task<ImageResponse, any Error>] {
    requests.map { request in Task { [scripted] in try await scripted.pipeline.image(for: request) } }
  }

  private func loadTwenty() -> [Task<ImageResponse, any Error>] {
    for index in 0..<20 { scripted.loader.reply(to: address(index), .data(ScriptedDecoder.picture(4, 3))) }
    return load((0..<20).map { ImageRequest(address($0)) })
  }

  @Test("transfers wait while as many bodies as there are connections wait to be decoded")
  func transfers() async throws {
    scripted.decoder.hold()
    let tasks = loadTwenty()
    // One is being decoded, three wait for that, sixteen for a connection: all twenty, so that nothing more moves.
    await eventually { [coordinator] in
      coordinator.waitingCount(.decode) == 3 && coordinator.waitingCount(.download) == 16
    }
    #expect(scripted.loader.counts.started == 4)
    scripted.decoder.release()
    for task in tasks { #expect(try await task.value.origin == .network) }
    #expect(scripted.loader.counts.finished == 20)
    await eventually { [coordinator] in coordinator.isIdle }
  }

  @Test("files are read no faster than they are decoded")
  func files() async throws {
    let folder = TemporaryFolder()
    let requests = try (0..<20).map { index in
      let file = folder.url.appendingPathComponent("\(index)")
      try ScriptedDecoder.picture(4, 3).write(to: file)
      return ImageRequest(url: file)
    }
    scripted.decoder.hold()
    let tasks = load(requests)
    let places = Coordinator.Graph.Limits(decodes: 1).files
    await eventually { [coordinator] in
      coordinator.waitingCount(.decode) == places && coordinator.waitingCount(.file) == 19 - places
    }
    scripted.decoder.release()
    for task in tasks { #expect(try await task.value.origin == .file) }
    withExtendedLifetime(folder) {}
    await eventually { [coordinator] in coordinator.isIdle }
  }

  @Test("a picture that nobody wants any more makes room for the next transfer")
  func cancelled() async throws {
    scripted.decoder.hold()
    let tasks = loadTwenty()
    await eventually { [coordinator] in
      coordinator.waitingCount(.decode) == 3 && coordinator.waitingCount(.download) == 16
    }
    for task in tasks { task.cancel() }
    await eventually { [coordinator] in coordinator.isIdle }
    scripted.decoder.release()
    let next = load([ImageRequest(address(0))])
    #expect(try await next[0].value.origin == .network)
  }

  @Test("bytes that are fetched without being decoded hold no connection")
  func fetches() async throws {
    scripted.decoder.hold()
    for index in 0..<10 {
      scripted.loader.reply(to: address(index), .data(ScriptedDecoder.picture(4, 3)))
      try await scripted.pipeline.fetch(ImageRequest(address(index)))
    }
    #expect(scripted.loader.counts.finished == 10)
    #expect(coordinator.isIdle)
  }

  @Test("bytes that are too many hold no connection")
  func tooLarge() async throws {
    for index in 0..<10 {
      scripted.loader.reply(to: address(index), .data(ScriptedDecoder.picture(4, 3)))
      var request = ImageRequest(address(index))
      request.transport.maximumBodyBytes = 5
      #expect(await failureCode(scripted.pipeline, request) == "body.tooLarge")
    }
    #expect(scripted.loader.counts.finished == 10)
    await eventually { [coordinator] in coordinator.isIdle }
  }
}
