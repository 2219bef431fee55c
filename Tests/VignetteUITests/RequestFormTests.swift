import EaselCore
import Foundation
import ImageCodecs
import Pixels
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Views of the pipeline's own requests")
struct RequestFormTests {
  private func request(_ target: DecodeTarget = .full) throws -> ImageRequest {
    ImageRequest(url: try #require(URL(string: Stage.url)), target: target)
  }

  @Test("a target of its own goes before layout, also in the default form")
  func target() async throws {
    let target = DecodeTarget.box(PixelSize(width: 30, height: 20), .fit)
    let request = try request(target)
    for isDefault in [true, false] {
      let stage = Stage()
      stage.serve(400, 200)
      let harness = stage.harness {
        if isDefault {
          CachedAsyncImage(image: request)
        } else {
          AsyncImageCompat(image: request) { $0.image?.resizable() }
        }
      }
      try await harness.until { stage.pipeline.counters.decodes == 1 && stage.pipeline.activeWork == 0 }
      #expect(stage.targets.targets == [target])
    }
  }

  @Test("without one the size comes from layout; the default form has every pixel")
  func layout() async throws {
    let request = try request()
    for (isDefault, target) in [(true, DecodeTarget.full), (false, .view(width: 200, height: 100, displayScale: 1))] {
      let stage = Stage()
      stage.serve(400, 200)
      let harness = stage.harness {
        if isDefault {
          CachedAsyncImage(image: request)
        } else {
          CachedAsyncImage(image: request) { $0.image?.resizable() }
        }
      }
      try await harness.until { stage.pipeline.counters.decodes == 1 && stage.pipeline.activeWork == 0 }
      #expect(stage.targets.targets == [target])
    }
  }

  @Test("processors change the picture, and other ones change it again without another download")
  func processors() async throws {
    let stage = Stage()
    stage.serve(100, 100)
    let model = Model(try request().with(processors: [.fill(red: 255)]))
    let harness = stage.harness(width: 100, height: 100) { RequestView(model: model) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.snapshot()[50, 50].red == 255)
    model.request = try request().with(processors: [.fill(red: 128)])
    try await harness.until { harness.labels(.image) == ["picture"] && harness.snapshot()[50, 50].red == 128 }
    #expect(stage.loader.counts.started == 1)
  }

  @Test("a picture that processors gave another shape is drawn in that shape, as large as its source allows")
  func shape() async throws {
    let stage = Stage()
    stage.serve(160, 80)
    let half = ImageProcessor.custom(id: "left half") { bitmap, _ in
      Bitmap(size: PixelSize(width: bitmap.size.width / 2, height: bitmap.size.height), isOpaque: true) { _ in }
    }
    let request = try request().with(processors: [half])
    let harness = stage.harness { CachedAsyncImage(image: request) { PhaseText(phase: $0) } }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 80, height: 80))
  }

  @Test("bytes from a closure and alternatives show like any other picture")
  func sources() async throws {
    let stage = Stage()
    stage.serve(80, 60, at: "https://example.com/mirror.jpg")
    var mirrored = try request()
    mirrored.alternatives = [URLRequest(url: try #require(URL(string: "https://example.com/mirror.jpg")))]
    let bytes = ImageRequest(id: "bytes") { ScriptedDecoder.picture(40, 30, "bytes") }
    let request = mirrored
    let harness = stage.harness {
      HStack {
        CachedAsyncImage(image: request) { PhaseText(phase: $0) }
        CachedAsyncImage(image: bytes) { PhaseText(phase: $0) }
      }
    }
    try await harness.until { harness.labels(.image) == ["picture", "picture"] }
    #expect(stage.loader.counts.started == 2)
  }

  @Test("a picture only wanted from memory is a failure where it is not, and asks nobody")
  func policy() async throws {
    let stage = Stage()
    stage.serve(80, 60)
    var request = try request()
    request.policy = .memoryOnly
    let memoryOnly = request
    let harness = stage.harness { CachedAsyncImage(image: memoryOnly) { PhaseText(phase: $0) } }
    try await harness.until { harness.labels(.text) == ["cache.miss"] }
    #expect(stage.loader.counts.started == 0)
  }

  @Test("no request is an empty phase")
  func none() {
    let stage = Stage()
    let harness = stage.harness { CachedAsyncImage(image: nil) { PhaseText(phase: $0) } }
    #expect(harness.labels(.text) == ["empty"])
  }
}

extension ImageProcessor {
  /// One colour all over.
  fileprivate static func fill(red: UInt8) -> ImageProcessor {
    custom(id: "fill \(red)") { bitmap, _ in
      Bitmap(size: bitmap.size, isOpaque: true) { bytes in
        for at in stride(from: 0, to: bytes.count, by: 4) {
          bytes[at] = red
          bytes[at + 3] = 255
        }
      }
    }
  }
}

private final class Model: ObservableObject {
  @Published var request: ImageRequest

  init(_ request: ImageRequest) { self.request = request }
}

private struct RequestView: View {
  @ObservedObject var model: Model

  var body: some View {
    CachedAsyncImage(image: model.request) { phase in
      if let image = phase.image { image.resizable().accessibilityLabel("picture") }
    }
  }
}
