// only: ios15
// Code written for Apple's AsyncImage beside the same code for ours: both compile.
import SwiftUI
import VignetteUI

struct CachedCalls: View {
  let url: URL?

  var body: some View {
    AsyncImage(url: url)
    CachedAsyncImage(url: url)
    AsyncImage(url: url, scale: 2) { $0.resizable() } placeholder: { ProgressView() }
    CachedAsyncImage(url: url, scale: 2) { $0.resizable() } placeholder: { ProgressView() }
    AsyncImage(url: url, transaction: Transaction(animation: .default)) { content($0) }
    CachedAsyncImage(url: url, transaction: Transaction(animation: .default)) { content($0) }
    CachedAsyncImage(request: url.map { URLRequest(url: $0) }) { content($0) }
  }

  @ViewBuilder private func content(_ phase: AsyncImagePhase) -> some View {
    switch phase {
    case .empty: ProgressView()
    case .success(let image): image.resizable()
    case .failure(let error): Text(error.localizedDescription)
    @unknown default: EmptyView()
    }
  }
}
