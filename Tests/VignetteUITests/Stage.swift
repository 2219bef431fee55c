import EaselCore
import Foundation
import Pixels
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

/// A pipeline with scripted sources and pictures, for views to load through.
@MainActor
struct Stage {
  let loader = ScriptedLoader()
  let decoder = ScriptedDecoder()
  let targets = TargetLog()
  let pipeline: ImagePipeline

  init(_ change: (inout ImagePipeline.Configuration) -> Void = { _ in }) {
    var configuration = ImagePipeline.Configuration(loader: loader.dataLoader)
    configuration.decoder = targets.recording(decoder.decoder)
    configuration.retry = .never
    change(&configuration)
    pipeline = ImagePipeline(configuration: configuration)
  }

  nonisolated static let url = "https://example.com/picture.jpg"

  /// What the picture's address answers.
  func serve(_ width: Int, _ height: Int, _ word: String = "plain", at url: String = Stage.url) {
    loader.reply(to: url, .data(ScriptedDecoder.picture(width, height, word)))
  }

  func harness<Root: View>(
    width: CGFloat = 200, height: CGFloat = 100, scale: CGFloat = 1, @ViewBuilder _ view: () -> Root
  ) -> ViewHarness {
    ViewHarness(size: CGSize(width: width, height: height), scale: scale, pipeline: pipeline, view: view)
  }
}

/// A phase as text, so that a test reads it off the screen.
struct PhaseText: View {
  let phase: AsyncImagePhase

  var body: some View {
    switch phase {
    case .empty: Text("empty")
    case .success(let image): image.accessibilityLabel("picture")
    case .failure(let error): Text((error as? ImageLoadingError)?.code.rawValue ?? "unknown error")
    }
  }
}
