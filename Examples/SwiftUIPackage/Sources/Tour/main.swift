import CallSites
import EaselCore
import Foundation
import ImageCodecs
import Pixels
import ShibeGallery
import Vignette
import VignetteUITesting

/// Shows a view in a window without a screen until the server has sent `pictures`, nothing on it moves any more and it
/// `isDone`, and writes it to a file; in light, then in dark.
@MainActor
func show(
  _ name: String, pictures: [String], isDone: (Bitmap) -> Bool = { _ in true }, @ViewBuilder _ view: () -> some View
) async throws {
  for scheme in [ColorScheme.light, .dark] {
    let pipeline = ImagePipeline(configuration: .default)
    let harness = ViewHarness(
      size: CGSize(width: 400, height: 700), colorScheme: scheme, pipeline: pipeline, view: view)
    try await harness.until {
      guard server.hasSent(pictures), pipeline.counters.decodes > 0, pipeline.activeWork == 0 else { return false }
      // Ends what fades in; a spinner and a pulsing placeholder go on.
      harness.advance(by: 10)
      let picture = harness.snapshot()
      return !harness.host.isAnimating && isDone(picture)
    }
    let file = folder.appendingPathComponent("\(name)-\(scheme).png")
    try ImageEncoder.png(harness.snapshot()).write(to: file)
    print(file.path)
    harness.host.unmount()
  }
}

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "swiftui-tour", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let server = try PhotoServer()
defer { server.stop() }
Database.baseUrl = server.api

let cat = server.url("/cat/0/chelsea.jpg")
let coffee = server.url("/coffee/0/coffee.jpg")
try await show("gallery", pictures: ["/shibes/0/chelsea.jpg", "/shibes/1/coffee.jpg"]) { ContentView() }
// A plain colour stands for what is not there yet: nothing moves while one waits for it.
try await show("side-by-side", pictures: [cat.path], isDone: { $0[136, 350].blue < 200 && $0[264, 350].blue < 200 }) {
  SideBySide(url: cat)
}
try await show("forms", pictures: [cat.path, coffee.path]) { Forms(url: cat, next: coffee) }
try await show("on-request", pictures: [cat.path]) { OnRequest(url: cat) }
try await show("cached", pictures: [cat.path]) { Cached(imageUrl: cat) }
