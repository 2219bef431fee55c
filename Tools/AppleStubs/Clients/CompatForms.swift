// Everything the views for the oldest systems take from and give to the environment.
import SwiftUI
import Vignette
import VignetteUI

struct CompatForms: View {
  let url: URL?
  let request: URLRequest?
  let image: ImageRequest?
  let pipeline: ImagePipeline
  let session: URLSession
  @State private var fullResolution = false

  var body: some View {
    ZStack {
      AsyncImageCompat(request: request)
      AsyncImageCompat(request: request, scale: 2) { $0.resizable() } placeholder: { EmptyView() }
      AsyncImageCompat(request: request, scale: 2, transaction: Transaction(animation: .default)) { phase in
        CompatPhase(phase: phase)
      }
      AsyncImageCompat(url: url, animation: .default) { CompatPhase(phase: $0) }
      AsyncImageCompat(request: request, scale: 2, animation: .default) { CompatPhase(phase: $0) }
      AsyncImageCompat(
        url: url, transaction: Transaction(animation: .default), compressedSize: CGSize(width: 10, height: 8),
        loadFullResolution: fullResolution
      ) { phase in
        CompatPhase(phase: phase)
      }
      AsyncImageCompat(request: request, loadFullResolution: true) { CompatPhase(phase: $0) }
      ZStack {
        AsyncImageCompat(image: image, scale: 2)
        AsyncImageCompat(image: image) { $0.resizable() } placeholder: { EmptyView() }
        AsyncImageCompat(image: image) { CompatPhase(phase: $0) }
      }
    }
    .asyncImageTransition(.keepPrevious)
    .asyncImageDisappearance(.cancel)
    .asyncImageRetry(nil)
    .imageURLSession(session)
    .imagePipeline(pipeline)
  }
}

struct CompatPhase: View {
  let phase: AsyncImagePhaseCompat
  @Environment(\.asyncImageTransition) private var transition
  @Environment(\.imagePipeline) private var pipeline
  @Environment(\.imageRetry) private var retry
  @Environment(\.asyncImageProgress) private var progress

  var body: some View {
    if let image = phase.image {
      image.resizable()
    } else if phase.error != nil {
      Button(action: { retry() }) { Text(verbatim: transition == .clear ? "Retry" : "Try again") }
    } else if let fraction = progress?.fraction {
      Text(verbatim: "\(fraction)")
    } else {
      Text(verbatim: "\(pipeline.counters.decodes)")
    }
  }
}
