// only: ios15
// The forms of CachedAsyncImage that Apple's view does not have.
import SwiftUI
import Vignette
import VignetteUI

struct CachedForms: View {
  let url: URL?
  let request: URLRequest?
  let image: ImageRequest?
  let pipeline: ImagePipeline
  let session: URLSession
  @State private var fullResolution = false

  var body: some View {
    ZStack {
      CachedAsyncImage(url: url, animation: .default) { picture($0) }
      CachedAsyncImage(request: request, scale: 2, animation: .default) { picture($0) }
      CachedAsyncImage(url: url, loadFullResolution: fullResolution) { picture($0) }
      CachedAsyncImage(
        url: url, scale: 2, transaction: Transaction(animation: .default),
        compressedSize: CGSize(width: 10, height: 8), loadFullResolution: fullResolution
      ) { phase in
        picture(phase)
      }
      CachedAsyncImage(request: request, compressedSize: nil, loadFullResolution: true) { picture($0) }
      CachedAsyncImage(request: request) { $0.resizable() } placeholder: { ProgressView() }
      CachedAsyncImage(image: image?.with(processors: [.circle]))
      CachedAsyncImage(image: image) { $0.resizable() } placeholder: { ProgressView() }
      CachedAsyncImage(image: image, scale: 2, transaction: Transaction(animation: .default)) { picture($0) }
      Button(action: { fullResolution = true }) { Text(verbatim: "Load full resolution") }
    }
    .asyncImageTransition(.clear)
    .asyncImageDisappearance(.lowerPriority)
    .asyncImageRetry(.never)
    .imageURLSession(session)
    .imagePipeline(pipeline)
  }

  @ViewBuilder private func picture(_ phase: AsyncImagePhase) -> some View {
    switch phase {
    case .empty: ProgressView()
    case .success(let image): image.resizable()
    case .failure: CachedFailure()
    @unknown default: EmptyView()
    }
  }
}

struct CachedFailure: View {
  @Environment(\.imageRetry) private var retry

  var body: some View {
    Button(action: { retry() }) { Text(verbatim: "Retry") }
  }
}
