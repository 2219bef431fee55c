import EaselCore
import Foundation
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("The forms of the view family")
struct FormTests {
  @Test("every form shows its picture and sends what it was given", arguments: Form.all)
  func shows(form: Form) async throws {
    let stage = Stage()
    stage.serve(200, 100)
    guard let url = URL(string: Stage.url) else { return }
    var request = URLRequest(url: url)
    request.setValue("yes", forHTTPHeaderField: "X-Asked")
    let source = Form.Source(url: url, request: request)
    let harness = stage.harness { form.view(source) }
    let before = harness.snapshot()[100, 50]
    #expect(before.blue != before.red || before.blue > 200, "no picture yet")
    try await harness.until { stage.pipeline.counters.decodes == 1 && stage.pipeline.activeWork == 0 }
    harness.advance(by: 5)
    let level = max(TargetLog.level(width: 200), TargetLog.level(width: 256))
    try await harness.until {
      harness.advance(by: 5)
      let pixel = harness.snapshot()[100, 50]
      return pixel.red == 0 && pixel.blue >= TargetLog.level(width: 200) && pixel.blue <= level
    }
    let asked = stage.loader.requests.first?.value(forHTTPHeaderField: "X-Asked")
    #expect(asked == (form.name.contains("(url:") ? nil : "yes"))
  }
}

/// One initialiser of one view.
struct Form: Sendable, CustomTestStringConvertible {
  struct Source {
    var url: URL?
    var request: URLRequest?
    var image: ImageRequest? { request.map { ImageRequest($0) } }
  }

  let name: String
  let view: @MainActor @Sendable (Source) -> AnyView

  init<Shown: View>(_ name: String, _ view: @escaping @MainActor @Sendable (Source) -> Shown) {
    self.name = name
    self.view = { AnyView(view($0)) }
  }

  var testDescription: String { name }

  static let all = [
    Form("CachedAsyncImage(url:)") { source in CachedAsyncImage(url: source.url) },
    Form("CachedAsyncImage(url:scale:content:placeholder:)") { source in
      CachedAsyncImage(url: source.url, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("CachedAsyncImage(url:transaction:content:)") { source in
      CachedAsyncImage(url: source.url, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(url:content:)") { source in CachedAsyncImage(url: source.url) { Phase(phase: $0) } },
    Form("CachedAsyncImage(url:animation:content:)") { source in
      CachedAsyncImage(url: source.url, animation: .default) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(url:loadFullResolution:content:)") { source in
      CachedAsyncImage(url: source.url, loadFullResolution: true) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(request:)") { source in CachedAsyncImage(request: source.request) },
    Form("CachedAsyncImage(request:scale:content:placeholder:)") { source in
      CachedAsyncImage(request: source.request, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("CachedAsyncImage(request:transaction:content:)") { source in
      CachedAsyncImage(request: source.request, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(request:content:)") { source in
      CachedAsyncImage(request: source.request) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(request:animation:content:)") { source in
      CachedAsyncImage(request: source.request, animation: .default) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(request:loadFullResolution:content:)") { source in
      CachedAsyncImage(request: source.request, loadFullResolution: true) { Phase(phase: $0) }
    },
    Form("AsyncImageCompat(url:)") { source in AsyncImageCompat(url: source.url) },
    Form("AsyncImageCompat(url:scale:content:placeholder:)") { source in
      AsyncImageCompat(url: source.url, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImageCompat(url:transaction:content:)") { source in
      AsyncImageCompat(url: source.url, transaction: Transaction()) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(url:content:)") { source in AsyncImageCompat(url: source.url) { CompatPhase(phase: $0) } },
    Form("AsyncImageCompat(url:animation:content:)") { source in
      AsyncImageCompat(url: source.url, animation: .default) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(url:loadFullResolution:content:)") { source in
      AsyncImageCompat(url: source.url, loadFullResolution: true) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(request:)") { source in AsyncImageCompat(request: source.request) },
    Form("AsyncImageCompat(request:scale:content:placeholder:)") { source in
      AsyncImageCompat(request: source.request, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImageCompat(request:transaction:content:)") { source in
      AsyncImageCompat(request: source.request, transaction: Transaction()) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(request:content:)") { source in
      AsyncImageCompat(request: source.request) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(request:animation:content:)") { source in
      AsyncImageCompat(request: source.request, animation: .default) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(request:loadFullResolution:content:)") { source in
      AsyncImageCompat(request: source.request, loadFullResolution: true) { CompatPhase(phase: $0) }
    },
    Form("AsyncImage(url:)") { source in AsyncImage(url: source.url) },
    Form("AsyncImage(url:scale:content:placeholder:)") { source in
      AsyncImage(url: source.url, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImage(url:transaction:content:)") { source in
      AsyncImage(url: source.url, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("AsyncImage(url:content:)") { source in AsyncImage(url: source.url) { Phase(phase: $0) } },
    Form("AsyncImage(url:animation:content:)") { source in
      AsyncImage(url: source.url, animation: .default) { Phase(phase: $0) }
    },
    Form("AsyncImage(url:loadFullResolution:content:)") { source in
      AsyncImage(url: source.url, loadFullResolution: true) { Phase(phase: $0) }
    },
    Form("AsyncImage(request:)") { source in AsyncImage(request: source.request) },
    Form("AsyncImage(request:scale:content:placeholder:)") { source in
      AsyncImage(request: source.request, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImage(request:transaction:content:)") { source in
      AsyncImage(request: source.request, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("AsyncImage(request:content:)") { source in AsyncImage(request: source.request) { Phase(phase: $0) } },
    Form("AsyncImage(request:animation:content:)") { source in
      AsyncImage(request: source.request, animation: .default) { Phase(phase: $0) }
    },
    Form("AsyncImage(request:loadFullResolution:content:)") { source in
      AsyncImage(request: source.request, loadFullResolution: true) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(image:)") { source in CachedAsyncImage(image: source.image) },
    Form("CachedAsyncImage(image:scale:content:placeholder:)") { source in
      CachedAsyncImage(image: source.image, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("CachedAsyncImage(image:transaction:content:)") { source in
      CachedAsyncImage(image: source.image, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("CachedAsyncImage(image:content:)") { source in CachedAsyncImage(image: source.image) { Phase(phase: $0) } },
    Form("AsyncImageCompat(image:)") { source in AsyncImageCompat(image: source.image) },
    Form("AsyncImageCompat(image:scale:content:placeholder:)") { source in
      AsyncImageCompat(image: source.image, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImageCompat(image:transaction:content:)") { source in
      AsyncImageCompat(image: source.image, transaction: Transaction()) { CompatPhase(phase: $0) }
    },
    Form("AsyncImageCompat(image:content:)") { source in
      AsyncImageCompat(image: source.image) { CompatPhase(phase: $0) }
    },
    Form("AsyncImage(image:)") { source in AsyncImage(image: source.image) },
    Form("AsyncImage(image:scale:content:placeholder:)") { source in
      AsyncImage(image: source.image, scale: 1) {
        $0.resizable()
      } placeholder: {
        Color.red
      }
    },
    Form("AsyncImage(image:transaction:content:)") { source in
      AsyncImage(image: source.image, transaction: Transaction()) { Phase(phase: $0) }
    },
    Form("AsyncImage(image:content:)") { source in AsyncImage(image: source.image) { Phase(phase: $0) } },
  ]
}

/// Apple's way of writing a switch over the phases.
private struct Phase: View {
  let phase: AsyncImagePhase

  var body: some View {
    switch phase {
    case .empty: Color.red
    case .success(let image): image.resizable()
    case .failure: Color.green
    @unknown default: Color.yellow
    }
  }
}

private struct CompatPhase: View {
  let phase: AsyncImagePhaseCompat

  var body: some View {
    switch phase {
    case .empty: Color.red
    case .success(let image): image.resizable()
    case .failure: Color.green
    @unknown default: Color.yellow
    }
  }
}
